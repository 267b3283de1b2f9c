// SPDX-License-Identifier: Apache-2.0

extension Lexer {
    /// Whether the file can be cut: it is of a reasonable size, and UTF-8.
    mutating func isReadable() -> Bool {
        if bytes.count > StoneLimits.fileBytes {
            fault("The file is larger than \(StoneLimits.fileBytes >> 20) MiB; divide it.", at: 0)
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            fault("The file begins with a byte order mark; save it without one.", at: 0)
        } else if let offset = firstLongLine() {
            fault("The line is longer than \(StoneLimits.lineBytes) bytes; break it.", at: offset)
        } else if let offset = firstInvalidByte() {
            fault("This is not UTF-8; save the file in that encoding.", at: offset)
        } else {
            return true
        }
        return false
    }

    private func firstLongLine() -> Int? {
        var start = 0
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\n") { start = offset + 1 }
            if offset - start > StoneLimits.lineBytes { return start }
            offset += 1
        }
        return nil
    }

    private func firstInvalidByte() -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: return min(offset, max(0, bytes.count - 1))
            }
        }
    }

    /// Reads the indentation of a line; false if the line is empty or a comment, which is then passed.
    mutating func startLine() -> Bool {
        let start = position
        guard let first = firstWord() else {
            skipLine()
            return false
        }
        position = first
        change(to: indentation(from: start, to: first), at: first)
        return true
    }

    /// Where the first word of the line stands that begins here; nil if there is none.
    private func firstWord() -> Int? {
        var offset = position
        while byte(offset) == UInt8(ascii: " ") || byte(offset) == UInt8(ascii: "\t") { offset += 1 }
        return isLineEnd(offset) || byte(offset) == UInt8(ascii: "#") ? nil : offset
    }

    /// The level that an indentation means; of a faulty one the nearest.
    private mutating func indentation(from start: Int, to end: Int) -> Int {
        let indentation = bytes[start..<end]
        let tabs = indentation.count { $0 == UInt8(ascii: "\t") }
        let spaces = indentation.count - tabs
        if let tab = indentation.firstIndex(of: UInt8(ascii: "\t")) {
            fault("A tab is no indentation; use four spaces for each level.", at: tab)
        } else if spaces % 4 != 0 {
            fault("The indentation, \(spaces) spaces, is not divisible by 4; use four for each level.", at: end)
        }
        let level = tabs + (spaces + 2) / 4
        if level > StoneLimits.indentation {
            fault("The line is indented by more than \(StoneLimits.indentation) levels.", at: end)
        }
        return min(level, StoneLimits.indentation)
    }

    /// Moves to a level of indentation, with a token for each step.
    mutating func change(to new: Int, at offset: Int) {
        while level < new {
            level += 1
            append(.indent, from: offset)
        }
        while level > new {
            level -= 1
            append(.dedent, from: offset)
        }
    }

    /// Goes on with the statement in the next line, one level deeper; false if that line begins another statement.
    mutating func continueLine() -> Bool {
        var start = position
        while true {
            skipLine()
            if position >= bytes.count { return false }
            start = position
            if let first = firstWord() {
                position = first
                break
            }
        }
        let found = indentation(from: start, to: position)
        if found == level + 1 { return true }
        let advice = "A line that continues a parenthesis is indented by one level more than its statement"
        fault("\(advice); here that is \(4 * (level + 1)) spaces.", at: position)
        if found > level { return true }
        // The parenthesis was left open: what follows is another statement.
        depth = 0
        endLine()
        position = start
        if startLine() { return true }
        return false
    }
}
