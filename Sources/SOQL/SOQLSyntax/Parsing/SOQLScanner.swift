// SPDX-License-Identifier: Apache-2.0

/// Divides a text in SOQL into words, numbers, quotes, comments, braces and signs.
///
/// It never fails, even if a quote is not closed or a sign is not part of SOQL. The text can come in chunks. A span
/// that can continue in the next chunk waits for it, and each byte is read once.
package struct SOQLScanner: Sendable {
    package struct Span: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// Letters, digits, `_`, `.`, `$`, `@` and all characters outside of ASCII.
            case word
            /// A word that begins with a digit: a number, or the first part of a date or time.
            case number
            /// A string in single quotes, which ends on the line on which it begins.
            case string
            /// A comment to the end of the line, and a comment between `/*` and `*/`.
            case lineComment, blockComment
            /// The braces after `FIND`, with the search term.
            case braces
            /// One byte of another kind, such as `(`.
            case sign(UInt8)
        }

        package let kind: Kind
        package let range: Range<Int>
        package let position: SOQLPosition
        /// Whether the quote, the comment or the braces are closed.
        package let isClosed: Bool
    }

    /// The bytes that are not consumed yet, preceded by some consumed bytes.
    private(set) var bytes: [UInt8] = []
    /// The offset of `bytes` in the text, the index of the next byte, and the end of the search in an open span.
    private var (base, next, searched) = (0, 0, 0)
    private var cursor = SOQLCursor()
    private let hasComments: Bool, hasBraces: Bool
    private var isBehindFind = false
    private var isWhole = false

    /// The kind of the span at the end of the text so far, if more text can continue it.
    package private(set) var open: Span.Kind?

    /// Creates a scanner for a text that comes in chunks.
    package init(hasComments: Bool, hasBraces: Bool) {
        (self.hasComments, self.hasBraces) = (hasComments, hasBraces)
    }

    /// Creates a scanner for a whole text.
    package init(_ text: String, hasComments: Bool, hasBraces: Bool) {
        (self.hasComments, self.hasBraces, isWhole) = (hasComments, hasBraces, true)
        bytes = Array(text.utf8)
    }

    /// The offset of the next byte in the text, and its position.
    package var offset: Int { base + next }
    package var position: SOQLPosition { cursor.position }

    /// The bytes of a range of the text, which must not be consumed before the last chunk was added.
    package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[range.lowerBound - base..<range.upperBound - base]
    }

    package var openBytes: ArraySlice<UInt8> { bytes[next...] }

    /// Adds a chunk of the text.
    package mutating func append(_ chunk: String) {
        bytes.removeFirst(next)
        (base, searched, next) = (base + next, max(searched - next, 0), 0)
        bytes += chunk.utf8
    }

    /// Ends the text, which also ends an open span.
    package mutating func finish() { isWhole = true }

    /// Reads the next span, or returns `nil` at the end of the text so far, even if a span is open.
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

    /// Continues after `count` bytes from the start of the last span.
    mutating func restart(_ span: Span, behind count: Int) {
        (next, searched, cursor) = (span.range.lowerBound - base, 0, SOQLCursor(span.position))
        pass(to: next + count)
    }

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

    /// Returns the end of the span at the next byte, continuing the search in an open span.
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

    /// Returns the end of a quote, in which a backslash escapes the next byte unless the line ends there.
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

/// A position that moves through a text and counts `\r\n` as one line break.
package struct SOQLCursor: Sendable {
    package private(set) var position: SOQLPosition
    private var isBehindReturn = false

    /// Creates a cursor at a position that is not between the two bytes of a line break.
    package init(_ position: SOQLPosition = .start) { self.position = position }

    /// Moves the cursor after a byte.
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

    /// Whether the byte can be part of a name or a number.
    var isSOQLWord: Bool {
        isASCIILetter || isASCIIDigit || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "$") || self == UInt8(ascii: "@")
    }
}

extension Collection<UInt8> {
    /// Whether the bytes are this keyword, given in upper case.
    func isKeyword(_ keyword: StaticString) -> Bool {
        guard count == keyword.utf8CodeUnitCount else { return false }
        return elementsEqual(keyword.description.utf8) { $0 == $1 || ($0.isASCIILetter && $0 & 0xDF == $1) }
    }
}
