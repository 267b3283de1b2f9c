// SPDX-License-Identifier: Apache-2.0

struct CSVRowStart: Sendable {
    let offset: UInt32
    /// The index of its first field in the batch.
    let field: UInt32
}

/// Finds fields and rows in bytes, and can stop at any byte and resume with the next chunk.
///
/// It examines only special bytes: delimiters, quotes and line breaks. The requirement after a quote or a carriage
/// return is checked at the next special byte, which must be the very next byte.
struct CSVScanner: Sendable {
    private enum Mode: UInt8 {
        case plain
        case quoted
        /// After a quote at `mark` that may have closed a field.
        case closed
        /// After a carriage return at `mark` that requires a line feed.
        case afterReturn
    }

    private let delimiter: UInt8
    private let lineEnding: CSVDialect.LineEnding?
    private let limits: CSVLimits
    /// The row length above which each field is checked against the limits.
    private let quickLimit: Int
    /// The required number of fields, or `nil` before the first row or if rows may differ.
    private var width: Int?
    private let isRagged: Bool

    private var mode = Mode.plain
    private var mark = 0
    private var fieldStart = 0
    /// The start of the unfinished row, and the index of its first field.
    private(set) var rowStart = 0
    private(set) var rowField = 0
    private(set) var fieldCount = 0
    /// The number of fields of the unfinished row that were checked against the limits.
    private var checkedFields = 0
    private(set) var rows: [CSVRowStart] = []
    /// Whether there was a quote, so that lines and rows may differ.
    private(set) var hasQuotes = false
    /// The positions in a block at which there were non-ASCII bytes.
    private var wide = SIMDMask<SIMD64<Int8>>(repeating: false)

    init(_ dialect: CSVDialect, limits: CSVLimits, isRagged: Bool) {
        delimiter = dialect.delimiter.byte
        lineEnding = dialect.lineEnding
        self.limits = limits
        self.isRagged = isRagged
        quickLimit = min(limits.maximumFieldBytes, limits.maximumRowBytes)
    }

    /// Whether there may have been non-ASCII bytes.
    var hasWideBytes: Bool { any(wide) }

    /// Takes the rows, and continues as if the text began with the unfinished row.
    mutating func takeRows() -> [CSVRowStart] {
        let taken = rows
        rows = []
        mark -= rowStart
        fieldStart -= rowStart
        fieldCount -= rowField
        (rowStart, rowField) = (0, 0)
        return taken
    }

    /// Skips bytes at the beginning of a text that do not belong to a row.
    mutating func skip(to offset: Int) {
        (rowStart, fieldStart) = (offset, offset)
    }
}

extension CSVScanner {
    /// Scans bytes, where `ends` must have room for one field per byte.
    mutating func scan(
        _ source: CSVSource, from start: Int, to end: Int, into ends: CSVFieldEnds
    ) throws(CSVFault) {
        let delimiters = SIMD64<UInt8>(repeating: delimiter)
        let quotes = SIMD64<UInt8>(repeating: CSVByte.quote)
        let feeds = SIMD64<UInt8>(repeating: CSVByte.lineFeed)
        let returns = SIMD64<UInt8>(repeating: CSVByte.carriageReturn)
        let firstWide = SIMD64<UInt8>(repeating: 0x80)
        var at = start
        while at < end {
            let block = source.block(at)
            wide .|= block .>= firstWide
            var marks = ((block .== delimiters) .| (block .== quotes) .| (block .== feeds) .| (block .== returns)).bits
            if end &- at < CSVSource.step { marks &= (1 &<< UInt64(truncatingIfNeeded: end &- at)) &- 1 }
            while marks != 0 {
                let place = at &+ marks.trailingZeroBitCount
                marks &= marks &- 1
                let byte = source.byte(place)
                if byte == delimiter, mode == .plain {
                    endField(at: place, next: place &+ 1, ends)
                } else {
                    try take(byte, at: place, ends)
                }
            }
            at &+= CSVSource.step
        }
    }

    @inline(__always)
    private mutating func endField(at end: Int, next: Int, _ ends: CSVFieldEnds) {
        ends.write(end, at: fieldCount)
        fieldCount &+= 1
        fieldStart = next
    }

    /// Processes a special byte, other than a delimiter outside of quotes.
    private mutating func take(_ byte: UInt8, at place: Int, _ ends: CSVFieldEnds) throws(CSVFault) {
        switch mode {
        case .plain:
            try takePlain(byte, at: place, ends)
        case .quoted:
            guard byte == CSVByte.quote else { return }
            (mode, mark) = (.closed, place)
        case .closed:
            guard place == mark &+ 1 else { throw fault(.textAfterQuote, at: mark &+ 1) }
            guard byte != CSVByte.quote else {
                mode = .quoted
                return
            }
            mode = .plain
            if byte == delimiter {
                endField(at: place, next: place &+ 1, ends)
            } else {
                try takePlain(byte, at: place, ends)
            }
        case .afterReturn:
            guard byte == CSVByte.lineFeed, place == mark &+ 1 else { throw fault(.lineEnding, at: mark) }
            mode = .plain
            try endRow(at: mark, next: place &+ 1, ends)
        }
    }

