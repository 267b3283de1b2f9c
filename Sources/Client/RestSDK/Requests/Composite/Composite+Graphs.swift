// SPDX-License-Identifier: Apache-2.0

import RestText

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
