// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

struct PartLimits: Sendable {
    let bytes: Int
    let rows: Int
}

/// Splits the rows of a source into parts for one job each.
protocol PartCutter {
    mutating func plan(_ target: LoadTarget) async throws(BulkError) -> LoadRecord.Plan?

    /// Passes over a part of an earlier run, and writes its file if it is missing.
    mutating func pass(_ part: LoadRecord.Part) async throws(BulkError)

    /// Cuts the next part, or `nil` if there are no more rows.
    mutating func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part?
}

/// Cuts the rows of a feed, and writes each part to a file.
struct FeedCutter: PartCutter {
    /// The number of bytes from which the buffer is written to the file.
    private static let span = 1 << 18

    private var feed: any RowFeed
    private let wanted: [String]?
    private let limits: PartLimits
    private let folder: LoadDirectory
    private var writer: CSVWriter?
    private var header: [UInt8] = []
    private var checks = RowLimits(columns: [], dialect: .platform())
    /// A row that did not fit into the previous part.
    private var held: [UInt8]?

    init(_ feed: any RowFeed, columns: [String]?, _ limits: PartLimits, _ folder: LoadDirectory) {
        (self.feed, wanted, self.limits, self.folder) = (feed, columns, limits, folder)
    }

    mutating func plan(_ target: LoadTarget) async throws(BulkError) -> LoadRecord.Plan? {
        let columns: [String]
        if let wanted {
            columns = wanted
        } else {
            guard let first = try await feed.columns() else { return nil }
            columns = first
        }
        guard !columns.isEmpty else {
            throw BulkError(.row, "the first row has no fields; write the names of the columns into it", row: 1)
        }
        try target.check(columns)
        do throws(CSVError) {
            var writer = try CSVWriter(.platform(), columns: columns)
            header = writer.takeBytes()
            self.writer = writer
        } catch {
            throw BulkError(error, row: nil)
        }
        checks = RowLimits(columns: columns, dialect: .platform())
        return LoadRecord.Plan(target, columns, .platform(), source: nil)
    }

    mutating func pass(_ part: LoadRecord.Part) async throws(BulkError) {
        let path = folder.rows(of: part.number)
        let isThere = (try? FileParts(path: path)).map { $0.state.size == part.bytes } ?? false
        let cut = try await cut(part.number, before: part.before, rows: part.rows, to: isThere ? nil : path)
        guard cut == part else {
            let end = part.before + part.rows
            throw BulkError(
                .sourceChanged, "the rows from \(part.before + 1) to \(end) have changed since the load began")
        }
    }

    mutating func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part? {
        try await cut(number, before: before, rows: nil, to: folder.rows(of: number))
    }

    private mutating func cut(
        _ number: Int, before: Int, rows wanted: Int?, to path: String?
    ) async throws(BulkError) -> LoadRecord.Part? {
        guard var writer else { return nil }
        defer { self.writer = writer }
        var file = try PartFile(path)
        try file.add(header[...])
        var rows = 0
        if let held {
            self.held = nil
            rows = 1
            try file.add(held[...])
        }
        while rows < wanted ?? limits.rows {
            let room = wanted == nil ? min(Self.span, limits.bytes - file.count + 1) : Self.span
            let (count, last) = try await feed.write(
                to: &writer, rows: (wanted ?? limits.rows) - rows, bytes: room)
            guard count > 0 else { break }
            rows += count
            let isTooMuch = wanted == nil && file.count + writer.count > limits.bytes && rows > 1
            guard isTooMuch || writer.count - last > RowLimits.longestField || writer.count >= Self.span else {
                continue
            }
            let bytes = writer.takeBytes()
            try checks.check(bytes[last...], before + rows)
            guard !isTooMuch else {
                try file.add(bytes[..<last])
                held = Array(bytes[last...])
                rows -= 1
                break
            }
            try file.add(bytes[...])
        }
        try file.add(writer.takeBytes()[...])
        guard rows > 0 else { return nil }
        return LoadRecord.Part(
            number: number, before: before, rows: rows, start: nil, end: nil, bytes: Int64(file.count),
            hash: try file.finish())
    }
}

/// The file of a part while it is written, or only its hash without a path.
private struct PartFile {
    private let path: String
    private let file: FileWriter?
    private var hash = RunningSHA256()
    private(set) var count = 0

    init(_ path: String?) throws(BulkError) {
        self.path = path ?? ""
        do throws(TransportError) {
            file = try path.map { path throws(TransportError) in try FileWriter(path: path) }
        } catch {
            throw .file(error, path ?? "")
        }
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) throws(BulkError) {
        guard !bytes.isEmpty else { return }
        hash.update(bytes)
        count += bytes.count
        do throws(TransportError) { try file?.write(bytes) } catch { throw .file(error, path) }
    }

    func finish() throws(BulkError) -> String {
        do throws(TransportError) { try file?.finish() } catch { throw .file(error, path) }
        guard let digest = hash.digest else { throw BulkError(.file, "\(path): not enough memory for its hash") }
        return String(decoding: Hexadecimal.encode(digest), as: UTF8.self)
    }
}

extension LoadRecord.Plan {
    init(_ target: LoadTarget, _ columns: [String], _ dialect: CSVDialect, source: String?) {
        object = target.object
        operation = target.operation.name
        externalID = target.operation.externalID
        self.columns = columns
        delimiter = dialect.delimiter.platformName ?? ""
        lineEnding = (dialect.lineEnding ?? .lf).rawValue
        self.source = source
    }

