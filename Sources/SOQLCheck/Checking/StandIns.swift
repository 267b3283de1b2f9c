// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A query whose `:name` variables are replaced by literals that fit anywhere, and the way back to it.
struct StandIns {
    /// What stands for one variable, by where it is in the new text.
    private struct Change {
        let line: Int, column: Int
        /// How many scalars and bytes the variable is longer than what stands for it.
        let scalars: Int, bytes: Int
        let end: Int
    }

    let text: String
    private let changes: [Change]

    /// - Throws: what is no word of the language.
    init(_ text: String) throws(SOQLSyntaxError) {
        let bytes = Array(text.utf8)
        var (result, end, changes) = ([UInt8](), 0, [Change]())
        for variable in try SOQLVariable.all(in: text) {
            result += bytes[end..<variable.range.lowerBound]
            let literal = Self.literal(at: variable.range.lowerBound, in: bytes)
            let length = String(decoding: bytes[variable.range], as: UTF8.self).unicodeScalars.count
            result += literal.utf8
            changes.append(
                Change(
                    line: variable.position.line, column: variable.position.column,
                    scalars: length - literal.utf8.count, bytes: variable.range.count - literal.utf8.count,
                    end: result.count))
            end = variable.range.upperBound
        }
        self.text = String(decoding: result + bytes[end...], as: UTF8.self)
        self.changes = changes
    }

    /// A literal that can stand at a place.
    private static func literal(at offset: Int, in bytes: [UInt8]) -> String {
        var before = bytes[..<offset]
        func trim() { while let last = before.last, last <= 0x20 { before.removeLast() } }
        trim()
        // The number of `LAST_N_DAYS:name`.
        if before.last == UInt8(ascii: ":") { return "1" }
        let isInside = before.last == UInt8(ascii: "(") || before.last == UInt8(ascii: ",")
        if isInside, let opening = before.lastIndex(of: UInt8(ascii: "(")) { before = before[..<opening] }
        trim()
        let word = before.reversed().prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }.reversed()
        switch String(decoding: Array(word), as: UTF8.self).uppercased() {
        case "IN": return isInside ? "null" : "(null)"
        case "INCLUDES", "EXCLUDES": return isInside ? "''" : "('')"
        case "LIKE": return "''"
        case "LIMIT", "OFFSET": return "1"
        default: return "null"
        }
    }

    /// A finding of the new text where it is in the text as written.
    func finding(_ finding: Finding) -> Finding {
        var position = finding.position
        for change in changes where change.end <= finding.position.offset {
            position.offset += change.bytes
            if change.line == position.line { position.column += change.scalars }
        }
        return Finding(
            rule: finding.rule, message: finding.message, position: position, length: finding.length,
            suggestions: finding.suggestions)
    }
}
