// SPDX-License-Identifier: Apache-2.0

/// The errors found so far.
struct Diagnostics: Sendable {
    private struct Fault: Hashable {
        let mark: Mark
        let message: String
    }

    private var faults: [Fault] = []
    private var known: Set<Fault> = []

    var count: Int { faults.count }

    /// Adds an error unless it is already known or the limit is reached.
    mutating func add(_ message: String, at mark: Mark) {
        let fault = Fault(mark: mark, message: message)
        if faults.count < StoneLimits.diagnostics, known.insert(fault).inserted { faults.append(fault) }
    }

    mutating func add(_ other: Diagnostics) {
        for fault in other.faults { add(fault.message, at: fault.mark) }
    }

    func check(in files: [SourceLines]) throws(StoneError) {
        guard !faults.isEmpty else { return }
        let sorted = faults.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
        throw StoneError(
            diagnostics: sorted.map {
                files[$0.element.mark.file].diagnostic(at: $0.element.mark, $0.element.message)
            })
    }
}

/// The limits that bound the work for any input.
package enum StoneLimits {
    static let files = 10_000
    package static let fileBytes = 32 << 20
    static let lineBytes = 100_000
    /// The maximum number of errors in one run, because most errors of such a spec have the same cause.
    static let diagnostics = 1_000
    /// The maximum level of indentation.
    static let indentation = 32
    /// The maximum nesting depth of types, lists and inline definitions.
    static let nesting = 32
    /// The maximum length of a chain of structs, unions or aliases.
    static let lineage = 64
}

package struct StoneError: Error, Sendable, CustomStringConvertible {
    /// At least one error, in the order of the files and positions.
    package let diagnostics: [StoneDiagnostic]

    /// All errors with their lines and carets, separated by line feeds.
    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// An error at a position in a spec.
package struct StoneDiagnostic: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// The line, starting from 1.
    package let line: Int
    /// The column in Unicode scalars, starting from 1.
    package let column: Int
    /// The message, with advice.
    package let message: String
    /// The line, or the part of a long line near the error.
    package let lineText: String
    /// The number of characters in `lineText` before the error.
    package let caretOffset: Int

    /// The error as `file:line:column: error: message`, followed by the line and a caret.
    ///
    /// Control characters are replaced, so that a spec cannot control the reader's terminal.
    package var description: String {
        let margin = String(lineText.unicodeScalars.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " })
        let lines = ["\(file):\(line):\(column): error: \(message)", lineText, margin + "^"]
        return lines.map(Self.visible).joined(separator: "\n")
    }

    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0.unicodeScalars.append(isControl($1) ? "\u{FFFD}" : $1) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\t"
    }
}

/// A file of a spec.
package struct StoneSource: Sendable {
    package let path: String
    /// The contents, which should be UTF-8.
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }
}

/// A position in the files of a spec.
struct Mark: Hashable, Comparable, Sendable {
    let file: Int
    /// The offset in bytes.
    let offset: Int

    static func < (one: Mark, other: Mark) -> Bool {
        (one.file, one.offset) < (other.file, other.offset)
    }
}

/// A file with an index of its lines.
struct SourceLines: Sendable {
    let source: StoneSource
    private let starts: [Int]

    init(_ source: StoneSource) {
        self.source = source
        var starts = [0]
        for (offset, byte) in source.bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        self.starts = starts
    }

    /// Returns the zero-based line of an offset.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    func diagnostic(at mark: Mark, _ message: String) -> StoneDiagnostic {
        let (line, offset) = (line(at: mark.offset), min(mark.offset, source.bytes.count))
        let column = Self.scalars(in: source.bytes[starts[line]..<offset])
        let (text, caret) = excerpt(from: starts[line], around: offset)
        return StoneDiagnostic(
            file: source.path, line: line + 1, column: column + 1, message: message, lineText: text,
            caretOffset: caret)
    }

    /// Returns the part of the line within 100 bytes of an offset.
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
