// SPDX-License-Identifier: Apache-2.0

/// A point between two rows of a text that arrives in pieces.
struct CSVPlace: Sendable {
    /// The bytes before it.
    private(set) var offset = 0
    /// The rows before it.
    private(set) var row = 0
    /// The line breaks before it.
    private(set) var line = 0

    /// Goes on to an offset in the bytes that begin here; without quotes a row is a line.
    mutating func advance(
        over bytes: [UInt8], to end: Int, rows: Int, countsLines: Bool, _ ending: CSVDialect.LineEnding?
    ) {
        line += countsLines ? CSVPlace.lines(in: bytes, before: end, ending) : rows
        offset += end
        row += rows
    }

    /// A fault in the bytes that begin here, with its place in the text.
    func error(
        _ fault: CSVFault, rowsBefore: Int, in bytes: [UInt8], _ ending: CSVDialect.LineEnding?, name: String? = nil
    ) -> CSVError {
        CSVError(
            reason: fault.reason, row: row + rowsBefore + 1, column: fault.column + 1,
            line: line + CSVPlace.lines(in: bytes, before: fault.offset, ending) + 1, offset: offset + fault.offset,
            name: name, expected: fault.expected)
    }

    private static func lines(in bytes: [UInt8], before end: Int, _ ending: CSVDialect.LineEnding?) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe CSVSource(bytes).count(
                of: ending == .cr ? CSVByte.carriageReturn : CSVByte.lineFeed, before: end)
        }
    }
}
