// SPDX-License-Identifier: Apache-2.0

/// Layout of documentation.
enum DocText {
    /// The text with no blanks at the ends of its lines.
    static func trimmingLines(_ text: String) -> String {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") { trimEnd(&lines) }
            lines.append(byte)
        }
        trimEnd(&lines)
        return String(decoding: lines, as: UTF8.self)
    }

    private static func trimEnd(_ bytes: inout [UInt8]) {
        while let last = bytes.last, last != UInt8(ascii: "\n"), isBlank(last) { bytes.removeLast() }
    }

    /// The text with each paragraph on one line: a single line feed is a space, of several one is dropped.
    static func unwrapped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var feeds = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") {
                feeds += 1
            } else {
                if feeds == 1 { result.append(UInt8(ascii: " ")) }
                if feeds > 1 { result.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: feeds - 1)) }
                feeds = 0
                result.append(byte)
            }
        }
        let start = result.firstIndex { !isBlank($0) } ?? result.count
        let end = result.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: result[start..<end], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}

/// A piece of documentation as it is written: text, or a tag and what stands in its back quotes.
enum DocPiece: Equatable {
    case text(String)
    case reference(tag: String, value: String)
}

extension DocText {
    /// The text, cut at `:tag:` with a value in back quotes behind it.
    static func pieces(_ text: String) -> [DocPiece] {
        let bytes = Array(text.utf8)
        var pieces: [DocPiece] = []
        var start = 0
        var offset = 0
        while let colon = bytes[offset...].firstIndex(of: UInt8(ascii: ":")) {
            offset = colon + 1
            guard let (tag, value) = reference(in: bytes, at: colon) else { continue }
            if colon > start { pieces.append(.text(String(decoding: bytes[start..<colon], as: UTF8.self))) }
            pieces.append(
                .reference(
                    tag: String(decoding: bytes[tag], as: UTF8.self),
                    value: String(decoding: bytes[value], as: UTF8.self)))
            start = value.upperBound + 1
            offset = start
        }
        if start < bytes.count { pieces.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
        return pieces
    }

    /// Where the tag and the value of the reference stand that begins with this colon.
    private static func reference(in bytes: [UInt8], at colon: Int) -> (tag: Range<Int>, value: Range<Int>)? {
        var end = colon + 1
        while end < bytes.count, bytes[end] >= UInt8(ascii: "A"), bytes[end] <= UInt8(ascii: "z") { end += 1 }
        guard end > colon + 1, end + 1 < bytes.count, bytes[end] == UInt8(ascii: ":") else { return nil }
        guard bytes[end + 1] == UInt8(ascii: "`") else { return nil }
        let start = end + 2
        let close = bytes[start...].firstIndex { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }
        guard let close, bytes[close] == UInt8(ascii: "`") else { return nil }
        return (colon + 1..<end, start..<close)
    }

    /// Whether a text is a literal that `:val:` can show.
    static func isLiteral(_ text: String) -> Bool {
        if ["null", "true", "false"].contains(text) { return true }
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "\"") {
            guard bytes.count > 1, bytes.last == UInt8(ascii: "\"") else { return false }
            return !bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        }
        if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
        guard takeDigits(&bytes) else { return false }
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            _ = takeDigits(&bytes)
        }
        if bytes.first == UInt8(ascii: "e") {
            bytes.removeFirst()
            if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
            guard takeDigits(&bytes) else { return false }
        }
        return bytes.isEmpty
    }

    private static func takeDigits(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        let count = bytes.prefix(while: Lexer.isDigit).count
        bytes = bytes.dropFirst(count)
        return count > 0
    }
}
