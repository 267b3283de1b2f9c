// SPDX-License-Identifier: Apache-2.0

/// Divides a text in the query language into words, numbers, quotes, comments, braces and signs.
///
/// It never fails: a quote may be left open, and a sign may be one that the language does not have. The text can come
/// in pieces. A span that may continue in the next piece waits for it, and each byte is read once.
package struct SOQLScanner: Sendable {
    /// A part of a text.
    package struct Span: Sendable, Hashable {
        /// The form of a part.
        package enum Kind: Sendable, Hashable {
            /// Letters, digits, `_`, `.`, `$`, `@` and all characters beyond ASCII.
            case word
            /// A word that begins with a digit: a number, or the first part of a date or a time.
            case number
            /// A text in single quotes, which ends on the line that it begins on.
            case string
            /// A comment to the end of the line, and one between `/*` and `*/`.
            case lineComment, blockComment
            /// The braces after `FIND`, with the text to look for.
            case braces
            /// One byte of another kind, such as `(`.
            case sign(UInt8)
        }

        package let kind: Kind
        /// The UTF-8 bytes of the text.
        package let range: Range<Int>
        /// The position of the first byte.
        package let position: SOQLPosition
        /// Whether the quote, the comment or the braces have their end.
        package let isClosed: Bool
    }

    /// The bytes that are not consumed yet, after some that are.
    private(set) var bytes: [UInt8] = []
    /// The offset of the first of them in the text, the index of the first that is not consumed, and the index up to
    /// which an open span has been read.
    private var (base, next, searched) = (0, 0, 0)
    private var cursor = SOQLCursor()
    private let hasComments: Bool, hasBraces: Bool
    private var isBehindFind = false
    private var isWhole = false

    /// The kind of the span that the text so far ends in, if more text can continue it.
    package private(set) var open: Span.Kind?

    /// A scanner of a text that comes in pieces.
    package init(hasComments: Bool, hasBraces: Bool) {
        (self.hasComments, self.hasBraces) = (hasComments, hasBraces)
    }

    /// A scanner of a whole text.
    package init(_ text: String, hasComments: Bool, hasBraces: Bool) {
        (self.hasComments, self.hasBraces, isWhole) = (hasComments, hasBraces, true)
        bytes = Array(text.utf8)
    }

    /// The offset in the text of the next byte to be read, and its position.
    package var offset: Int { base + next }
    package var position: SOQLPosition { cursor.position }

    /// The bytes of a range of the text, which was not consumed before the last piece came.
    package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[range.lowerBound - base..<range.upperBound - base]
    }

    /// The bytes of the open span.
    package var openBytes: ArraySlice<UInt8> { bytes[next...] }

    /// Adds a piece of the text.
    package mutating func append(_ piece: String) {
        bytes.removeFirst(next)
        (base, searched, next) = (base + next, max(searched - next, 0), 0)
        bytes += piece.utf8
    }

    /// Ends the text, so that an open span is one.
    package mutating func finish() { isWhole = true }

    /// Reads the next span.
    ///
    /// - Returns: the span; `nil` at the end of the text so far, where a span may be open.
    package mutating func scan() -> Span? {
        while next < bytes.count, bytes[next].isSOQLBlank { pass(to: next + 1) }
        open = nil
        guard next < bytes.count else { return nil }
        let kind = kind
        let (end, isClosed) = end(of: kind)
        if end == bytes.count, !isWhole, canContinue(kind, isClosed) {
            open = kind
            return nil
        }
        let range = base + next..<base + end
        let span = Span(kind: kind, range: range, position: cursor.position, isClosed: isClosed)
        if kind != .lineComment, kind != .blockComment {
            isBehindFind = hasBraces && range.count == 4 && bytes[next..<end].isKeyword("FIND")
        }
        pass(to: end)
        return span
    }

    /// Continues after a number of bytes from the start of the last span.
    mutating func restart(_ span: Span, behind count: Int) {
        (next, searched, cursor) = (span.range.lowerBound - base, 0, SOQLCursor(span.position))
        pass(to: next + count)
    }

    /// Takes one byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next < bytes.count, bytes[next] == byte else { return false }
        pass(to: next + 1)
        return true
    }

    private mutating func pass(to end: Int) {
        while next < end {
            cursor.pass(bytes[next])
            next += 1
        }
    }
}

