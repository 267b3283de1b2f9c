// SPDX-License-Identifier: Apache-2.0
/// Writes a CSV text row by row.
///
/// A row is written completely or not at all. The output can be read back as the same rows in the same dialect.
public struct CSVWriter: Sendable {
    /// The choice of fields that are quoted.
    public enum Quoting: Sendable, Hashable {
        /// Fields that could not be read back without quotes.
        case whereNeeded
        /// Every field except null.
        case always
    }

    let dialect: CSVDialect
    private let quoting: Quoting
    private let null: [UInt8]
    private let lineEnding: [UInt8]
    /// The names of the columns, if the text has them.
    public let header: CSVHeader?
    /// The number of fields of a row, or `nil` before the first row.
    private var width: Int?
    private var output = CSVOutput()
    private var rowStart = 0
    private var column = 0
    private var rows = 0
    private var fault: CSVFault?

    /// Creates a writer, and writes the header if there are column names.
    ///
    /// - Throws: `CSVError` for a duplicate name.
    public init(
        _ dialect: CSVDialect = .rfc4180, columns: [String]? = nil, quoting: Quoting = .whereNeeded
    ) throws(CSVError) {
        (self.dialect, self.quoting) = (dialect, quoting)
        null = Array((dialect.null ?? "").utf8)
        lineEnding =
            switch dialect.lineEnding {
            case .lf: [CSVByte.lineFeed]
            case .cr: [CSVByte.carriageReturn]
            case .crlf, nil: [CSVByte.carriageReturn, CSVByte.lineFeed]
            }
        guard let columns else {
            header = nil
            return
        }
        header = try CSVHeader(columns)
        // A name may be any text, even the text for null.
        for name in columns { write(name) }
        try endRow()
    }

    /// The number of the next row, including the header.
    var nextRow: Int { rows + 1 }

    /// The number of bytes that were written and not taken, including an unfinished row.
    public var count: Int { output.count }

    /// Takes the bytes of the complete rows that were written and not taken.
    public mutating func takeBytes() -> [UInt8] {
        defer { rowStart = 0 }
        return output.take(rowStart)
    }

    /// Appends a field.
    ///
    /// If the text equals the text for null, ``endRow()`` throws, because readers could not distinguish them.
    @inline(__always)
    public mutating func append(_ text: String) {
        write(text)
        if !null.isEmpty, text.utf8.count == null.count { checkNull(text) }
    }

    /// Appends an integer field.
    public mutating func append(_ number: some FixedWidthInteger) { append(String(number)) }

    /// Appends a null field, or an empty field if the dialect has no text for null.
    public mutating func appendNull() {
        beginField()
        output.append(null)
    }

    /// Appends an empty field.
    public mutating func appendEmpty() { write("") }

    /// Ends the row.
    ///
    /// - Throws: `CSVError`, dropping the row, if the number of fields is wrong or a text equals the text for null.
    public mutating func endRow() throws(CSVError) {
        if fault == nil, let width, width != column {
            fault = CSVFault(
                reason: .width, offset: 0, column: min(width, column),
                expected: "\(width) fields in every row; this one has \(column)")
        }
        // An empty line would be a row of one empty field, but not at the end of a text, and not for every reader.
        if column == 1, output.count == rowStart { output.append([CSVByte.quote, CSVByte.quote]) }
        if let fault {
            dropRow()
            throw CSVError(
                reason: fault.reason, row: rows + 1, column: fault.column + 1,
                name: header.flatMap { $0.names.indices.contains(fault.column) ? $0.names[fault.column] : nil },
                expected: fault.expected)
        }
        if width == nil { width = column }
        output.append(lineEnding)
        (rowStart, column) = (output.count, 0)
        rows += 1
    }

    /// Drops the fields of the row that has not ended.
    package mutating func dropRow() {
        output.truncate(to: rowStart)
        (column, fault) = (0, nil)
    }

    /// Appends a row.
    ///
    /// - Throws: The errors of ``endRow()``.
    @inlinable
    public mutating func append(row fields: some Sequence<String>) throws(CSVError) {
        for field in fields { append(field) }
        try endRow()
    }
}

extension CSVWriter {
    @inline(__always)
    private mutating func beginField() {
        if column > 0 { output.append(dialect.delimiter.byte) }
        column &+= 1
    }

    @inline(__always)
    private mutating func write(_ text: String) {
        beginField()
        let start = output.count
        let needsQuotes = output.append(text, delimiter: dialect.delimiter.byte)
        if needsQuotes || quoting == .always || (rows == 0 && start == 0 && output.startsWithMark) {
            output.quote(from: start)
        }
    }

    @inline(never)
    private mutating func checkNull(_ text: String) {
        guard text.utf8.elementsEqual(null), fault == nil else { return }
        fault = CSVFault(
            reason: .invalidValue, offset: 0, column: column - 1, expected: "a string other than the one for null")
    }
}

