// SPDX-License-Identifier: Apache-2.0

/// Parses a CSV text that arrives in chunks, which may end anywhere, even inside a line ending or a character.
///
/// The reader buffers at most one unfinished row. It returns every row before an error, and then each call throws. The
/// text is checked strictly: quotes as in RFC 4180, one line ending, well-formed UTF-8, rows of equal width. A leading
/// byte-order mark is skipped.
public struct CSVReader: Sendable {
    /// Options for reading a text.
    public struct Options: Sendable, Hashable {
        /// Whether the first row contains the names of the columns, instead of being returned as a row.
        public var hasHeader: Bool
        /// The names that the header may contain, or `nil` for any names.
        public var columns: [String]?
        /// Whether rows may have different numbers of fields.
        public var allowsAnyWidth: Bool
        /// The limits of one row.
        public var limits: CSVLimits

        /// Creates options.
        public init(
            hasHeader: Bool = true, columns: [String]? = nil, allowsAnyWidth: Bool = false,
            limits: CSVLimits = .default
        ) {
            (self.hasHeader, self.columns) = (hasHeader, columns)
            (self.allowsAnyWidth, self.limits) = (allowsAnyWidth, limits)
        }
    }

    /// The number of bytes that are scanned before room for more fields is allocated.
    private static let segment = 1 << 14

    private let dialect: CSVDialect
    private let options: Options
    /// The names of the columns, available after the first row is complete.
    public private(set) var header: CSVHeader?
    private var scanner: CSVScanner
    private var failure: CSVError?
    private var isDone = false

    /// The bytes of the unfinished row, and the ends of its fields.
    private var held: [UInt8] = []
    private var ends: [UInt32] = []
    /// Whether the beginning of the text was checked for a byte-order mark.
    private var hasBegun = false
    /// The position in the text of the first held byte.
    private var place = CSVPlace()

    /// Creates a reader of one text.
    public init(_ dialect: CSVDialect = .rfc4180, options: Options = Options()) {
        (self.dialect, self.options) = (dialect, options)
        scanner = CSVScanner(dialect, limits: options.limits, isRagged: options.allowsAnyWidth)
    }

    /// Reads the next bytes of the text, and returns the rows (often none) that they complete, in order.
    ///
    /// - Throws: `CSVError` for the first error, after all rows before it have been returned, and again in later calls.
    public mutating func push(_ bytes: [UInt8]) throws(CSVError) -> CSVRows {
        if let failure { throw failure }
        precondition(!isDone, "add nothing after the end of the CSV")
        return try take(bytes, isLast: false)
    }

    /// Ends the text, and returns the last row if no line ending followed it.
    ///
    /// - Throws: `CSVError` for the first error, such as a text that ends inside quotes.
    public mutating func finish() throws(CSVError) -> CSVRows { try finish(with: []) }

    mutating func finish(with bytes: [UInt8]) throws(CSVError) -> CSVRows {
        if let failure { throw failure }
        guard !isDone else { return CSVRows(.empty) }
        let rows = try take(bytes, isLast: true)
        isDone = true
        // There may be no further call, so an error is thrown now.
        if let failure { throw failure }
        return rows
    }
}

extension CSVReader {
    private mutating func take(_ bytes: [UInt8], isLast: Bool) throws(CSVError) -> CSVRows {
        let scanned = held.count
        if held.isEmpty { held = bytes } else { held += bytes }
        guard held.count < UInt32.max else {
            held = []
            throw fail(CSVFault(reason: .tooLarge, offset: 0, column: 0, expected: "chunks and rows below 4 GiB"))
        }
        guard let start = begin(after: scanned, isLast: isLast) else { return CSVRows(.empty) }
        let fault = scan(from: start, isLast: isLast)
        guard !scanner.rows.isEmpty else {
            if let fault { throw fail(fault) }
            return CSVRows(.empty)
        }
        let rows = takeRows(fault)
        if rows.isEmpty, let failure { throw failure }
        return rows
    }

    /// Stores an error in the held row, and releases its bytes.
    private mutating func fail(_ fault: CSVFault) -> CSVError {
        let error = place.error(fault, rowsBefore: 0, in: held, dialect.lineEnding)
        failure = error
        (held, ends) = ([], [])
        return error
    }

