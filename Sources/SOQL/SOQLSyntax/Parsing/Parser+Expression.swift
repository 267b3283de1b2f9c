// SPDX-License-Identifier: Apache-2.0

import RestText

extension Parser {
    /// A field, a function of one, or a distance.
    mutating func parseExpression() throws(SOQLSyntaxError) -> SOQLExpression {
        if isAtCall {
            if isAt("DISTANCE") { return .distance(try parseDistance()) }
            if isAt("GEOLOCATION") { throw error("GEOLOCATION() stands inside DISTANCE()") }
            if isAt("FIELDS") { throw error("FIELDS() stands on its own in a select list") }
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

    /// Whether a parenthesis follows the name that stands here.
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

    /// An alias, which has one reserved word more.
    mutating func parseAlias() throws(SOQLSyntaxError) -> SOQLName {
        guard !isAt("GROUP") else { throw unexpected("an alias") }
        return try parseName("an alias")
    }

    /// Whether the word is a name, and no keyword that cannot be one.
    var isAtName: Bool { token.kind == .name && (token.range.count > 8 || !isAt(anyOf: Parser.reserved)) }

    private static let reserved: [StaticString] = [
        "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "LIKE", "IN", "NULL", "LIMIT", "TRUE", "FALSE", "INCLUDES",
        "EXCLUDES", "HAVING", "ASC", "DESC", "NULLS", "USING", "WITH", "AS", "FIRST", "LAST", "BY", "FOR", "UPDATE",
        "ELSE", "LOOKUP", "BIND", "ROLLUP", "CUBE",
    ]
}