/// The bytes of a field to write, read 16 at a time.
///
/// Unsafe by need: most fields are short, and a loop over their bytes would dominate the total time. Safe because
/// `base` points at `count` bytes that outlive the value (it is created and used inside one closure), and each load
/// below is within `count`, as the comparison before it ensures.
@safe
struct CSVFieldSource {
    private let base: UnsafeRawPointer
    private let count: Int

    @inline(__always)
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
    }

    /// Whether the field contains a delimiter, a quote or a line break.
    @inline(__always)
    func needsQuotes(_ delimiter: UInt8) -> Bool {
        guard count >= 16 else { return Self.isAny(Self.special(short, delimiter)) }
        var found = Self.special(block(count &- 16), delimiter)
        var at = 0
        while at < count &- 16 {
            found .|= Self.special(block(at), delimiter)
            at &+= 16
        }
        return Self.isAny(found)
    }

    /// The 16 bytes at an offset of at most `count - 16`.
    @inline(__always)
    private func block(_ at: Int) -> SIMD16<UInt8> {
        unsafe base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
    }

    /// All bytes of a field with fewer than 16 bytes in two words, some of them twice.
    @inline(__always)
    private var short: SIMD16<UInt8> {
        var words = SIMD2<UInt64>(repeating: 0)
        if count >= 8 {
            unsafe words[0] = base.loadUnaligned(as: UInt64.self)
            unsafe words[1] = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            unsafe words[0] = UInt64(base.loadUnaligned(as: UInt32.self))
            unsafe words[1] = UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            unsafe words[0] = UInt64(base.load(as: UInt8.self))
            unsafe words[1] =
                UInt64(base.load(fromByteOffset: count &>> 1, as: UInt8.self))
                | UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self)) &<< 8
        }
        return unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    }

    @inline(__always)
    private static func special(_ block: SIMD16<UInt8>, _ delimiter: UInt8) -> SIMDMask<SIMD16<Int8>> {
        (block .== SIMD16(repeating: delimiter)) .| (block .== SIMD16(repeating: CSVByte.quote))
            .| (block .== SIMD16(repeating: CSVByte.lineFeed))
            .| (block .== SIMD16(repeating: CSVByte.carriageReturn))
    }

    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }
}

struct CSVOutput: Sendable {
    /// The output, followed by spare capacity.
    private var buffer: [UInt8] = []
    private(set) var count = 0

    @inline(__always)
    private mutating func reserve(_ room: Int) {
        if buffer.count &- count < room { grow(room) }
    }

    @inline(never)
    private mutating func grow(_ room: Int) {
        buffer += repeatElement(0, count: max(1 << 12, buffer.count, room))
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    /// Appends a text, and returns whether it contains a byte that requires quotes.
    @inline(__always)
    mutating func append(_ text: String, delimiter: UInt8) -> Bool {
        if let needsQuotes = unsafe text.utf8.withContiguousStorageIfAvailable({
            unsafe append($0, delimiter: delimiter)
        }) {
            return needsQuotes
        }
        var copy = text
        return copy.withUTF8 { unsafe append($0, delimiter: delimiter) }
    }

    /// Appends bytes, and returns whether they require quotes.
    ///
    /// Unsafe by need: copying byte by byte would take several times as long. Safe because `reserve` has made room for
    /// the whole field, and the ranges of a `rebasing` are checked.
    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, delimiter: UInt8) -> Bool {
        let length = text.count
        reserve(length)
        let start = count
        count &+= length
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start &+ length]).copyMemory(
                from: UnsafeRawBufferPointer(text))
        }
        return unsafe CSVFieldSource(UnsafeRawBufferPointer(text)).needsQuotes(delimiter)
    }

    var startsWithMark: Bool { buffer[..<count].starts(with: CSVByte.mark) }

    /// Encloses the text from an offset on in quotes, and doubles inner quotes.
    @inline(never)
    mutating func quote(from start: Int) {
        let inside = buffer[start..<count].count { $0 == CSVByte.quote }
        reserve(inside + 2)
        var (from, to) = (count, count + inside + 2)
        count = to
        to -= 1
        buffer[to] = CSVByte.quote
        while from > start {
            from -= 1
            to -= 1
            buffer[to] = buffer[from]
            if buffer[to] == CSVByte.quote {
                to -= 1
                buffer[to] = CSVByte.quote
            }
        }
        buffer[start] = CSVByte.quote
    }

    mutating func truncate(to end: Int) { count = end }

    /// Takes the text up to an offset, and retains the rest.
    mutating func take(_ end: Int) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        buffer = Array(taken[end..<count])
        count -= end
        taken.removeLast(taken.count - end)
        return taken
    }
}
