// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Calls that go to the server in one request, later ones with values out of the answers of earlier ones.
///
/// ```swift
/// var composite = Composite(allOrNone: true)
/// let account = composite.add(.create("Account", ["Name": "Acme"]), as: "account")
/// let id = account["id"]
/// composite.add(.create("Contact", ["LastName": "Roe", "AccountId": id.json]), as: "contact", using: [id])
/// let answers = try await client.send(composite).get()
/// ```
/// It counts as one call of the org's allowance. The request as a whole succeeds whatever becomes of its parts: their
/// results say, each by itself (``Composite/Response``).
public struct Composite: Sendable, Hashable {
    /// One call with its name in the request.
    public struct Part: Sendable, Hashable {
        /// The name.
        public let reference: String
        /// The call.
        public let request: RestRequest
        /// The references to answers of other parts that are meant to stand in the call.
        public let references: [Composite.Reference]

        /// A value out of the answer to this part, for parts after it.
        ///
        /// - Parameter path: the way to the value, such as `id` or `records[0].Id`.
        public subscript(path: String) -> Composite.Reference { Composite.Reference(reference, path) }
    }

    /// The most parts that the server accepts.
    public static let maximumParts = 25
    /// The most parts that may be queries, pages of queries or collections of records.
    public static let maximumQueries = 5

    /// Whether one part that fails undoes all others.
    public var isAllOrNone: Bool
    /// Whether the server may run parts that do not ask for each other in another order, together.
    ///
    /// It does by default; parts that do ask for each other are always run in order.
    public var isCollated = true
    /// The parts, in order.
    public private(set) var parts: [Part] = []

    /// Makes a request without parts.
    public init(allOrNone: Bool = false) {
        isAllOrNone = allOrNone
    }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - request: a call of the REST API with a JSON body or none. Its header fields go along; its timeout and
    ///     retry policy do not.
    ///   - reference: its name: letters, digits and underscores, used once.
    ///   - references: the references that are meant to stand in the call, each as often as it stands there. The server
    ///     reads references out of every text, so a text from outside that looks like one is refused when it is not
    ///     named here.
    /// - Returns: the part, for references to its answer.
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
    /// Whether a part changes something on the server.
    var isWrite: Bool { parts.contains { $0.request.isWrite } }

    /// The first thing that the server would refuse as a whole.
    var problem: InvalidArgument? {
        guard (1...Self.maximumParts).contains(parts.count) else {
            return InvalidArgument(
                argument: "parts", reason: "there are \(parts.count); the server accepts 1 to \(Self.maximumParts)")
        }
        let queries = parts.count { $0.request.isQueryOrCollection }
        guard queries <= Self.maximumQueries else {
            return InvalidArgument(
                argument: "parts",
                reason: "\(queries) are queries or collections; the server accepts \(Self.maximumQueries)")
        }
        return problemOfParts
    }

    /// The first part that the server would refuse, or would take for another one than is meant.
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
            return InvalidArgument(argument: "reference", reason: "must be letters, digits and underscores")
        }
        guard !known.contains(reference[...]) else {
            return InvalidArgument(argument: name, reason: "the name is used twice")
        }
        if let problem = request.problemAsPart(name) { return problem }
        guard request.fields["Authorization"] == nil else {
            return InvalidArgument(argument: "\(name).fields", reason: "a part cannot have its own authorization")
        }
        if let dangling = request.references.map(\.part).first(where: { !known.contains($0) }) {
            return InvalidArgument(
                argument: name,
                reason: "'@{\(dangling.prefix(40))…' names no earlier part, but the server reads it as a reference")
        }
        return undeclared(name)
    }

    /// What the server would replace though nobody said that it is to be, or would not though somebody did.
    private func undeclared(_ name: String) -> InvalidArgument? {
        var declared = references.map(\.text)
        for reference in request.references.map({ String($0.text) }) {
            guard let place = declared.firstIndex(of: reference) else {
                return InvalidArgument(
                    argument: name,
                    reason: "the server would replace '\(reference.prefix(60))'; if you mean that and not the text "
                        + "itself, name the reference in add(_:as:using:), as often as it stands there")
            }
            declared.remove(at: place)
        }
        guard let missing = declared.first else { return nil }
        return InvalidArgument(argument: "\(name).using", reason: "'\(missing.prefix(60))' is not in the part")
    }
}

