// SPDX-License-Identifier: Apache-2.0

extension Parser {
    mutating func parseSelectList() throws(SOQLSyntaxError) -> [SOQLSelectItem] {
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
        if token.kind == .leftParenthesis {
            let children = try parseChildQuery()
            return .children(children, alias: try parseSelectAlias())
        }
        if isAt("TYPEOF"), ahead()?.isAtName == true, ahead(2)?.isAt("WHEN") == true {
            return .typeof(try parseTypeof())
        }
        if isAt("FIELDS"), isAtCall { return .fields(try parseFieldGroup()) }
        let expression = try parseExpression()
        if case .call(let call) = expression, call.aggregate == .count, call.argument == nil {
            return .count(position: SOQLUncompared(wrappedValue: call.position))
        }
        return .field(expression, alias: try parseSelectAlias())
    }

    private mutating func parseSelectAlias() throws(SOQLSyntaxError) -> SOQLName? {
        guard !isAt("AS") else { throw error("an alias in a select list is written without AS") }
        guard token.kind == .name, !isAt("FROM") else { return nil }
        return try parseAlias()
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

    private mutating func parseFieldGroup() throws(SOQLSyntaxError) -> SOQLPlaced<SOQLFieldGroup> {
        let position = token.position
        try advance()
        try expect(.leftParenthesis, "'('")
        guard let group = try take(SOQLFieldGroup.self) else { throw unexpected("ALL, STANDARD or CUSTOM") }
        try expect(.rightParenthesis, "')'")
        return SOQLPlaced(group, position: position)
    }

    // MARK: TYPEOF

    private mutating func parseTypeof() throws(SOQLSyntaxError) -> SOQLTypeof {
        let position = token.position
        try advance()
        var typeof = SOQLTypeof(try parsePath("a relationship"), [], position: position)
        while try take(keyword: "WHEN") {
            let object = try parseName("an object")
            try expect(keyword: "THEN")
            typeof.branches.append(SOQLTypeof.Branch(object, try parseFields()))
        }
        if try take(keyword: "ELSE") { typeof.otherwise = try parseFields() }
        guard try take(keyword: "END") else {
            throw unexpected(typeof.otherwise.isEmpty ? "',', WHEN, ELSE or END" : "',' or END")
        }
        return typeof
    }

    private mutating func parseFields() throws(SOQLSyntaxError) -> [SOQLExpression] {
        var fields: [SOQLExpression] = []
        repeat {
            fields.append(try parseExpression())
        } while try take(.comma)
        return fields
    }
}
