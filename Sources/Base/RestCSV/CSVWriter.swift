// SPDX-License-Identifier: Apache-2.0
/// Writes a CSV text, row by row.
///
/// A row is written whole or not at all. What is written reads back as the same rows in the same dialect.
public struct CSVWriter: Sendable {
    /// Which fields are put in quotes.
    public enum Quoting: Sendable, Hashable {
        /// Those that could not be read back without.
        case whereNeeded
        /// Every field but null.
        case always
    }

    let dialect: CSVDialect
    private let quoting: Quoting
    private let null: [UInt8]
    private let lineEnding: [UInt8]
    /// The names of the columns, if the text has them.
    public let header: CSVHeader?
    /// The fields of a row; nil before the first one.
    private var width: Int?
    private var output = CSVOutput()
    private var rowStart = 0
    private var column = 0
    private var rows = 0
    private var fault: CSVFault?

    /// Makes a writer, which writes the names of the columns if there are any.
    ///
    /// - Throws: `CSVError` for a name that stands twice.
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
        // A name may be any text, also one that would mean null in a field.
        for name in columns { write(name) }
        try endRow()
    }

    /// The number of the row that comes next, the header counted too.
    var nextRow: Int { rows + 1 }

    /// The bytes that are written and not taken yet, those of an unfinished row too.
    public var count: Int { output.count }

    /// Takes the complete rows that are written and not taken yet.
    public mutating func takeBytes() -> [UInt8] {
        defer { rowStart = 0 }
        return output.take(rowStart)
    }

    /// Appends a field.
    ///
    /// A text that means null in the dialect makes ``endRow()`` throw: nobody could tell it from null.
    @inline(__always)
    public mutating func append(_ text: String) {
        let start = output.count
        write(text)
        if !null.isEmpty, output.count &- start >= null.count { checkNull(text) }
    }

    /// Appends a field.
    public mutating func append(_ number: some FixedWidthInteger) { append(String(number)) }

    /// Appends a field that means null; an empty one, if nothing means null in the dialect.
    public mutating func appendNull() {
        beginField()
        output.append(null)
    }

    /// Appends a field without text.
    public mutating func appendEmpty() { write("") }

    /// Ends the row.
    ///
    /// - Throws: `CSVError` for another number of fields than the first row has, and for a text that means null. The
    ///   row is dropped then.
    public mutating func endRow() throws(CSVError) {
        if fault == nil, let width, width != column {
            fault = CSVFault(
                reason: .width, offset: 0, column: min(width, column),
                expected: "\(width) fields in every row; this one has \(column)")
        }
        // An empty line is a row of one empty field, but not at the end of a text, and not for every reader.
        if column == 1, output.count == rowStart { output.append([CSVByte.quote, CSVByte.quote]) }
        defer { (column, fault) = (0, nil) }
        if let fault {
            output.truncate(to: rowStart)
            throw CSVError(
                reason: fault.reason, row: rows + 1, column: fault.column + 1,
                name: header.flatMap { $0.names.indices.contains(fault.column) ? $0.names[fault.column] : nil },
                expected: fault.expected)
        }
        if width == nil { width = column }
        output.append(lineEnding)
        rowStart = output.count
        rows += 1
    }

    /// Appends a row.
    ///
    /// - Throws: `CSVError` as ``endRow()`` does.
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
            reason: .invalidValue, offset: 0, column: column - 1, expected: "another text than the one for null")
    }
}

/// The bytes of a field that is to be written, 16 at a time.
///
/// Unsafe by need: most fields are short, and a loop over their bytes would take longer than all the rest. Safe because
/// `base` points at `count` bytes that outlive the value (it is made and used inside one closure), and each load below
/// stays within `count`, as the comparison before it says.
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

    /// Whether there is a delimiter, a quote or a line break in the field.
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

    /// The 16 bytes from an offset, which is at most `count - 16`.
    @inline(__always)
    private func block(_ at: Int) -> SIMD16<UInt8> {
        unsafe base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
    }

    /// All bytes of a field with fewer than 16, some of them twice, in two words.
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

/// The growing text of a writer.
struct CSVOutput: Sendable {
    /// The text, and room after it.
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

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    /// Appends a text; true if there is a byte in it that needs quotes around the field.
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

    /// Appends bytes, as the function above.
    ///
    /// Unsafe by need: byte by byte a field would take several times as long. Safe because `reserve` has made room for
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

    /// Whether the text begins with a byte-order mark.
    var startsWithMark: Bool { buffer[..<count].starts(with: CSVByte.mark) }

    /// Puts the text from an offset on in quotes, and doubles those inside.
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

    /// Drops what follows an offset.
    mutating func truncate(to end: Int) { count = end }

    /// Takes the text up to an offset, and keeps the rest.
    mutating func take(_ end: Int) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        buffer = Array(taken[end..<count])
        count -= end
        taken.removeLast(taken.count - end)
        return taken
    }
}
