// SPDX-License-Identifier: Apache-2.0

/// A place in the files of a spec.
struct Mark: Hashable, Comparable, Sendable {
    /// The place of the file in the list of files.
    let file: Int
    /// Bytes before it in the file.
    let offset: Int

    static func < (one: Mark, other: Mark) -> Bool {
        (one.file, one.offset) < (other.file, other.offset)
    }
}

/// A file whose lines are known.
struct SourceLines: Sendable {
    let source: StoneSource
    /// Where each line begins.
    private let starts: [Int]

    init(_ source: StoneSource) {
        self.source = source
        var starts = [0]
        let bytes = source.bytes
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\n") { starts.append(offset + 1) }
            offset += 1
        }
        self.starts = starts
    }

    /// The line that holds a byte, from 0.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    func location(at mark: Mark) -> StoneLocation {
        let offset = mark.offset
        let line = line(at: offset)
        let column = Self.scalars(in: source.bytes[starts[line]..<min(offset, source.bytes.count)])
        return StoneLocation(file: source.path, line: line + 1, column: column + 1, mark: mark)
    }

    func diagnostic(at mark: Mark, _ message: String) -> StoneDiagnostic {
        let (location, offset) = (location(at: mark), mark.offset)
        let start = starts[location.line - 1]
        let (text, caret) = excerpt(from: start, around: min(offset, source.bytes.count))
        return StoneDiagnostic(
            file: source.path, line: location.line, column: location.column, message: message, lineText: text,
            caretOffset: caret)
    }

    /// The line, or what of it stands within 100 bytes of a place.
    private func excerpt(from start: Int, around offset: Int) -> (String, Int) {
        var end = offset
        while end < source.bytes.count, end - offset < 100, !Self.endsLine(source.bytes[end]) { end += 1 }
        var first = start
        if offset - start > 100 {
            first = offset - 100
            while first < offset, source.bytes[first] & 0xC0 == 0x80 { first += 1 }
        }
        while end < source.bytes.count, end - offset < 104, source.bytes[end] & 0xC0 == 0x80 { end += 1 }
        let text = String(decoding: source.bytes[first..<end], as: UTF8.self)
        return (text, Self.scalars(in: source.bytes[first..<offset]))
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private static func scalars(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }
}
