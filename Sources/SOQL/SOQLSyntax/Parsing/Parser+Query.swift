// SPDX-License-Identifier: Apache-2.0
extension Parser {
    /// Parses from SELECT to the last clause.
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

    /// Whether the token begins a clause and is not used as an alias.
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
        // bounded: by the code that uses the tree
        guard let value = Int(digits) else { throw error("the number is too large: '\(text)'") }
        try advance()
        return SOQLCount(value, position: position)
    }

    /// Takes a sign and returns whether it is a minus.
    mutating func takeSign() throws(SOQLSyntaxError) -> Bool {
        if try take(.minus) { return true }
        _ = try take(.plus)
        return false
    }

    /// Parses the clauses after OFFSET: `FOR VIEW`, `UPDATE …`, `FOR UPDATE` and `ALL ROWS`, in this order.
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

extension Parser {
    mutating func takeString() throws(SOQLSyntaxError) -> String {
        var decoder = StringDecoder(bytes: bytes(of: token), position: token.position)
        let text = try decoder.decodeText()
        try advance()
        return text
    }

    mutating func parsePattern() throws(SOQLSyntaxError) -> SOQLPattern {
        guard token.kind == .string else { throw unexpected("a string") }
        var decoder = StringDecoder(bytes: bytes(of: token), position: token.position)
        let pattern = try decoder.decodePattern()
        try advance()
        return pattern
    }
}

/// Resolves the escapes between the quotes of a string that the lexer has found.
private struct StringDecoder {
    private let bytes: ArraySlice<UInt8>
    private let start: SOQLPosition
    private var index: Int
    private var pending: [UInt8] = []

    init(bytes: ArraySlice<UInt8>, position: SOQLPosition) {
        self.bytes = bytes.dropFirst().dropLast()
        start = position
        index = self.bytes.startIndex
    }

    mutating func decodeText() throws(SOQLSyntaxError) -> String {
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "\\") { try decodeEscape() } else { copyByte() }
        }
        return takePending()
    }

    mutating func decodePattern() throws(SOQLSyntaxError) -> SOQLPattern {
        var pattern = SOQLPattern([], position: start)
        while index < bytes.endIndex {
            switch (bytes[index], index + 1 < bytes.endIndex ? bytes[index + 1] : 0) {
            case (UInt8(ascii: "%"), _): append(.anyRun, to: &pattern)
            case (UInt8(ascii: "_"), _): append(.anyOne, to: &pattern)
            case (UInt8(ascii: "\\"), UInt8(ascii: "%")), (UInt8(ascii: "\\"), UInt8(ascii: "_")):
                index += 1
                copyByte()
            case (UInt8(ascii: "\\"), _): try decodeEscape()
            default: copyByte()
            }
        }
        pattern.append(.text(takePending()))
        return pattern
    }

    private mutating func append(_ wildcard: SOQLPattern.Element, to pattern: inout SOQLPattern) {
        pattern.append(.text(takePending()))
        pattern.append(wildcard)
        index += 1
    }

    private mutating func copyByte() {
        pending.append(bytes[index])
        index += 1
    }

    private mutating func takePending() -> String {
        defer { pending.removeAll(keepingCapacity: true) }
        return String(decoding: pending, as: UTF8.self)
    }

    private mutating func decodeEscape() throws(SOQLSyntaxError) {
        guard index + 1 < bytes.endIndex else { throw invalidEscape(at: index) }
        switch bytes[index + 1] {
        case UInt8(ascii: "n"), UInt8(ascii: "N"): pending.append(0x0A)
        case UInt8(ascii: "r"), UInt8(ascii: "R"): pending.append(0x0D)
        case UInt8(ascii: "t"), UInt8(ascii: "T"): pending.append(0x09)
        case UInt8(ascii: "b"), UInt8(ascii: "B"): pending.append(0x08)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): pending.append(bytes[index + 1])
        case UInt8(ascii: "u"), UInt8(ascii: "U"): return try decodeUnicodeEscape()
        default: throw invalidEscape(at: index)
        }
        index += 2
    }

    /// Decodes `\uXXXX`, or two of them that form one character above U+FFFF.
    private mutating func decodeUnicodeEscape() throws(SOQLSyntaxError) {
        let escape = index
        var value = try takeCodeUnit(blaming: escape)
        if value & 0xFC00 == 0xD800 {
            let low = try takeCodeUnit(blaming: escape)
            guard low & 0xFC00 == 0xDC00 else { throw invalidEscape(at: escape) }
            value = 0x10000 + (value & 0x3FF) << 10 + (low & 0x3FF)
        }
        guard let scalar = Unicode.Scalar(value) else { throw invalidEscape(at: escape) }
        pending.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }

    private mutating func takeCodeUnit(blaming escape: Int) throws(SOQLSyntaxError) -> UInt32 {
        guard index + 6 <= bytes.endIndex, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] | 0x20 == UInt8(ascii: "u"), bytes[(index + 2)..<(index + 6)].allSatisfy(\.isHexadecimal),
            // bounded: four digits
            let value = UInt32(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
        else { throw invalidEscape(at: escape) }
        index += 6
        return value
    }

    private func invalidEscape(at index: Int) -> SOQLSyntaxError {
        var position = start
        let before = bytes[..<index]
        position.offset += 1 + before.count
        position.column += 1 + before.count { $0 & 0xC0 != 0x80 }
        let token = String(decoding: bytes[index...].prefix(2), as: UTF8.self)
        return SOQLSyntaxError(message: "Invalid Escape Character: '\(token)'", position: position, token: token)
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        isASCIIDigit || (isASCIILetter && self | 0x20 <= UInt8(ascii: "f"))
    }
}
