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
