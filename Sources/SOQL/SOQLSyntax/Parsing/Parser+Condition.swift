// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// `NOT term`, or terms joined by AND, or terms joined by OR.
    mutating func parseCondition() throws(SOQLSyntaxError) -> SOQLCondition {
        if try take(keyword: "NOT") {
            let condition = SOQLCondition.not(try parseTerm())
            guard !isAt("AND"), !isAt("OR") else {
                throw error("unexpected token: '\(text)' (NOT and its condition stand in parentheses of their own)")
            }
            return condition
        }
        let first = try parseTerm()
        if isAt("AND") { return .and(try parseTerms(after: first, joinedBy: "AND", notBy: "OR")) }
        if isAt("OR") { return .or(try parseTerms(after: first, joinedBy: "OR", notBy: "AND")) }
        return first
    }

    private mutating func parseTerms(
        after first: SOQLCondition, joinedBy keyword: StaticString, notBy other: StaticString
    ) throws(SOQLSyntaxError) -> [SOQLCondition] {
        var terms = [first]
        while try take(keyword: keyword) { terms.append(try parseTerm()) }
        guard !isAt(other) else {
            throw error("unexpected token: '\(text)' (AND and OR cannot be mixed without parentheses)")
        }
        return terms
    }

    private mutating func parseTerm() throws(SOQLSyntaxError) -> SOQLCondition {
        guard token.kind == .leftParenthesis else { return .comparison(try parseComparison()) }
        try advance()
        let condition = try nested { parser throws(SOQLSyntaxError) in try parser.parseCondition() }
        try expect(.rightParenthesis, "')'")
        return condition
    }

    private mutating func parseComparison() throws(SOQLSyntaxError) -> SOQLComparison {
        let left = try parseExpression()
        let position = token.position
        let comparison = try parseOperator()
        let right = try parseOperand(of: comparison)
        return SOQLComparison(left, comparison, right, operatorPosition: position)
    }

    private mutating func parseOperator() throws(SOQLSyntaxError) -> SOQLOperator {
        if case .comparison(let comparison) = token.kind {
            try advance()
            return comparison
        }
        for (keyword, comparison) in Parser.wordOperators where isAt(keyword) {
            try advance()
            return comparison
        }
        guard token.kind != .plus, token.kind != .minus else { throw unsupported("arithmetic in a condition") }
        guard try take(keyword: "NOT") else { throw unexpected("an operator") }
        try expect(keyword: "IN")
        return .notIn
    }

    private static let wordOperators: [(StaticString, SOQLOperator)] = [
        ("LIKE", .like), ("IN", .in), ("INCLUDES", .includes), ("EXCLUDES", .excludes),
    ]

    private mutating func parseOperand(of comparison: SOQLOperator) throws(SOQLSyntaxError) -> SOQLOperand {
        switch comparison {
        case .like: return .pattern(try parsePattern())
        case .in, .notIn: return try parseListOrQuery()
        case .includes, .excludes:
            try expectListStart()
            return .list(try parseList(ofStringsOnly: true))
        default: return .literal(try parseLiteral())
        }
    }

    private mutating func parseListOrQuery() throws(SOQLSyntaxError) -> SOQLOperand {
        let position = token.position
        try expectListStart()
        guard isAt("SELECT") else { return .list(try parseList(ofStringsOnly: false)) }
        let query = try nested { parser throws(SOQLSyntaxError) in try parser.parseSemiJoin() }
        return .query(SOQLChildQuery(query, position: position))
    }

    private mutating func expectListStart() throws(SOQLSyntaxError) {
        if token.kind == .colon { throw bindVariable() }
        try expect(.leftParenthesis, "'('")
    }

    private mutating func parseList(ofStringsOnly: Bool) throws(SOQLSyntaxError) -> [SOQLValue] {
        var values: [SOQLValue] = []
        repeat {
            guard !ofStringsOnly || token.kind == .string else { throw unexpected("a string") }
            values.append(try parseLiteral())
        } while try take(.comma)
        try expect(.rightParenthesis, "',' or ')'")
        return values
    }

    /// `SELECT field FROM object [WHERE …] [WITH …] )`, nothing else.
    private mutating func parseSemiJoin() throws(SOQLSyntaxError) -> SOQLQuery {
        let query = try parseQuery()
        let selected = query.select[0]
        guard query.select.count == 1, case .field(.path, nil) = selected else {
            throw SOQLSyntaxError(
                message: "a semi-join selects exactly one field", position: selected.position, token: "")
        }
        if let position = query.joined.first?.path.position ?? query.scope?.position {
            throw SOQLSyntaxError(message: "a semi-join reads one object", position: position, token: "")
        }
        if let position = query.positionBehindWith {
            throw SOQLSyntaxError(message: "a semi-join has no clause after WHERE", position: position, token: "")
        }
        guard token.kind == .rightParenthesis else { throw token.kind == .end ? unexpected("')'") : endExpected() }
        try advance()
        return query
    }
}

extension SOQLQuery {
    /// Where the first clause behind WHERE and WITH has its content.
    fileprivate var positionBehindWith: SOQLPosition? {
        groupBy.first?.position ?? orderBy.first?.expression.position ?? limit?.position ?? offset?.position
            ?? usage?.position ?? statistics.first?.position ?? apexClauses.first?.position
    }
}