extension String {
    /// Whether the text can name a part of a request or a record of a tree.
    var isPartName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension Composite {
    /// Graphs of calls that go to the server in one request, each graph all or none.
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
    /// A graph is a ``Composite`` whose parts create, read, change and delete single records. One that fails leaves the
    /// others alone: each has its own ``Composite/Response`` in the ``Response``. It counts as one call of the org's
    /// allowance.
    public struct Graphs: Sendable, Hashable {
        /// The most graphs that the server accepts.
        public static let maximumGraphs = 75
        /// The most parts of all graphs together.
        public static let maximumParts = 500
        /// The most kinds of parts in a graph, a kind being a method and an object.
        public static let maximumKinds = 15
        /// The longest chain of parts of which each asks the one before it.
        public static let maximumDepth = 15

        /// One graph with its name in the request.
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
        ///   - composite: the calls; made with `allOrNone: true`, which every graph is.
        ///   - id: its name in the request, used once.
        public mutating func add(_ composite: Composite, as id: String) {
            graphs.append(Graph(id: id, composite: composite))
        }
    }
}

extension Composite.Graphs {
    /// Whether a part changes something on the server.
    var isWrite: Bool { graphs.contains { $0.composite.isWrite } }

    /// The first thing that the server would refuse.
    var problem: InvalidArgument? {
        guard (1...Self.maximumGraphs).contains(graphs.count) else {
            return InvalidArgument(
                argument: "graphs", reason: "there are \(graphs.count); the server accepts 1 to \(Self.maximumGraphs)")
        }
        let parts = graphs.reduce(0) { $0 + $1.composite.parts.count }
        guard parts <= Self.maximumParts else {
            return InvalidArgument(
                argument: "graphs", reason: "they have \(parts) parts; the server accepts \(Self.maximumParts)")
        }
        var known: Set<String> = []
        for graph in graphs {
            if let reason = graph.reason(after: known) {
                return InvalidArgument(argument: "graphs.\(graph.id)", reason: reason)
            }
            if let problem = graph.composite.problemOfParts {
                return InvalidArgument(argument: "graphs.\(graph.id).\(problem.argument)", reason: problem.reason)
            }
            known.insert(graph.id)
        }
        return nil
    }
}

extension Composite.Graphs.Graph {
    /// Why the server would refuse the graph, whatever its parts say.
    fileprivate func reason(after known: Set<String>) -> String? {
        if id.isBlank { return "a graph needs a name" }
        if known.contains(id) { return "the name is used twice" }
        if composite.parts.isEmpty { return "it has no parts" }
        if !composite.isAllOrNone { return "a graph is all or none; make it by Composite(allOrNone: true)" }
        if let other = composite.parts.first(where: { $0.request.recordKind == nil }) {
            return "the part '\(other.reference)' is none about a single record; graphs take nothing else"
        }
        let kinds = Set(composite.parts.compactMap(\.request.recordKind)).count
        if kinds > Composite.Graphs.maximumKinds {
            return "\(kinds) kinds of parts; the server accepts \(Composite.Graphs.maximumKinds)"
        }
        let depth = depth
        return depth > Composite.Graphs.maximumDepth
            ? "a chain of \(depth) parts; the server accepts \(Composite.Graphs.maximumDepth)" : nil
    }

    /// How many parts the longest chain has.
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
    /// The method and the object of a call about a single record; `nil` for any other.
    fileprivate var recordKind: String? {
        switch resource {
        case .data(let path) where path.first == "sobjects" && path.count > 1: "\(method) \(path[1])"
        default: nil
        }
    }
}
