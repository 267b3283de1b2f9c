// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Calls that are sent in one request, in which later calls can use values from the responses of earlier calls.
///
/// ```swift
/// var composite = Composite(allOrNone: true)
/// let account = composite.add(.create("Account", ["Name": "Acme"]), as: "account")
/// let id = account["id"]
/// composite.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
/// let answers = try await client.send(composite).get()
/// ```
/// The request counts as one API call of the org. It succeeds even if parts fail: each part has its own result in
/// ``Composite/Response``.
public struct Composite: Sendable, Hashable {
    /// A call with its name in the request.
    public struct Part: Sendable, Hashable {
        /// The name.
        public let reference: String
        /// The call.
        public let request: RestRequest
        /// The references that the call is declared to use.
        public let references: [Composite.Reference]

        /// Returns a reference to a value in the response of this part, for later parts.
        ///
        /// - Parameter path: the path to the value, such as `id` or `records[0].Id`.
        public subscript(path: String) -> Composite.Reference { Composite.Reference(reference, path) }
    }

    /// The server's maximum number of parts.
    public static let maximumParts = 25
    /// The maximum number of parts that are queries, query pages or collections of records.
    public static let maximumQueries = 5

    /// Whether one failed part undoes all others.
    public var isAllOrNone: Bool
    /// Whether the server may reorder parts and run them together, as it does by default.
    ///
    /// Parts with references to each other always run in order.
    public var isCollated = true
    /// The parts, in order.
    public private(set) var parts: [Part] = []

    /// Makes a request without parts.
    public init(allOrNone: Bool = false) { isAllOrNone = allOrNone }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - request: a call of the REST API with a JSON body or no body. Its headers are sent, but its timeout and retry
    ///     policy are ignored.
    ///   - reference: the part's name: letters, digits and underscores, unique in the request.
    ///   - references: the references in the call, each as often as it occurs. The server replaces references in all
    ///     strings, so a call is rejected if an untrusted string looks like a reference that is not declared here.
    /// - Returns: the part, for references to its response.
    @discardableResult
    public mutating func add(
        _ request: RestRequest, as reference: String, using references: [Composite.Reference] = []
    ) -> Part {
        let part = Part(reference: reference, request: request, references: references)
        parts.append(part)
        return part
    }
}

extension Composite {
    /// Returns a copy whose parts are addressed to the Tooling API.
    var tooling: Composite {
        var copy = self
        copy.parts = parts.map { Part(reference: $0.reference, request: $0.request.tooling, references: $0.references) }
        return copy
    }

    var isWrite: Bool { parts.contains { $0.request.isWrite } }

    package var problem: InvalidArgument? {
        guard (1...Self.maximumParts).contains(parts.count) else {
            return InvalidArgument("parts", "there are \(parts.count); the server accepts 1 to \(Self.maximumParts)")
        }
        let queries = parts.count { $0.request.isQueryOrCollection }
        guard queries <= Self.maximumQueries else {
            return InvalidArgument(
                "parts", "there are \(queries) queries and collections; the server accepts \(Self.maximumQueries)")
        }
        return problemOfParts
    }

    /// The first part that the server would reject or misunderstand.
    var problemOfParts: InvalidArgument? {
        var known: Set<Substring> = []
        for part in parts {
            if let problem = part.problem(after: known) { return problem }
            known.insert(part.reference[...])
        }
        return nil
    }
}

extension Composite.Part {
    fileprivate func problem(after known: Set<Substring>) -> InvalidArgument? {
        let name = "parts.\(reference)"
        guard reference.isPartName else {
            return InvalidArgument("reference", "must be letters, digits and underscores")
        }
        guard !known.contains(reference[...]) else {
            return InvalidArgument(name, "the name is used twice")
        }
        if let problem = request.problemAsPart(name) { return problem }
        guard request.fields["Authorization"] == nil else {
            return InvalidArgument("\(name).fields", "a part cannot have its own authorization")
        }
        if let dangling = request.references.map(\.part).first(where: { !known.contains($0) }) {
            return InvalidArgument(
                name, "'@{\(dangling.prefix(40))…' refers to no earlier part, but the server reads it as a reference")
        }
        return undeclared(name)
    }

    /// The first reference that is used but not declared, or declared but not used.
    private func undeclared(_ name: String) -> InvalidArgument? {
        var declared = references.map(\.text)
        for reference in request.references.map({ String($0.text) }) {
            guard let place = declared.firstIndex(of: reference) else {
                return InvalidArgument(
                    name,
                    "the server would replace '\(reference.prefix(60))'; if you mean that and not the string "
                        + "itself, pass the reference to add(_:as:using:), as often as it appears")
            }
            declared.remove(at: place)
        }
        guard let missing = declared.first else { return nil }
        return InvalidArgument("\(name).using", "'\(missing.prefix(60))' does not appear in the part")
    }
}

