// SPDX-License-Identifier: Apache-2.0

extension SOQLQuery: CustomStringConvertible {
    /// The query in canonical form: one line, keywords in upper case, single blanks.
    ///
    /// Parsing it gives an equal tree.
    public var text: String {
        var clauses = [
            "SELECT " + select.map(\.text).joined(separator: ", "), "FROM " + from.text,
        ]
        if let condition = self.where { clauses.append("WHERE " + condition.text) }
        if !groupBy.isEmpty { clauses.append("GROUP BY " + groupBy.map(\.text).joined(separator: ", ")) }
        if let having { clauses.append("HAVING " + having.text) }
        if !orderBy.isEmpty { clauses.append("ORDER BY " + orderBy.map(\.text).joined(separator: ", ")) }
        if let limit { clauses.append("LIMIT \(limit.value)") }
        if let offset { clauses.append("OFFSET \(offset.value)") }
        return clauses.joined(separator: " ")
    }

    /// The same as ``text``.
    public var description: String { text }
}

extension SOQLSource {
    var text: String { path.text + (alias.map { " " + $0.text } ?? "") }
}

extension SOQLSelectItem {
    /// The entry as it is written in a query.
    public var text: String {
        switch self {
        case .count: "COUNT()"
        case .field(let expression, let alias): expression.text + (alias.map { " " + $0.text } ?? "")
        case .children(let children): "(" + children.query.text + ")"
        }
    }
}

extension SOQLExpression {
    /// The expression as it is written in a query.
    public var text: String {
        switch self {
        case .path(let path): path.text
        case .call(let call): call.function + "(" + (call.argument?.text ?? "") + ")"
        }
    }
}

extension SOQLCondition {
    /// The condition as it is written in a query.
    public var text: String {
        switch self {
        case .comparison(let comparison): comparison.text
        case .not(let condition): "NOT " + condition.textAsTerm
        case .and(let terms): terms.map(\.textAsTerm).joined(separator: " AND ")
        case .or(let terms): terms.map(\.textAsTerm).joined(separator: " OR ")
        }
    }

    private var textAsTerm: String {
        if case .comparison(let comparison) = self { comparison.text } else { "(" + text + ")" }
    }
}

extension SOQLComparison {
    /// The test as it is written in a query.
    public var text: String { left.text + " " + self.operator.rawValue + " " + right.text }
}

extension SOQLOperand {
    var text: String {
        switch self {
        case .literal(let value): value.literal.text
        case .pattern(let pattern): pattern.text
        case .list(let values): "(" + values.map(\.literal.text).joined(separator: ", ") + ")"
        case .query(let query): "(" + query.query.text + ")"
        }
    }
}

extension SOQLOrdering {
    var text: String {
        let direction = isDescending ? " DESC" : ""
        return switch nulls {
        case nil: expression.text + direction
        case .first?: expression.text + direction + " NULLS FIRST"
        case .last?: expression.text + direction + " NULLS LAST"
        }
    }
}
