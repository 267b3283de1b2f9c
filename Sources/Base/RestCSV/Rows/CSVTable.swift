// SPDX-License-Identifier: Apache-2.0

/// Complete rows as the scanner leaves them: the bytes, and where fields end in them.
struct CSVTable: Sendable {
    let bytes: [UInt8]
    let ends: [UInt32]
    let rows: [CSVRowStart]
    let fieldCount: Int

    /// The fields of a row, as numbers in the table.
    @inline(__always)
    func fields(ofRow row: Int) -> Range<Int> {
        let next = row &+ 1 < rows.count ? Int(rows[row &+ 1].field) : fieldCount
        return Int(rows[row].field)..<next
    }

    func width(ofRow row: Int) -> Int { fields(ofRow: row).count }

    /// Where a field of a row begins, its quote included.
    @inline(__always)
    func fieldStart(_ column: Int, ofRow row: Int) -> Int {
        let start = rows[row]
        return column == 0 ? Int(start.offset) : Int(ends[Int(start.field) &+ column &- 1]) &+ 1
    }

    /// A field with its quotes, if it has any.
    @inline(__always)
    func raw(_ column: Int, ofRow row: Int) -> Range<Int> {
        fieldStart(column, ofRow: row)..<Int(ends[Int(rows[row].field) &+ column])
    }

    /// The text of a field, quotes resolved.
    func string(at column: Int, ofRow row: Int) -> String { string(raw(column, ofRow: row)) }

    /// The text of a field that has these bytes.
    func string(_ raw: Range<Int>) -> String {
        guard !raw.isEmpty, bytes[raw.lowerBound] == CSVByte.quote else { return text(raw) }
        let inner = raw.lowerBound + 1..<raw.upperBound - 1
        guard bytes[inner].contains(CSVByte.quote) else { return text(inner) }
        return unquoted(inner)
    }

    @inline(__always)
    private func text(_ range: Range<Int>) -> String {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
    }

    /// Each pair of quotes is one.
    private func unquoted(_ inner: Range<Int>) -> String {
        var single: [UInt8] = []
        single.reserveCapacity(inner.count)
        var isSecond = false
        for byte in bytes[inner] {
            isSecond = byte == CSVByte.quote && !isSecond
            if !isSecond { single.append(byte) }
        }
        return String(decoding: single, as: UTF8.self)
    }
}

extension CSVTable {
    /// The first byte that is not UTF-8, and the row where it is.
    func invalidByte(before end: Int) -> (row: Int, fault: CSVFault)? {
        guard let start = rows.first.map({ Int($0.offset) }), start < end else { return nil }
        let invalid = unsafe bytes.withUnsafeBytes { bytes in
            unsafe CSVSource(bytes).firstInvalidByte(in: start..<end)
        }
        guard let offset = invalid else { return nil }
        var (low, high) = (0, rows.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(rows[middle].offset) <= offset { low = middle } else { high = middle }
        }
        let fields = fields(ofRow: low)
        let column = fields.firstIndex { Int(ends[$0]) > offset } ?? fields.upperBound - 1
        let fault = CSVFault(
            reason: .invalidUTF8, offset: offset, column: column - fields.lowerBound, expected: "well-formed UTF-8")
        return (low, fault)
    }
}
