// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Parser {
    /// Parses a field, a function of a field, or a distance.
    mutating func parseExpression() throws(SOQLSyntaxError) -> SOQLExpression {
        if isAtCall {
            if isAt("DISTANCE") { return .distance(try parseDistance()) }
            if isAt("GEOLOCATION") { throw error("GEOLOCATION() is allowed only inside DISTANCE()") }
            if isAt("FIELDS") { throw error("FIELDS() is allowed only as an item of a select list") }
        }
        let path = try parsePath("a field")
        guard path.parts.count == 1, try take(.leftParenthesis) else { return .path(path) }
        var call = SOQLCall(path.last, nil, position: path.position)
        if token.kind != .rightParenthesis {
            call.argument = try nested { parser throws(SOQLSyntaxError) in try parser.parseExpression() }
        }
        try expect(.rightParenthesis, "')'")
        return .call(call)
    }

    /// Whether the current name is a special function with a parenthesis after it.
    var isAtCall: Bool {
        isAt(anyOf: ["DISTANCE", "GEOLOCATION", "FIELDS"]) && ahead()?.token.kind == .leftParenthesis
    }

    private mutating func parseDistance() throws(SOQLSyntaxError) -> SOQLDistance {
        let position = token.position
        try advance()
        try expect(.leftParenthesis, "'('")
        let field = try parsePath("a field")
        try expect(.comma, "','")
        try expect(keyword: "GEOLOCATION")
        try expect(.leftParenthesis, "'('")
        let latitude = try takeNumber()
        try expect(.comma, "','")
        let longitude = try takeNumber()
        try expect(.rightParenthesis, "')'")
        try expect(.comma, "','")
        let unit = try parseUnit()
        try expect(.rightParenthesis, "')'")
        return SOQLDistance(field, latitude: latitude, longitude: longitude, unit, position: position)
    }

    private mutating func parseUnit() throws(SOQLSyntaxError) -> SOQLDistance.Unit {
        let word = token
        guard word.kind == .string, let unit = SOQLDistance.Unit(rawValue: text.dropFirst().dropLast().lowercased())
        else { throw unexpected("'mi' or 'km'") }
        try advance()
        return unit
    }

    // MARK: Names

    mutating func parsePath(_ expected: String) throws(SOQLSyntaxError) -> SOQLPath {
        guard isAtName else { throw unexpected(expected) }
        let parts = text.split(byte: ".").map(String.init)
        let path = SOQLPath(parts, position: token.position)
        try advance()
        return path
    }

    mutating func parseName(_ expected: String) throws(SOQLSyntaxError) -> SOQLName {
        guard isAtName, !bytes(of: token).contains(UInt8(ascii: ".")) else {
            throw unexpected(expected)
        }
        let name = SOQLName(text, position: token.position)
        try advance()
        return name
    }

    /// Parses an alias, which must not be GROUP.
    mutating func parseAlias() throws(SOQLSyntaxError) -> SOQLName {
        guard !isAt("GROUP") else { throw unexpected("an alias") }
        return try parseName("an alias")
    }

    var isAtName: Bool { token.kind == .name && (token.range.count > 8 || !isAt(anyOf: Parser.reserved)) }

    private static let reserved: [StaticString] = [
        "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "LIKE", "IN", "NULL", "LIMIT", "TRUE", "FALSE", "INCLUDES",
        "EXCLUDES", "HAVING", "ASC", "DESC", "NULLS", "USING", "WITH", "AS", "FIRST", "LAST", "BY", "FOR", "UPDATE",
        "ELSE", "LOOKUP", "BIND", "ROLLUP", "CUBE",
    ]
}

extension Parser {
    mutating func parseLiteral() throws(SOQLSyntaxError) -> SOQLValue {
        let position = token.position
        let literal: SOQLLiteral
        switch token.kind {
        case .string: literal = .string(try takeString())
        case .integer, .decimal, .plus, .minus: literal = .number(try takeNumber())
        case .date, .time, .dateTime: literal = try takeCalendar()
        case .currency: literal = try takeCurrency()
        case .name: literal = try takeWord()
        case .colon: throw bindVariable()
        default: throw unexpected("a literal")
        }
        return SOQLValue(literal, position: position)
    }