extension String {
    /// Whether the string is valid as the name of a part or of a record in a tree.
    var isPartName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension Composite {
    /// Graphs of calls that are sent in one request, each of which is all or none.
    ///
    /// ```swift
    /// var graphs = Composite.Graphs()
    /// for name in ["Acme", "Bolt"] {
    ///     var graph = Composite(allOrNone: true)
    ///     let account = graph.add(.create("Account", ["Name": JSONValue(name)]), as: "account")
    ///     let id = account["id"]
    ///     graph.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
    ///     graphs.add(graph, as: name)
    /// }
    /// let answers = try await client.send(graphs)
    /// ```
    /// A graph is a ``Composite`` whose parts create, read, update and delete single records. A failed graph does not
    /// affect other graphs: each graph has its own ``Composite/Response`` in the ``Response``. The request counts as
    /// one API call of the org.
    public struct Graphs: Sendable, Hashable {
        /// The server's maximum number of graphs.
        public static let maximumGraphs = 75
        /// The maximum number of parts in all graphs together.
        public static let maximumParts = 500
        /// The maximum number of different combinations of a method and an object in a graph.
        public static let maximumKinds = 15
        /// The maximum length of a chain of parts that refer to each other.
        public static let maximumDepth = 15

        /// A graph with its name in the request.
        public struct Graph: Sendable, Hashable {
            /// The name.
            public let id: String
            /// The calls.
            public let composite: Composite
        }

        /// The graphs, in order.
        public private(set) var graphs: [Graph] = []

        /// Makes a request without graphs.
        public init() {}

        /// Adds a graph.
        ///
        /// - Parameters:
        ///   - composite: the calls. It must be made with `allOrNone: true`.
        ///   - id: the graph's name, unique in the request.
        public mutating func add(_ composite: Composite, as id: String) {
            graphs.append(Graph(id: id, composite: composite))
        }
    }
}

extension Composite.Graphs {
    var isWrite: Bool { graphs.contains { $0.composite.isWrite } }

    var problem: InvalidArgument? {
        guard (1...Self.maximumGraphs).contains(graphs.count) else {
            return InvalidArgument("graphs", "there are \(graphs.count); the server accepts 1 to \(Self.maximumGraphs)")
        }
        let parts = graphs.reduce(0) { $0 + $1.composite.parts.count }
        guard parts <= Self.maximumParts else {
            return InvalidArgument("graphs", "there are \(parts) parts; the server accepts \(Self.maximumParts)")
        }
        var known: Set<String> = []
        for graph in graphs {
            if let reason = graph.reason(after: known) {
                return InvalidArgument("graphs.\(graph.id)", reason)
            }
            if let problem = graph.composite.problemOfParts {
                return InvalidArgument("graphs.\(graph.id).\(problem.argument)", problem.reason)
            }
            known.insert(graph.id)
        }
        return nil
    }
}

extension Composite.Graphs.Graph {
    /// The reason why the server would reject the graph, regardless of its parts.
    fileprivate func reason(after known: Set<String>) -> String? {
        if id.isBlank { return "a graph needs a name" }
        if known.contains(id) { return "the name is used twice" }
        if composite.parts.isEmpty { return "it has no parts" }
        if !composite.isAllOrNone { return "a graph must be all or none; use Composite(allOrNone: true)" }
        if let other = composite.parts.first(where: { $0.request.recordKind == nil }) {
            return "the part '\(other.reference)' is not a request for a single record, which a graph requires"
        }
        let kinds = Set(composite.parts.compactMap(\.request.recordKind)).count
        if kinds > Composite.Graphs.maximumKinds {
            return "there are \(kinds) kinds of parts; the server accepts \(Composite.Graphs.maximumKinds)"
        }
        let depth = depth
        return depth > Composite.Graphs.maximumDepth
            ? "there is a chain of \(depth) parts; the server accepts \(Composite.Graphs.maximumDepth)" : nil
    }

    /// The number of parts in the longest chain.
    private var depth: Int {
        var depths: [Substring: Int] = [:]
        for part in composite.parts {
            let before = part.request.references.compactMap { depths[$0.part] }.max() ?? 0
            depths[part.reference[...]] = before + 1
        }
        return depths.values.max() ?? 0
    }
}

extension RestRequest {
    /// The method and the object of a call for a single record, or `nil` for other calls.
    fileprivate var recordKind: String? {
        guard let path = resource.names, path.count > 1, path.first == "sobjects" else { return nil }
        return "\(method) \(path[path.startIndex + 1])"
    }
}
