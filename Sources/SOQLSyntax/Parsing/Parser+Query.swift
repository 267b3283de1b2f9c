// SPDX-License-Identifier: Apache-2.0

extension Parser {
    /// Reads from SELECT to the last clause; what follows is left to the caller.
    mutating func parseQuery() throws(SOQLSyntaxError) -> SOQLQuery {
        try expect(keyword: "SELECT")
        let select = try parseSelectList()
        try expect(keyword: "FROM")
        var query = SOQLQuery(select: select, from: try parseSource())
        if try take(keyword: "WHERE") { query.where = try parseCondition() }
        try parseGroups(into: &query)
        try parseOrder(into: &query)
        if try take(keyword: "LIMIT") { query.limit = try parseCount() }
        if try take(keyword: "OFFSET") { query.offset = try parseCount() }
        return query
    }

    private mutating func parseSource() throws(SOQLSyntaxError) -> SOQLSource {
        var source = SOQLSource(path: try parsePath("an object"))
        if try take(keyword: "AS") {
            source.alias = try parseName("an alias")
        } else if token.kind == .name, !isAt(anyOf: Parser.clauses) {
            source.alias = try parseName("an alias")
        }
        guard token.kind != .comma else { throw unsupported("a second object in FROM") }
        return source
    }

    private static let clauses: [StaticString] = [
        "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "USING", "WITH", "BIND", "FOR", "UPDATE", "ALL",
    ]

    private mutating func parseGroups(into query: inout SOQLQuery) throws(SOQLSyntaxError) {
        guard try take(keyword: "GROUP") else { return }
        try expect(keyword: "BY")
        repeat {
            query.groupBy.append(try parseExpression())
        } while try take(.comma)
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
            try expect(keyword: "LAST")
            ordering.nulls = .last
        }
        return ordering
    }

    private mutating func parseCount() throws(SOQLSyntaxError) -> SOQLCount {
        let position = token.position
        if token.kind == .colon { throw unsupported("a bind variable, which is Apex,") }
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
}

// MARK: - The select list

extension Parser {
    private mutating func parseSelectList() throws(SOQLSyntaxError) -> [SOQLSelectItem] {
        var items: [SOQLSelectItem] = []
        repeat {
            let item = try parseSelectItem()
            if case .count = item, !items.isEmpty || token.kind == .comma {
                throw SOQLSyntaxError(
                    message: "COUNT() stands alone in a select list", position: item.position, token: "COUNT")
            }
            items.append(item)
        } while try take(.comma)
        return items
    }

    private mutating func parseSelectItem() throws(SOQLSyntaxError) -> SOQLSelectItem {
        if token.kind == .leftParenthesis { return .children(try parseChildQuery()) }
        let isTypeof = isAt("TYPEOF")
        let typeof = isTypeof ? unsupported("TYPEOF") : nil
        let expression = try parseExpression()
        if let typeof, token.kind == .name, !isAt("FROM") { throw typeof }
        if case .call(let call) = expression, call.aggregate == .count, call.argument == nil {
            return .count(position: SOQLUncompared(wrappedValue: call.position))
        }
        guard !isAt("AS") else { throw error("an alias in a select list is written without AS") }
        guard token.kind == .name, !isAt("FROM") else { return .field(expression, alias: nil) }
        return .field(expression, alias: try parseName("an alias"))
    }

    /// A query in parentheses.
    private mutating func parseChildQuery() throws(SOQLSyntaxError) -> SOQLChildQuery {
        let position = token.position
        try advance()
        let query = try nested { parser throws(SOQLSyntaxError) in try parser.parseQuery() }
        guard token.kind == .rightParenthesis else { throw token.kind == .end ? unexpected("')'") : endExpected() }
        try advance()
        return SOQLChildQuery(query, position: position)
    }
}

// MARK: - Names and expressions

extension Parser {
    /// A field, or a function of one.
    mutating func parseExpression() throws(SOQLSyntaxError) -> SOQLExpression {
        let start = self
        let path = try parsePath("a field")
        guard token.kind == .leftParenthesis, path.parts.count == 1 else { return .path(path) }
        let name = path.last.uppercased()
        guard !Parser.unsupportedFunctions.contains(name) else { throw start.unsupported("\(name)()") }
        try advance()
        var call = SOQLCall(path.last, nil, position: path.position)
        if token.kind != .rightParenthesis {
            call.argument = try nested { parser throws(SOQLSyntaxError) in try parser.parseExpression() }
        }
        try expect(.rightParenthesis, "')'")
        return .call(call)
    }

    private static let unsupportedFunctions: Set<String> = ["FIELDS", "DISTANCE", "GEOLOCATION", "ROLLUP", "CUBE"]

    private mutating func parsePath(_ expected: String) throws(SOQLSyntaxError) -> SOQLPath {
        guard token.kind == .name, !isReserved else { throw unexpected(expected) }
        let parts = text.split(separator: ".").map(String.init)
        let path = SOQLPath(parts, position: token.position)
        try advance()
        return path
    }

    private mutating func parseName(_ expected: String) throws(SOQLSyntaxError) -> SOQLName {
        guard token.kind == .name, !isReserved, !bytes(of: token).contains(UInt8(ascii: ".")) else {
            throw unexpected(expected)
        }
        let name = SOQLName(text, position: token.position)
        try advance()
        return name
    }

    /// Whether the word is a keyword that cannot be a name.
    private var isReserved: Bool { token.range.count <= 8 && isAt(anyOf: Parser.reserved) }

    private static let reserved: [StaticString] = [
        "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "LIKE", "IN", "NULL", "LIMIT", "TRUE", "FALSE", "INCLUDES",
        "EXCLUDES", "HAVING", "ASC", "DESC", "NULLS", "USING", "WITH", "AS",
    ]
}