    mutating func takeNumber() throws(SOQLSyntaxError) -> SOQLNumber {
        let sign = try takeSign() ? "-" : ""
        guard token.kind == .integer || token.kind == .decimal else { throw unexpected("a number") }
        let number = SOQLNumber(scanned: sign + text)
        try advance()
        return number
    }

    private mutating func takeCurrency() throws(SOQLSyntaxError) -> SOQLLiteral {
        let amount = SOQLNumber(scanned: String(text.dropFirst(3)))
        guard let currency = SOQLCurrency(code: String(text.prefix(3)), amount: amount) else {
            throw unexpected("a literal")
        }
        try advance()
        return .currency(currency)
    }

    /// Parses TRUE, FALSE, NULL, a date formula, or an amount without a fraction.
    private mutating func takeWord() throws(SOQLSyntaxError) -> SOQLLiteral {
        if try take(keyword: "TRUE") { return .boolean(true) }
        if try take(keyword: "FALSE") { return .boolean(false) }
        if try take(keyword: "NULL") { return .null }
        if let needsNumber = SOQLDateFormula.needsNumber(name: text) {
            return .formula(try takeFormula(needsNumber: needsNumber))
        }
        guard bytes(of: token).isAmount else { throw unexpected("a literal") }
        return try takeCurrency()
    }

    private mutating func takeFormula(needsNumber: Bool) throws(SOQLSyntaxError) -> SOQLDateFormula {
        let name = text
        let start = self
        try advance()
        var number: Int?
        if token.kind == .colon {
            guard needsNumber else { throw error("\(name.uppercased()) takes no number") }
            try advance()
            // bounded: by the code that uses the tree
            guard token.kind == .integer, let value = Int(text) else { throw unexpected("a number of days, weeks …") }
            number = value
            try advance()
        }
        guard let formula = SOQLDateFormula(name: name, n: number) else {
            throw start.error("\(name.uppercased()) needs a number: \(name.uppercased()):n")
        }
        return formula
    }

    private mutating func takeCalendar() throws(SOQLSyntaxError) -> SOQLLiteral {
        let reader = CalendarReader(bytes: Array(bytes(of: token)))
        let literal: SOQLLiteral =
            switch token.kind {
            case .date: .date(reader.date)
            case .time: .time(reader.time(at: 0))
            default: .dateTime(reader.dateTime)
            }
        try advance()
        return literal
    }
}

/// Parses the digits of a date or time whose shape the lexer has checked.
private struct CalendarReader {
    let bytes: [UInt8]

    private func number(_ range: Range<Int>) -> Int {
        bytes[range].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    var date: SOQLDate { SOQLDate(year: number(0..<4), month: number(5..<7), day: number(8..<10)) }

    func time(at start: Int) -> SOQLTime {
        var time = SOQLTime(
            hour: number(start..<start + 2), minute: number(start + 3..<start + 5),
            second: number(start + 6..<start + 8))
        guard bytes[start + 8] == UInt8(ascii: ".") else { return time }
        var unit = 100_000_000
        for byte in bytes[(start + 9)...].prefix(9) {
            guard byte.isASCIIDigit else { break }
            time.nanosecond += Int(byte & 0x0F) * unit
            unit /= 10
        }
        return time
    }

    var dateTime: SOQLDateTime {
        SOQLDateTime(date: date, time: time(at: 11), offsetMinutes: offsetMinutes)
    }

    private var offsetMinutes: Int {
        guard bytes[bytes.count - 1].isASCIIDigit else { return 0 }
        let minutes = number(bytes.count - 2..<bytes.count)
        let hasColon = bytes[bytes.count - 3] == UInt8(ascii: ":")
        let hoursStart = bytes.count - (hasColon ? 5 : 4)
        let total = number(hoursStart..<hoursStart + 2) * 60 + minutes
        return bytes[hoursStart - 1] == UInt8(ascii: "-") ? -total : total
    }
}

extension Parser {
    mutating func parseSelectList() throws(SOQLSyntaxError) -> [SOQLSelectItem] {
        var items: [SOQLSelectItem] = []
        repeat {
            let item = try parseSelectItem()
            if case .count = item, !items.isEmpty || token.kind == .comma {
                throw SOQLSyntaxError(
                    message: "COUNT() must be the only item of a select list", position: item.position, token: "COUNT")
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
