// SPDX-License-Identifier: Apache-2.0

/// One column of a query's answer: what a table prints as a heading, and where each record keeps the value.
public struct SOQLColumn: Sendable, Hashable {
    /// The heading: the path as written (`Owner.Name`), or the key of an aggregate.
    public let name: String
    /// The keys from a record to the value: one per parent, then the field's own; for an aggregate its one key.
    ///
    /// The server spells field names as its schema does, so look them up without case.
    public let path: [String]
    /// Whether the value is that of a function over a group.
    public let isAggregate: Bool
    /// The columns of each child record; `nil` when the column is not a child query.
    public let children: [SOQLColumn]?

    /// The last key, by which the server returns the value.
    public var key: String { path.last ?? name }
}

extension SOQLQuery {
    /// Whether the answer consists of groups (`AggregateResult`), not of records.
    public var isAggregate: Bool {
        !groupBy.isEmpty
            || select.contains { item in
                if case .field(let expression, _) = item { expression.isAggregate } else { false }
            }
    }

    /// Whether this is `SELECT COUNT()`, whose answer is a number and no record.
    public var isCount: Bool {
        if case .count? = select.first { true } else { false }
    }

    /// Whether only the server knows all columns, because the select list has `FIELDS()`.
    public var hasOpenColumns: Bool {
        select.contains { item in
            switch item {
            case .fields: true
            case .children(let children, _): children.query.hasOpenColumns
            case .count, .field, .typeof: false
            }
        }
    }

    /// The columns of the answer in the order of the select list; none for `COUNT()` and for `FIELDS()`.
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

    /// The columns of the fields and functions of the select list, one for each; other entries have none.
    package var fieldColumns: [SOQLColumn] {
        let isAggregate = isAggregate
        let prefixes = SOQLPathPrefixes(self)
        var unnamed = 0
        return select.compactMap { item in
            guard case .field(let expression, let alias) = item else { return nil }
            return column(expression, alias, isAggregate, prefixes, &unnamed)
        }
    }

    private func childColumn(_ query: SOQLQuery, _ alias: SOQLName?) -> SOQLColumn {
        let name = alias?.text ?? query.from.path.last
        return SOQLColumn(name: name, path: [name], isAggregate: false, children: query.columns)
    }

    /// One column for each field that a branch names; records of another object have no value there.
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
    /// The field by whose name the answer has the value, if the value has no name of its own.
    ///
    /// In a query for records functions that only print a field otherwise leave the field its name.
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
