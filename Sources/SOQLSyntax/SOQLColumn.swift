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

    /// The columns of the answer in the order of the select list; none for `COUNT()`.
    public var columns: [SOQLColumn] {
        let isAggregate = isAggregate
        var unnamed = 0
        return select.compactMap { item in
            switch item {
            case .count: nil
            case .children(let children): childColumn(children.query)
            case .field(let expression, let alias): column(expression, alias, isAggregate, &unnamed)
            }
        }
    }

    private func childColumn(_ query: SOQLQuery) -> SOQLColumn {
        let name = query.from.path.last
        return SOQLColumn(name: name, path: [name], isAggregate: false, children: query.columns)
    }

    private func column(
        _ expression: SOQLExpression, _ alias: SOQLName?, _ isGrouped: Bool, _ unnamed: inout Int
    ) -> SOQLColumn {
        let isAggregate = expression.isAggregate
        if let alias {
            return SOQLColumn(name: alias.text, path: [alias.text], isAggregate: isAggregate, children: nil)
        }
        switch expression {
        case .path(let path):
            let parts = relativeParts(of: path)
            let name = isGrouped ? path.last : parts.joined(separator: ".")
            return SOQLColumn(name: name, path: isGrouped ? [path.last] : parts, isAggregate: false, children: nil)
        case .call(let call) where !isGrouped && call.function.uppercased() == "TOLABEL":
            let parts = call.argument?.pathParts(in: self) ?? [call.function]
            return SOQLColumn(name: parts.joined(separator: "."), path: parts, isAggregate: false, children: nil)
        case .call:
            defer { unnamed += 1 }
            return SOQLColumn(name: "expr\(unnamed)", path: ["expr\(unnamed)"], isAggregate: isAggregate, children: nil)
        }
    }

    /// The names of a path without the object's own name or alias in front.
    public func relativeParts(of path: SOQLPath) -> [String] {
        guard path.parts.count > 1, let first = path.parts.first?.lowercased() else { return path.parts }
        let isOwn = first == from.alias?.text.lowercased() || first == from.path.text.lowercased()
        return isOwn ? Array(path.parts.dropFirst()) : path.parts
    }
}

extension SOQLExpression {
    fileprivate func pathParts(in query: SOQLQuery) -> [String]? {
        if case .path(let path) = self { query.relativeParts(of: path) } else { nil }
    }
}