    /// Processes a quote or a line break outside of quotes.
    @inline(__always)
    private mutating func takePlain(_ byte: UInt8, at place: Int, _ ends: CSVFieldEnds) throws(CSVFault) {
        if byte == CSVByte.lineFeed {
            guard lineEnding == nil || lineEnding == .lf else { throw fault(.lineEnding, at: place) }
            try endRow(at: place, next: place &+ 1, ends)
        } else if byte == CSVByte.quote {
            guard place == fieldStart else { throw fault(.strayQuote, at: place) }
            mode = .quoted
            hasQuotes = true
        } else if lineEnding == .cr {
            try endRow(at: place, next: place &+ 1, ends)
        } else {
            guard lineEnding != .lf else { throw fault(.lineEnding, at: place) }
            (mode, mark) = (.afterReturn, place)
        }
    }

    private mutating func endRow(at end: Int, next: Int, _ ends: CSVFieldEnds) throws(CSVFault) {
        endField(at: end, next: next, ends)
        let count = fieldCount &- rowField
        if end &- rowStart > quickLimit || count > limits.maximumColumns {
            try checkFields(upTo: end, ends, isWhole: true)
        }
        if let width, count != width {
            throw CSVFault(
                reason: .width, offset: rowStart, column: min(count, width),
                expected: "\(width) fields in every row; this one has \(count)")
        }
        if width == nil, !isRagged { width = count }
        rows.append(
            CSVRowStart(
                offset: UInt32(truncatingIfNeeded: rowStart), field: UInt32(truncatingIfNeeded: rowField)))
        (rowStart, rowField, checkedFields) = (next, fieldCount, 0)
    }
}

extension CSVScanner {
    /// Ends the text after its last byte, and with it the last row.
    mutating func finish(at end: Int, into ends: CSVFieldEnds) throws(CSVFault) {
        switch mode {
        case .plain: break
        case .quoted: throw fault(.unterminatedQuote, at: fieldStart)
        case .closed: guard mark == end - 1 else { throw fault(.textAfterQuote, at: mark + 1) }
        case .afterReturn: throw fault(.lineEnding, at: mark)
        }
        guard rowStart < end else { return }
        mode = .plain
        try endRow(at: end, next: end, ends)
    }

    /// Checks the unfinished row, so that an error in it is reported before the next special byte.
    mutating func checkUnfinished(at end: Int, _ ends: CSVFieldEnds) throws(CSVFault) {
        if mark + 1 < end {
            if mode == .closed { throw fault(.textAfterQuote, at: mark + 1) }
            if mode == .afterReturn { throw fault(.lineEnding, at: mark) }
        }
        // A carriage return at the end does not belong to a field.
        try checkLimits(upTo: mode == .afterReturn ? mark : end, ends)
    }

    mutating func checkLimits(upTo end: Int, _ ends: CSVFieldEnds) throws(CSVFault) {
        guard end - rowStart > quickLimit || fieldCount - rowField >= limits.maximumColumns else { return }
        try checkFields(upTo: end, ends, isWhole: false)
    }

    /// Checks the unchecked fields of the row (even an open field up to an offset), and throws the first exceeded
    /// limit.
    private mutating func checkFields(upTo end: Int, _ ends: CSVFieldEnds, isWhole: Bool) throws(CSVFault) {
        let closed = fieldCount - rowField
        while checkedFields <= closed {
            let isOpen = checkedFields == closed
            if isOpen, isWhole { return }
            let start = checkedFields == 0 ? rowStart : ends.end(at: rowField + checkedFields - 1) + 1
            try check(column: checkedFields, from: start, to: isOpen ? end : ends.end(at: rowField + checkedFields))
            if isOpen { return }
            checkedFields += 1
        }
    }

    private func check(column: Int, from start: Int, to end: Int) throws(CSVFault) {
        let (field, row) = (start + limits.maximumFieldBytes, rowStart + limits.maximumRowBytes)
        if column >= limits.maximumColumns {
            throw tooLarge(column, at: start, "at most \(limits.maximumColumns) columns")
        }
        guard end > min(field, row) else { return }
        if field <= row { throw tooLarge(column, at: field, "fields of at most \(limits.maximumFieldBytes) bytes") }
        throw tooLarge(column, at: row, "rows of at most \(limits.maximumRowBytes) bytes")
    }

    private func tooLarge(_ column: Int, at offset: Int, _ expected: String) -> CSVFault {
        CSVFault(reason: .tooLarge, offset: offset, column: column, expected: expected)
    }

    @inline(never)
    private func fault(_ reason: CSVError.Reason, at offset: Int) -> CSVFault {
        let expected =
            switch reason {
            case .strayQuote: "quotes around the whole field, and doubled quotes inside it"
            case .textAfterQuote: "a delimiter or the end of the row after a closing quote"
            case .unterminatedQuote: "a closing quote"
            default: lineEnding.map { "\($0.rawValue) at the end of every row" } ?? "LF or CRLF at the end of every row"
            }
        return CSVFault(reason: reason, offset: offset, column: fieldCount - rowField, expected: expected)
    }
}