// MARK: - Spans

extension SOQLScanner {
    /// The kind of the span that begins at the next byte.
    private var kind: Span.Kind {
        let byte = bytes[next]
        if byte.isSOQLWord { return byte.isASCIIDigit ? .number : .word }
        if byte == UInt8(ascii: "'") { return .string }
        if byte == UInt8(ascii: "{"), isBehindFind { return .braces }
        guard hasComments, next + 1 < bytes.count else { return .sign(byte) }
        switch (byte, bytes[next + 1]) {
        case (UInt8(ascii: "-"), UInt8(ascii: "-")), (UInt8(ascii: "/"), UInt8(ascii: "/")): return .lineComment
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): return .blockComment
        default: return .sign(byte)
        }
    }

    private func canContinue(_ kind: Span.Kind, _ isClosed: Bool) -> Bool {
        switch kind {
        case .word, .number, .lineComment: true
        case .string, .blockComment, .braces: !isClosed
        case .sign(let byte): hasComments && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/"))
        }
    }

    /// The end of the span that begins at the next byte; an open one is read on from where its reading ended.
    private mutating func end(of kind: Span.Kind) -> (end: Int, isClosed: Bool) {
        switch kind {
        case .sign: return (next + 1, true)
        case .word, .number: return (end(from: next + 1) { !$0.isSOQLWord }, true)
        case .lineComment: return (end(from: next + 2, \.isLineEnd), true)
        case .blockComment:
            var end = max(next + 2, searched)
            while end + 1 < bytes.count {
                if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") { return (end + 2, true) }
                end += 1
            }
            searched = end
            return (bytes.count, false)
        case .string, .braces: return quoteEnd(kind == .string ? UInt8(ascii: "'") : UInt8(ascii: "}"))
        }
    }

    private mutating func end(from start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        var end = max(start, searched)
        while end < bytes.count, !isEnd(bytes[end]) { end += 1 }
        searched = end
        return end
    }

    /// The end of a quoted text; a backslash keeps the byte after it from ending the text, unless the line ends there.
    private mutating func quoteEnd(_ quote: UInt8) -> (end: Int, isClosed: Bool) {
        var end = max(next + 1, searched)
        while end < bytes.count {
            let byte = bytes[end]
            if byte == quote { return (end + 1, true) }
            if byte.isLineEnd, quote == UInt8(ascii: "'") { return (end, false) }
            guard byte == UInt8(ascii: "\\") else {
                end += 1
                continue
            }
            guard end + 1 < bytes.count else { break }
            end += bytes[end + 1].isLineEnd ? 1 : 2
        }
        searched = end
        return (bytes.count, false)
    }
}

/// A position that moves through a text; `\r\n` is one end of a line.
package struct SOQLCursor: Sendable {
    package private(set) var position: SOQLPosition
    private var isBehindReturn = false

    /// A cursor at a position, which is not between the two bytes of a line's end.
    package init(_ position: SOQLPosition = .start) { self.position = position }

    /// Moves behind a byte.
    package mutating func pass(_ byte: UInt8) {
        position.offset += 1
        guard byte.isLineEnd else {
            isBehindReturn = false
            if byte & 0xC0 != 0x80 { position.column += 1 }
            return
        }
        if byte != UInt8(ascii: "\n") || !isBehindReturn { position.line += 1 }
        position.column = 1
        isBehindReturn = byte == UInt8(ascii: "\r")
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isASCIILetter: Bool {
        let lower = self | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    package var isSOQLBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    package var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    /// Whether it is a part of a name or a number, or of what might be one.
    var isSOQLWord: Bool {
        isASCIILetter || isASCIIDigit || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "$") || self == UInt8(ascii: "@")
    }
}

extension Collection<UInt8> {
    /// Whether the bytes are this keyword (upper case), in any case.
    func isKeyword(_ keyword: StaticString) -> Bool {
        guard count == keyword.utf8CodeUnitCount else { return false }
        return elementsEqual(keyword.description.utf8) { $0 == $1 || ($0.isASCIILetter && $0 & 0xDF == $1) }
    }
}
