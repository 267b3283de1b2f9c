// SPDX-License-Identifier: Apache-2.0

/// One column of a query's result, with its heading and the path to the value in each record.
public struct SOQLColumn: Sendable, Hashable {
    /// The heading: the path as written (`Owner.Name`), or the key of an aggregate.
    public let name: String
    /// The keys from a record to the value: the keys of its parents and the field, or the key of an aggregate.
    ///
    /// Compare the keys without case, because the server spells field names as in its schema.
    public let path: [String]
    /// Whether the value is the result of an aggregate function.
    public let isAggregate: Bool
    /// The columns of each child record, or `nil` if the column is not a child query.
    public let children: [SOQLColumn]?

    /// The last key of the path.
    public var key: String { path.last ?? name }
}

extension SOQLQuery {
    /// Whether the result consists of groups (`AggregateResult`) and not of records.
    public var isAggregate: Bool {
        !groupBy.isEmpty
            || select.contains { item in
                if case .field(let expression, _) = item { expression.isAggregate } else { false }
            }
    }

    /// Whether this is `SELECT COUNT()`, which returns a number and no records.
    public var isCount: Bool {
        if case .count? = select.first { true } else { false }
    }

    /// Whether the select list has `FIELDS()`, so that only the server knows all columns.
    public var hasOpenColumns: Bool {
        select.contains { item in
            switch item {
            case .fields: true
            case .children(let children, _): children.query.hasOpenColumns
            case .count, .field, .typeof: false
            }
        }
    }

    /// The columns of the result in the order of the select list, without columns for `COUNT()` and `FIELDS()`.
    public var columns: [SOQLColumn] {
        let isAggregate = isAggregate
        let prefixes = SOQLPathPrefixes(self)
        var unnamed = 0
        return select.flatMap { item -> [SOQLColumn] in
            switch item {
            case .count, .fields: []
            case .children(let children, let alias): [childColumn(children.query, alias)]
            case .typeof(let typeof): columns(of: typeof, prefixes)
            case .field(let expression, let alias): [column(expression, alias, isAggregate, prefixes, &unnamed)]
            }
        }
    }

    private func childColumn(_ query: SOQLQuery, _ alias: SOQLName?) -> SOQLColumn {
        let name = alias?.text ?? query.from.path.last
        return SOQLColumn(name: name, path: [name], isAggregate: false, children: query.columns)
    }

    /// Returns one column for each field of a branch, which has no value in records of other objects.
    private func columns(of typeof: SOQLTypeof, _ prefixes: SOQLPathPrefixes) -> [SOQLColumn] {
        let reference = prefixes.relativeParts(of: typeof.reference)
        var seen: Set<String> = []
        return (typeof.branches.flatMap(\.fields) + typeof.otherwise).compactMap { field in
            let path = reference + (field.path?.parts ?? [])
            let name = path.joined(separator: ".")
            guard seen.insert(name.lowercased()).inserted else { return nil }
            return SOQLColumn(name: name, path: path, isAggregate: false, children: nil)
        }
    }

    private func column(
        _ expression: SOQLExpression, _ alias: SOQLName?, _ isGrouped: Bool, _ prefixes: SOQLPathPrefixes,
        _ unnamed: inout Int
    ) -> SOQLColumn {
        let isAggregate = expression.isAggregate
        if let alias {
            return SOQLColumn(name: alias.text, path: [alias.text], isAggregate: isAggregate, children: nil)
        }
        if let path = expression.namingPath(isGrouped: isGrouped) {
            let parts = isGrouped ? [path.last] : prefixes.relativeParts(of: path)
            return SOQLColumn(name: parts.joined(separator: "."), path: parts, isAggregate: false, children: nil)
        }
        defer { unnamed += 1 }
        return SOQLColumn(name: "expr\(unnamed)", path: ["expr\(unnamed)"], isAggregate: isAggregate, children: nil)
    }
}

extension SOQLExpression {
    /// Returns the field whose name the value has in the result, or `nil` if the value has a numbered name.
    ///
    /// In a query for records, functions that only format a field keep the field's name.
    public func namingPath(isGrouped: Bool) -> SOQLPath? {
        switch self {
        case .path(let path): return path
        case .call(let call):
            let isPrinted = SOQLPrintFunction(named: call.function) != nil
            return isPrinted && !isGrouped ? call.argument?.namingPath(isGrouped: false) : nil
        case .distance: return nil
        }
    }
}

/// The names that the paths of a query can begin with: the object's name or alias, and the aliases of parents in FROM.
public struct SOQLPathPrefixes: Sendable, Hashable {
    private let own: Set<String>
    /// The relationships that each alias of a parent represents, by the alias in lower case.
    private var parents: [String: [String]] = [:]
    /// The maximum number of relationships that an alias can represent, which bounds the cost of chains of aliases.
    private static let longestWay = 8

    /// Creates the prefixes of a query's FROM clause, with an optional additional name of its object.
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

    /// Returns the relationships and the field of a path, relative to the object in FROM.
    public func relativeParts(of path: SOQLPath) -> [String] {
        guard path.parts.count > 1, let first = path.parts.first?.lowercased() else { return path.parts }
        if own.contains(first) { return Array(path.parts.dropFirst()) }
        return (parents[first] ?? [path.parts[0]]) + path.parts.dropFirst()
    }
}
