// SPDX-License-Identifier: Apache-2.0

/// Splits the text of a query into tokens.
struct Lexer {
    private var scanner: SOQLScanner

    init(_ text: String) {
        scanner = SOQLScanner(text, hasComments: false, hasBraces: false)
    }

    var bytes: [UInt8] { scanner.bytes }

    mutating func next() throws(SOQLSyntaxError) -> Token {
        guard let span = scanner.scan() else {
            return Token(kind: .end, range: scanner.offset..<scanner.offset, position: scanner.position)
        }
        let start = span.range.lowerBound
        var (kind, end) = (Token.Kind.unknown, span.range.upperBound)
        switch span.kind {
        case .string where span.isClosed: kind = .string
        case .string:
            let isCut = end < bytes.count
            throw SOQLSyntaxError(
                message: isCut ? "a string must end on the line on which it begins" : "the string is not closed",
                position: span.position, token: "'")
        case .sign(let byte):
            kind = sign(byte)
            end = scanner.offset
        case .number: (kind, end) = try number(span)
        case .word where bytes[start] == UInt8(ascii: ".") && byte(start + 1).isASCIIDigit:
            (kind, end) = try number(span)
        case .word: (kind, end) = name(span.range)
        case .lineComment, .blockComment, .braces: break
        }
        if end != scanner.offset { scanner.restart(span, behind: end - start) }
        return Token(kind: kind, range: start..<end, position: span.position)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The byte at an index, or 0 after the end, because a zero byte in the text begins no token.
    private func byte(_ index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private mutating func sign(_ byte: UInt8) -> Token.Kind {
        switch byte {
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "("): return .leftParenthesis
        case UInt8(ascii: ")"): return .rightParenthesis
        case UInt8(ascii: ":"): return .colon
        case UInt8(ascii: "+"): return .plus
        case UInt8(ascii: "-"): return .minus
        case UInt8(ascii: "="): return .comparison(.equal)
        case UInt8(ascii: "!"): return scanner.take(UInt8(ascii: "=")) ? .comparison(.notEqual) : .unknown
        case UInt8(ascii: "<"):
            if scanner.take(UInt8(ascii: ">")) { return .comparison(.notEqual) }
            return .comparison(scanner.take(UInt8(ascii: "=")) ? .lessOrEqual : .less)
        case UInt8(ascii: ">"):
            return .comparison(scanner.take(UInt8(ascii: "=")) ? .greaterOrEqual : .greater)
        default: return .unknown
        }
    }
}

// MARK: - Names

extension Lexer {
    /// Returns the name, the amount or the unknown character at the start of a word.
    private func name(_ word: Range<Int>) -> (Token.Kind, end: Int) {
        var end = bytes.identifierEnd(in: word)
        guard end > word.lowerBound else {
            repeat { end += 1 } while end < word.upperBound && bytes[end] & 0xC0 == 0x80
            return (.unknown, end)
        }
        if byte(end) == UInt8(ascii: "."), byte(end + 1).isASCIIDigit, bytes[word.lowerBound..<end].isAmount {
            return (.currency, digitsEnd(end + 1))
        }
        while end < word.upperBound, bytes[end] == UInt8(ascii: ".") {
            let next = bytes.identifierEnd(in: end + 1..<word.upperBound)
            guard next > end + 1 else { break }
            end = next
        }
        return (.name, end)
    }

