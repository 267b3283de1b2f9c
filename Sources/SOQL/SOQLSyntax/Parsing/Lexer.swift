// SPDX-License-Identifier: Apache-2.0

/// Cuts the text of a query into words, one at a time.
struct Lexer {
    let bytes: [UInt8]
    private(set) var position = SOQLPosition.start

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var offset: Int { position.offset }

    /// The byte some way ahead; 0 past the end. (A zero byte of the text begins no word, so it does no harm.)
    func peek(_ distance: Int = 0) -> UInt8 {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : 0
    }

    /// Steps over bytes, keeping line and column.
    mutating func advance(_ count: Int = 1) {
        for _ in 0..<min(count, bytes.count - offset) {
            let byte = bytes[offset]
            position.offset += 1
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && peek() != UInt8(ascii: "\n")) {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
    }

    /// The next word.
    mutating func next() throws(SOQLSyntaxError) -> Token {
        while offset < bytes.count, peek().isSOQLBlank { advance() }
        let start = position
        guard offset < bytes.count else { return Token(kind: .end, range: offset..<offset, position: start) }
        let kind = try scan(from: start)
        return Token(kind: kind, range: start.offset..<offset, position: start)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private mutating func scan(from start: SOQLPosition) throws(SOQLSyntaxError) -> Token.Kind {
        let byte = peek()
        if byte.isASCIIDigit || (byte == UInt8(ascii: ".") && peek(1).isASCIIDigit) {
            return try scanNumber(from: start)
        }
        if byte == UInt8(ascii: "'") { return try scanString(from: start) }
        if scalarLength(asFirst: true) > 0 { return scanName() }
        return scanSymbol()
    }

    private mutating func scanSymbol() -> Token.Kind {
        let (kind, length) = symbol()
        advance(length)
        return kind
    }

    private func symbol() -> (Token.Kind, length: Int) {
        switch (peek(), peek(1)) {
        case (UInt8(ascii: ","), _): (.comma, 1)
        case (UInt8(ascii: "("), _): (.leftParenthesis, 1)
        case (UInt8(ascii: ")"), _): (.rightParenthesis, 1)
        case (UInt8(ascii: ":"), _): (.colon, 1)
        case (UInt8(ascii: "+"), _): (.plus, 1)
        case (UInt8(ascii: "-"), _): (.minus, 1)
        case (UInt8(ascii: "="), _): (.comparison(.equal), 1)
        case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")):
            (.comparison(.notEqual), 2)
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): (.comparison(.lessOrEqual), 2)
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): (.comparison(.greaterOrEqual), 2)
        case (UInt8(ascii: "<"), _): (.comparison(.less), 1)
        case (UInt8(ascii: ">"), _): (.comparison(.greater), 1)
        default: (.unknown, scalarWidth)
        }
    }

    /// The number of bytes of the character here.
    private var scalarWidth: Int {
        var width = 1
        while offset + width < bytes.count, bytes[offset + width] & 0xC0 == 0x80 { width += 1 }
        return width
    }

    /// The number of bytes of the character here if a name can begin (or go on) with it, else 0.
    private func scalarLength(asFirst: Bool) -> Int {
        let byte = peek()
        if byte.isASCIILetter { return 1 }
        if byte < 0x80 { return !asFirst && (byte.isASCIIDigit || byte == UInt8(ascii: "_")) ? 1 : 0 }
        let width = scalarWidth
        let scalar = text(offset..<offset + width).unicodeScalars.first
        return scalar?.properties.isAlphabetic == true ? width : 0
    }
}

// MARK: - Names, numbers and strings

extension Lexer {
    /// Whether the word just read is followed at once by a character of a name, as in `10L`.
    var isGluedToName: Bool {
        scalarLength(asFirst: false) > 0
    }

    private mutating func scanName() -> Token.Kind {
        let start = offset
        scanIdentifier()
        if isCurrency(start), peek() == UInt8(ascii: "."), peek(1).isASCIIDigit {
            advance()
            skipDigits()
            return .currency
        }
        while peek() == UInt8(ascii: ".") {
            let dot = position
            advance()
            guard scalarLength(asFirst: true) > 0 else {
                position = dot
                break
            }
            scanIdentifier()
        }
        return .name
    }

    private mutating func scanIdentifier() {
        while case let length = scalarLength(asFirst: false), length > 0 { advance(length) }
    }

    /// Whether the word read since `start` is three letters and digits.
    private func isCurrency(_ start: Int) -> Bool {
        let word = bytes[start..<offset]
        return word.count > 3 && word.prefix(3).allSatisfy(\.isASCIILetter)
            && word.dropFirst(3).allSatisfy(\.isASCIIDigit)
    }