    /// The offset to scan from, or `nil` if the text may still begin with a byte-order mark.
    private mutating func begin(after scanned: Int, isLast: Bool) -> Int? {
        guard !hasBegun else { return scanned }
        if held.count < CSVByte.mark.count, CSVByte.mark.starts(with: held), !isLast { return nil }
        hasBegun = true
        guard held.starts(with: CSVByte.mark) else { return 0 }
        scanner.skip(to: CSVByte.mark.count)
        return CSVByte.mark.count
    }

    private mutating func scan(from start: Int, isLast: Bool) -> CSVFault? {
        var at = start
        while at < held.count {
            let end = min(at + CSVReader.segment, held.count)
            if let fault = withScanner(
                room: end - at,
                { scanner, source, ends throws(CSVFault) in
                    try scanner.scan(source, from: at, to: end, into: ends)
                })
            {
                return fault
            }
            at = end
        }
        let end = held.count
        return withScanner(room: 1) { scanner, _, ends throws(CSVFault) in
            if isLast { try scanner.finish(at: end, into: ends) } else { try scanner.checkUnfinished(at: end, ends) }
        }
    }

    /// Runs the scanner with room for `room` more fields, and returns its error, or a limit exceeded before the error.
    private mutating func withScanner(
        room: Int, _ body: (inout CSVScanner, CSVSource, CSVFieldEnds) throws(CSVFault) -> Void
    ) -> CSVFault? {
        let missing = scanner.fieldCount + room + 1 - ends.count
        if missing > 0 { ends += repeatElement(0, count: max(missing, ends.count)) }
        return unsafe held.withUnsafeBytes { bytes in
            unsafe ends.withUnsafeMutableBufferPointer { buffer in
                let ends = unsafe CSVFieldEnds(buffer)
                do throws(CSVFault) {
                    try body(&scanner, unsafe CSVSource(bytes), ends)
                    return nil
                } catch {
                    // A complete row has been checked already.
                    guard error.reason != .width, error.reason != .tooLarge else { return error }
                    do throws(CSVFault) { try scanner.checkLimits(upTo: error.offset, ends) } catch { return error }
                    return error
                }
            }
        }
    }

    private mutating func takeRows(_ scanFault: CSVFault?) -> CSVRows {
        let (end, fields, closed) = (scanner.rowStart, scanner.rowField, scanner.fieldCount)
        let table = CSVTable(bytes: held, ends: ends, rows: scanner.takeRows(), fieldCount: fields)
        let invalid = scanner.hasWideBytes ? table.invalidByte(before: end) : nil
        var count = invalid?.row ?? table.rows.count
        if let fault = invalid?.fault ?? scanFault {
            failure = place.error(fault, rowsBefore: count, in: held, dialect.lineEnding)
        }
        let first = takeHeader(of: table, &count)
        let batch = CSVBatch(table, header: header, place: place, dialect: dialect)
        place.advance(over: held, to: end, rows: table.rows.count, countsLines: scanner.hasQuotes, dialect.lineEnding)
        held = failure == nil ? Array(held[end...]) : []
        ends = ends[fields..<closed].map { $0 &- UInt32(truncatingIfNeeded: end) }
        return CSVRows(batch, first..<count)
    }

    /// Reads the header if it is expected, and returns the number of rows that it uses.
    private mutating func takeHeader(of table: CSVTable, _ count: inout Int) -> Int {
        guard options.hasHeader, header == nil, count > 0 else { return 0 }
        do throws(CSVError) {
            let header = try CSVHeader((0..<table.fields(ofRow: 0).count).map { table.string(table.raw($0, ofRow: 0)) })
            try header.check(allowed: options.columns)
            self.header = header
        } catch {
            let offset = table.fieldStart(error.column - 1, ofRow: 0)
            let fault = CSVFault(
                reason: error.reason, offset: offset, column: error.column - 1, expected: error.expected)
            failure = place.error(fault, rowsBefore: 0, in: held, dialect.lineEnding, name: error.name)
            count = 1
        }
        return 1
    }
}