    private func digitsEnd(_ start: Int) -> Int {
        var end = start
        while byte(end).isASCIIDigit { end += 1 }
        return end
    }
}

extension [UInt8] {
    /// The end of the name without dots at the start of a range, or the start if there is no name.
    fileprivate func identifierEnd(in range: Range<Int>) -> Int {
        var end = range.lowerBound
        while end < range.upperBound {
            let byte = self[end]
            if byte < 0x80 {
                let isFirst = end == range.lowerBound
                guard byte.isASCIILetter || (!isFirst && (byte.isASCIIDigit || byte == UInt8(ascii: "_"))) else {
                    break
                }
                end += 1
            } else {
                var next = end + 1
                while next < range.upperBound, self[next] & 0xC0 == 0x80 { next += 1 }
                let scalar = String(decoding: self[end..<next], as: UTF8.self).unicodeScalars.first
                guard scalar?.properties.isAlphabetic == true else { break }
                end = next
            }
        }
        return end
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are a currency code and digits, as in `USD5000`.
    var isAmount: Bool {
        count > 3 && prefix(3).allSatisfy(\.isASCIILetter) && dropFirst(3).allSatisfy(\.isASCIIDigit)
    }

    /// Whether the bytes are a name or a dotted path of names.
    var isPath: Bool {
        split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { name in
            !name.isEmpty && Array(name).identifierEnd(in: 0..<name.count) == name.count
        }
    }
}

// MARK: - Numbers, dates and times

extension Lexer {
    private func number(_ span: SOQLScanner.Span) throws(SOQLSyntaxError) -> (Token.Kind, end: Int) {
        let start = span.range.lowerBound
        if let (kind, end) = calendar(start) {
            guard !isGlued(end) else { throw malformed("date or time", span) }
            return (kind, end)
        }
        var (kind, end) = (Token.Kind.integer, digitsEnd(start))
        if byte(end) == UInt8(ascii: ".") {
            guard byte(end + 1).isASCIIDigit else { throw malformed("number", span) }
            (kind, end) = (.decimal, digitsEnd(end + 1))
        }
        guard !isGlued(end) else { throw malformed("number", span) }
        return (kind, end)
    }

    /// Whether a character of a name or a point follows directly, as in `10L`.
    private func isGlued(_ end: Int) -> Bool {
        if byte(end) == UInt8(ascii: ".") || byte(end) == UInt8(ascii: "_") || byte(end).isASCIIDigit { return true }
        return end < bytes.count && bytes.identifierEnd(in: end..<min(end + 4, bytes.count)) > end
    }

    /// The error of a malformed number, whose token ends at the next space or punctuation.
    private func malformed(_ what: String, _ span: SOQLScanner.Span) -> SOQLSyntaxError {
        let rest = bytes[span.range.lowerBound...]
        let end = rest.firstIndex { !$0.isASCIIDigit && !$0.isASCIILetter && !".:+-_".utf8.contains($0) }
        let token = text(span.range.lowerBound..<(end ?? bytes.count))
        return SOQLSyntaxError(message: "malformed \(what): '\(token)'", position: span.position, token: token)
    }

    /// The kind and end of the date, time or datetime at an index, or `nil` if there is none.
    private func calendar(_ start: Int) -> (Token.Kind, end: Int)? {
        if let end = timeEnd(start), byte(end) | 0x20 == UInt8(ascii: "z") { return (.time, end + 1) }
        guard matches("dddd-dd-dd", at: start) else { return nil }
        guard byte(start + 10) | 0x20 == UInt8(ascii: "t"), let time = timeEnd(start + 11), let end = zoneEnd(time)
        else {
            return (.date, start + 10)  // A `T` that begins no time is then a letter glued to the date.
        }
        return (.dateTime, end)
    }

    private func timeEnd(_ start: Int) -> Int? {
        guard matches("dd:dd:dd", at: start) else { return nil }
        let end = start + 8
        return byte(end) == UInt8(ascii: ".") && byte(end + 1).isASCIIDigit ? digitsEnd(end + 1) : end
    }

    private func zoneEnd(_ start: Int) -> Int? {
        if byte(start) | 0x20 == UInt8(ascii: "z") { return start + 1 }
        guard byte(start) == UInt8(ascii: "+") || byte(start) == UInt8(ascii: "-") else { return nil }
        if matches("dd:dd", at: start + 1) { return start + 6 }
        return matches("dddd", at: start + 1) ? start + 5 : nil
    }

    /// Whether the bytes at an index match a shape, in which `d` is a digit.
    private func matches(_ shape: StaticString, at start: Int) -> Bool {
        var index = start
        for expected in shape.description.utf8 {
            let byte = byte(index)
            guard expected == UInt8(ascii: "d") ? byte.isASCIIDigit : byte == expected else { return false }
            index += 1
        }
        return true
    }
}

struct Token {
    enum Kind: Hashable {
        case name
        /// An amount such as `USD5000.50`.
        ///
        /// Without a fraction, it looks like a name and is a name here.
        case currency
        case string, integer, decimal, date, time, dateTime
        case comma, leftParenthesis, rightParenthesis, colon, plus, minus
        case comparison(SOQLOperator)
        /// A character that begins no token.
        case unknown
        case end
    }

    let kind: Kind
    /// The bytes in the text.
    let range: Range<Int>
    let position: SOQLPosition
}
