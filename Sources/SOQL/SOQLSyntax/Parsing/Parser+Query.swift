// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// Reads from SELECT to the last clause; what follows is left to the caller.
    mutating func parseQuery() throws(SOQLSyntaxError) -> SOQLQuery {
        try expect(keyword: "SELECT")
        let select = try parseSelectList()
        try expect(keyword: "FROM")
        var query = SOQLQuery(select: select, from: try parseSource())
        while try take(.comma) { query.joined.append(try parseSource()) }
        query.scope = try parseScope()
        if try take(keyword: "WHERE") { query.where = try parseCondition() }
        while try take(keyword: "WITH") { query.with.append(try parseWith()) }
        try parseGroups(into: &query)
        try parseOrder(into: &query)
        if try take(keyword: "LIMIT") { query.limit = try parseCount() }
        if try take(keyword: "OFFSET") { query.offset = try parseCount() }
        try parseEnd(into: &query)
        return query
    }

    // MARK: FROM

    private mutating func parseSource() throws(SOQLSyntaxError) -> SOQLSource {
        var source = SOQLSource(path: try parsePath("an object"))
        if try take(keyword: "AS") {
            source.alias = try parseAlias()
        } else if token.kind == .name, !isAtClause {
            source.alias = try parseAlias()
        }
        return source
    }

    /// Whether the word begins a clause; some of these words can be aliases too.
    private var isAtClause: Bool {
        if isAt(anyOf: Parser.clauses) { return true }
        if isAt("ORDER") { return ahead()?.isAt("BY") == true }
        if isAt("ALL") { return ahead()?.isAt("ROWS") == true }
        guard isAt("OFFSET"), let next = ahead() else { return false }
        return [.integer, .plus, .minus, .colon].contains(next.token.kind)
    }

    private static let clauses: [StaticString] = [
        "WHERE", "GROUP", "HAVING", "LIMIT", "USING", "WITH", "BIND", "FOR", "UPDATE",
    ]

    private mutating func parseScope() throws(SOQLSyntaxError) -> SOQLName? {
        guard try take(keyword: "USING") else { return nil }
        guard !isAt("LOOKUP") else { throw unsupported("USING LOOKUP") }
        try expect(keyword: "SCOPE")
        return try parseName("the name of a scope")
    }

    // MARK: Groups, order and what follows

    private mutating func parseGroups(into query: inout SOQLQuery) throws(SOQLSyntaxError) {
        guard try take(keyword: "GROUP") else { return }
        try expect(keyword: "BY")
        for (keyword, grouping) in [("ROLLUP", .rollup), ("CUBE", .cube)] as [(StaticString, SOQLGrouping)]
        where try take(keyword: keyword) {
            query.grouping = grouping
        }
        if query.grouping != .plain { try expect(.leftParenthesis, "'('") }
        repeat {
            query.groupBy.append(try parseExpression())
        } while try take(.comma)
        if query.grouping != .plain { try expect(.rightParenthesis, "',' or ')'") }
        if try take(keyword: "HAVING") { query.having = try parseCondition() }
    }

    private mutating func parseOrder(into query: inout SOQLQuery) throws(SOQLSyntaxError) {
        guard try take(keyword: "ORDER") else { return }
        try expect(keyword: "BY")
        repeat {
            query.orderBy.append(try parseOrdering())
        } while try take(.comma)
    }

    private mutating func parseOrdering() throws(SOQLSyntaxError) -> SOQLOrdering {
        var ordering = SOQLOrdering(try parseExpression())
        if try take(keyword: "DESC") {
            ordering.isDescending = true
        } else {
            _ = try take(keyword: "ASC")
        }
        guard try take(keyword: "NULLS") else { return ordering }
        if try take(keyword: "FIRST") {
            ordering.nulls = .first
        } else {
            guard try take(keyword: "LAST") else { throw unexpected("FIRST or LAST") }
            ordering.nulls = .last
        }
        return ordering
    }

    private mutating func parseCount() throws(SOQLSyntaxError) -> SOQLCount {
        let position = token.position
        if token.kind == .colon { throw bindVariable() }
        var digits = try takeSign() ? "-" : ""
        guard token.kind == .integer else { throw unexpected("a whole number") }
        digits += text
        // bounded: by whoever reads the tree
        guard let value = Int(digits) else { throw error("the number is too large: '\(text)'") }
        try advance()
        return SOQLCount(value, position: position)
    }

    /// Takes a sign; true for minus.
    mutating func takeSign() throws(SOQLSyntaxError) -> Bool {
        if try take(.minus) { return true }
        _ = try take(.plus)
        return false
    }

    /// What may follow OFFSET: `FOR VIEW`, `UPDATE …`, `FOR UPDATE` and `ALL ROWS`, in this order.
    private mutating func parseEnd(into query: inout SOQLQuery) throws(SOQLSyntaxError) {
        var position = token.position
        if isAt("FOR"), ahead()?.isAt("UPDATE") == false {
            try advance()
            guard let usage = try take(SOQLUsage.self) else { throw unexpected("VIEW, REFERENCE or UPDATE") }
            query.usage = SOQLPlaced(usage, position: position)
        }
        if try take(keyword: "UPDATE") {
            repeat {
                position = token.position
                guard let statistic = try take(SOQLStatistic.self) else { throw unexpected("TRACKING or VIEWSTAT") }
                query.statistics.append(SOQLPlaced(statistic, position: position))
            } while try take(.comma)
        }
        position = token.position
        if try take(keyword: "FOR") {
            try expect(keyword: "UPDATE")
            query.apexClauses.append(SOQLPlaced(.forUpdate, position: position))
        }
        position = token.position
        if try take(keyword: "ALL") {
            try expect(keyword: "ROWS")
            query.apexClauses.append(SOQLPlaced(.allRows, position: position))
        }
    }
}
