// SPDX-License-Identifier: Apache-2.0

/// What the paths of a query may begin with: the object's own name or alias, and the aliases of parents in FROM.
public struct SOQLPathPrefixes: Sendable, Hashable {
    private let own: Set<String>
    /// The relationships that the alias of each further entry stands for, by the alias in lower case.
    private var parents: [String: [String]] = [:]
    /// No alias stands for a longer way up; so a chain of aliases costs no more than its length.
    private static let longestWay = 8

    /// The prefixes of a query's FROM, and another name of its object.
    public init(_ query: SOQLQuery, alsoNamed name: String? = nil) {
        let names = [query.from.alias?.text, query.from.path.text, query.from.path.last, name]
        own = Set(names.compactMap { $0?.lowercased() })
        for source in query.joined {
            let parts = relativeParts(of: source.path)
            let name = source.alias?.text ?? source.path.last
            guard parts.count <= Self.longestWay, !own.contains(name.lowercased()) else { continue }
            parents[name.lowercased()] = parts
        }
    }

    /// The relationships and the field of a path, from the object in FROM on.
    public func relativeParts(of path: SOQLPath) -> [String] {
        guard path.parts.count > 1, let first = path.parts.first?.lowercased() else { return path.parts }
        if own.contains(first) { return Array(path.parts.dropFirst()) }
        return (parents[first] ?? [path.parts[0]]) + path.parts.dropFirst()
    }
}