    var dialect: CSVDialect {
        .platform(
            delimiter: CSVDialect.Delimiter.platformNames[delimiter] ?? .comma,
            lineEnding: CSVDialect.LineEnding(rawValue: lineEnding) ?? .lf)
    }
}

/// Cuts a CSV file into parts that are ranges of it, so nothing is copied.
struct FileCutter: PartCutter {
    private let file: FileParts
    private let limits: PartLimits
    private var dialect: CSVDialect
    private var checks: RowLimits
    private var header: [UInt8] = []
    private var rows: RowCursor
    /// A row that was read and is not in a part.
    private var held: CSVRow?
    /// The position in the file from which the cursor counts.
    private var base: Int64 = 0
    /// The position in the file of the next part.
    private var start: Int64 = 0

    init(path: String, _ dialect: CSVDialect, _ limits: PartLimits) throws(BulkError) {
        do throws(TransportError) { file = try FileParts(path: path) } catch { throw .file(error, path) }
        (self.dialect, self.limits) = (dialect, limits)
        checks = RowLimits(columns: [], dialect: dialect)
        rows = RowCursor(file, 0..<0, dialect)
    }

    mutating func plan(_ target: LoadTarget) async throws(BulkError) -> LoadRecord.Plan? {
        guard dialect.delimiter.platformName != nil else {
            throw BulkError(.argument, "unsupported delimiter; use comma, tab, semicolon, pipe, caret or backquote")
        }
        guard file.state.size > 0 else { return nil }
        let size = min(file.state.size, Int64(HeaderSplitter.longest))
        let beginning = try bytes(from: 0, count: Int(size))
        var splitter = HeaderSplitter()
        _ = try splitter.push(beginning)
        splitter.finish()
        header = splitter.header ?? []
        guard header.last == UInt8(ascii: "\n") || size == file.state.size else {
            throw BulkError(.row, "\(file.path): the first row does not end; end rows with LF or CRLF")
        }
        dialect.lineEnding = header.suffix(2) == [0x0D, 0x0A] ? .crlf : .lf
        let columns = try columns()
        try target.check(columns)
        checks = RowLimits(columns: columns, dialect: dialect)
        seek(Int64(header.count), rows: 0)
        return LoadRecord.Plan(target, columns, dialect, source: file.state.text)
    }

    private func columns() throws(BulkError) -> [String] {
        do throws(CSVError) {
            return try CSVDocument(parsing: header, dialect).header?.names ?? []
        } catch {
            throw BulkError(error, row: nil)
        }
    }

    private mutating func seek(_ place: Int64, rows before: Int) {
        (start, base, held) = (place, place - Int64(header.count), nil)
        rows = RowCursor(file, place..<max(place, file.state.size), header: header, dialect, before: before)
    }

    mutating func pass(_ part: LoadRecord.Part) async throws(BulkError) {
        guard let end = part.end else { throw BulkError(.sourceChanged, "the rows have changed since the load began") }
        seek(end, rows: part.before + part.rows)
    }

    mutating func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part? {
        let limit = Int64(limits.bytes) - Int64(header.count)
        let first = start
        var (end, count) = (start, 0)
        while count < limits.rows {
            if held == nil { held = try rows.next() }
            guard let row = held else { break }
            let range = row.textRange
            let last = min(file.state.size, base + Int64(range.upperBound + lineEnd))
            if last - first > limit, count > 0 { break }
            if range.count > RowLimits.longestField {
                let lower = row.range(at: 0).lowerBound - (row.isQuoted(at: 0) ? 1 : 0)
                try checks.check(row.bytes[lower..<(lower + range.count)], before + count + 1)
            }
            (end, count, held) = (last, count + 1, nil)
        }
        guard count > 0 else { return nil }
        start = end
        return LoadRecord.Part(
            number: number, before: before, rows: count, start: first, end: end,
            bytes: end - first + Int64(header.count), hash: nil)
    }

    private var lineEnd: Int { dialect.lineEnding == .crlf ? 2 : 1 }

    private func bytes(from place: Int64, count: Int) throws(BulkError) -> [UInt8] {
        do throws(TransportError) { return try file.read(from: place, count: count) } catch {
            throw .file(error, file.path)
        }
    }
}

/// The platform's limits for a row, which it checks only after the row was sent.
struct RowLimits: Sendable {
    /// The maximum length of a field, in characters.
    static let longestField = 131_072
    /// The maximum length of a row, in characters.
    static let longestRow = 400_000

    let columns: [String]
    let dialect: CSVDialect

    /// Rejects a row that exceeds a limit, where `number` counts from 1.
    ///
    /// - Throws: ``BulkError/Code/tooLarge`` with the row and the column.
    func check(_ bytes: ArraySlice<UInt8>, _ number: Int) throws(BulkError) {
        // A string never has more characters than bytes.
        guard bytes.count > Self.longestField else { return }
        let found: CSVRow?
        do throws(CSVError) {
            found = try CSVDocument(parsing: Array(bytes), dialect, options: .init(hasHeader: false)).rows.first
        } catch {
            throw BulkError(error, row: number)
        }
        guard let row = found else { return }
        var sum = 0
        for column in row.indices {
            let length = row[column].utf16.count
            sum += length
            guard length <= Self.longestField else {
                throw BulkError(
                    .tooLarge, "the field has \(length) characters; Salesforce accepts \(Self.longestField)",
                    row: number, column: column < columns.count ? columns[column] : nil)
            }
        }
        guard sum <= Self.longestRow else {
            throw BulkError(
                .tooLarge, "the row has \(sum) characters; Salesforce accepts \(Self.longestRow)", row: number)
        }
    }
}