    private mutating func skipDigits() {
        while peek().isASCIIDigit { advance() }
    }

    private mutating func scanNumber(from start: SOQLPosition) throws(SOQLSyntaxError) -> Token.Kind {
        if let kind = scanCalendar() {
            return try finished(kind, from: start)
        }
        skipDigits()
        guard peek() == UInt8(ascii: ".") else { return try finished(.integer, from: start) }
        advance()
        guard peek().isASCIIDigit else { throw malformed("number", from: start) }
        skipDigits()
        return try finished(.decimal, from: start)
    }

    private mutating func finished(_ kind: Token.Kind, from start: SOQLPosition) throws(SOQLSyntaxError) -> Token.Kind {
        guard !isGluedToName, peek() != UInt8(ascii: ".") else {
            throw malformed(kind == .integer || kind == .decimal ? "number" : "date or time", from: start)
        }
        return kind
    }

    /// A word that is not finished as it should be, up to the next blank or punctuation.
    private func malformed(_ what: String, from start: SOQLPosition) -> SOQLSyntaxError {
        var end = offset
        while end < bytes.count,
            bytes[end].isASCIIDigit || bytes[end].isASCIILetter || ".:+-_".utf8.contains(bytes[end])
        {
            end += 1
        }
        let token = text(start.offset..<end)
        return SOQLSyntaxError(message: "malformed \(what): '\(token)'", position: start, token: token)
    }

    private mutating func scanString(from start: SOQLPosition) throws(SOQLSyntaxError) -> Token.Kind {
        advance()
        while offset < bytes.count {
            switch peek() {
            case UInt8(ascii: "'"):
                advance()
                return .string
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw SOQLSyntaxError(message: "a string ends on the line it begins on", position: start, token: "'")
            case UInt8(ascii: "\\"): advance(2)
            default: advance()
            }
        }
        throw SOQLSyntaxError(message: "the string is not closed", position: start, token: "'")
    }
}

// MARK: - Dates and times

extension Lexer {
    /// Steps over a date, time or datetime; `nil`, and nothing stepped over, when none stands here.
    private mutating func scanCalendar() -> Token.Kind? {
        if let length = timeLength(at: 0), peek(length) | 0x20 == UInt8(ascii: "z") {
            advance(length + 1)
            return .time
        }
        guard matches("dddd-dd-dd", at: 0) else { return nil }
        guard peek(10) | 0x20 == UInt8(ascii: "t"), let length = timeLength(at: 11),
            let zone = zoneLength(at: 11 + length)
        else {
            advance(10)  // A `T` that begins no time is then a letter glued to the date, which is refused.
            return .date
        }
        advance(11 + length + zone)
        return .dateTime
    }

    private func timeLength(at distance: Int) -> Int? {
        guard matches("dd:dd:dd", at: distance) else { return nil }
        var length = 8
        guard peek(distance + length) == UInt8(ascii: "."), peek(distance + length + 1).isASCIIDigit else {
            return length
        }
        length += 1
        while peek(distance + length).isASCIIDigit { length += 1 }
        return length
    }

    private func zoneLength(at distance: Int) -> Int? {
        if peek(distance) | 0x20 == UInt8(ascii: "z") { return 1 }
        guard peek(distance) == UInt8(ascii: "+") || peek(distance) == UInt8(ascii: "-") else { return nil }
        if matches("dd:dd", at: distance + 1) { return 6 }
        return matches("dddd", at: distance + 1) ? 5 : nil
    }

    /// Whether the bytes ahead have this shape, `d` being a digit.
    private func matches(_ shape: StaticString, at distance: Int) -> Bool {
        var index = distance
        for expected in shape.description.utf8 {
            let byte = peek(index)
            guard expected == UInt8(ascii: "d") ? byte.isASCIIDigit : byte == expected else { return false }
            index += 1
        }
        return true
    }
}

/// One word of a query.
struct Token {
    enum Kind: Hashable {
        /// A name or a dotted path of names.
        case name
        /// `USD5000.50`; without a fraction it looks like a name and is one here.
        case currency
        case string, integer, decimal, date, time, dateTime
        case comma, leftParenthesis, rightParenthesis, colon, plus, minus
        case comparison(SOQLOperator)
        /// A character that begins no word of the language.
        case unknown
        case end
    }

    let kind: Kind
    /// Its bytes in the text.
    let range: Range<Int>
    let position: SOQLPosition
}

extension UInt8 {
    var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isASCIILetter: Bool {
        let lower = self | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    var isSOQLBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
