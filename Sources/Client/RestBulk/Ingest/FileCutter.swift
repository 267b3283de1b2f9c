// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Cuts a CSV file into parts, which are ranges of it: nothing is copied.
struct FileCutter: PartCutter {
    /// How much is read at a time.
    private static let span = 1 << 19

    private let file: FileParts
    private let limits: PartLimits
    private var dialect: CSVDialect
    private var checks: RowLimits
    private var header: [UInt8] = []
    /// The names of the columns before and behind which rows are read.
    private var reader: CSVReader
    /// The place in the file that the reader takes for its beginning.
    private var base: Int64 = 0
    /// How much of the file was read.
    private var read: Int64 = 0
    /// Where the next part begins.
    private var start: Int64 = 0
    /// Rows that were read and are in no part.
    private var rows = CSVRows()
    private var given = 0
    private var isAtEnd = false

    init(path: String, _ dialect: CSVDialect, _ limits: PartLimits) throws(BulkError) {
        do throws(TransportError) { file = try FileParts(path: path) } catch { throw .file(error, path) }
        (self.dialect, self.limits) = (dialect, limits)
        checks = RowLimits(columns: [], dialect: dialect)
        reader = CSVReader(dialect)
    }

    mutating func plan(_ target: LoadTarget) async throws(BulkError) -> LoadRecord.Plan? {
        guard dialect.delimiter.platformName != nil else {
            throw BulkError(.argument, "delimiter: the platform has six others")
        }
        guard file.state.size > 0 else { return nil }
        let size = min(file.state.size, Int64(HeaderSplitter.longest))
        let beginning = try bytes(from: 0, count: Int(size))
        var splitter = HeaderSplitter()
        _ = try splitter.push(beginning)
        splitter.finish()
        header = splitter.header ?? []
        guard header.last == UInt8(ascii: "\n") || size == file.state.size else {
            throw BulkError(.row, "\(file.path): the first row does not end; the platform reads LF or CRLF")
        }
        dialect.lineEnding = header.suffix(2) == [0x0D, 0x0A] ? .crlf : .lf
        let columns = try columns()
        try target.check(columns)
        checks = RowLimits(columns: columns, dialect: dialect)
        try seek(Int64(header.count))
        return LoadRecord.Plan(target, columns, dialect, source: file.state.text)
    }

    private func columns() throws(BulkError) -> [String] {
        do throws(CSVError) {
            return try CSVDocument(parsing: header, dialect).header?.names ?? []
        } catch {
            throw BulkError(error, row: nil)
        }
    }

    private mutating func seek(_ place: Int64) throws(BulkError) {
        (start, read, base) = (place, place, place - Int64(header.count))
        (reader, rows, given) = (CSVReader(dialect), CSVRows(), 0)
        do throws(CSVError) { _ = try reader.push(header) } catch { throw BulkError(error, row: nil) }
    }

    mutating func pass(_ part: LoadRecord.Part) async throws(BulkError) {
        guard let end = part.end else { throw BulkError(.sourceChanged, "the load began with other rows") }
        try seek(end)
    }

    mutating func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part? {
        let limit = Int64(limits.bytes) - Int64(header.count)
        let first = start
        var (end, count) = (start, 0)
        while count < limits.rows, let row = try row(after: before + count) {
            let range = row.textRange
            let last = min(file.state.size, base + Int64(range.upperBound + lineEnd))
            if last - first > limit, count > 0 { break }
            if range.count > RowLimits.longestField {
                let lower = row.range(at: 0).lowerBound - (row.isQuoted(at: 0) ? 1 : 0)
                try checks.check(row.bytes[lower..<(lower + range.count)], before + count + 1)
            }
            (end, count, given) = (last, count + 1, given + 1)
        }
        guard count > 0 else { return nil }
        start = end
        return LoadRecord.Part(
            number: number, before: before, rows: count, start: first, end: end,
            bytes: end - first + Int64(header.count), hash: nil)
    }

    private var lineEnd: Int { dialect.lineEnding == .crlf ? 2 : 1 }

    /// The next row that is in no part.
    private mutating func row(after number: Int) throws(BulkError) -> CSVRow? {
        while given == rows.count {
            guard !isAtEnd else { return nil }
            let count = Int(min(Int64(Self.span), file.state.size - read))
            let piece = count > 0 ? try bytes(from: read, count: count) : []
            (isAtEnd, given) = (count == 0, 0)
            read += Int64(count)
            do throws(CSVError) {
                rows = try isAtEnd ? reader.finish() : reader.push(piece)
            } catch {
                throw BulkError(error, row: number + 1)
            }
        }
        return rows[given]
    }

    private func bytes(from place: Int64, count: Int) throws(BulkError) -> [UInt8] {
        do throws(TransportError) { return try file.read(from: place, count: count) } catch {
            throw .file(error, file.path)
        }
    }
}
