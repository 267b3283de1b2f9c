// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// How large a part may be.
struct PartLimits: Sendable {
    let bytes: Int
    let rows: Int
}

/// Cuts the rows of a source into parts, each as large as a job may be.
protocol PartCutter {
    /// What is loaded; `nil` when there is not a single row.
    mutating func plan(_ target: LoadTarget) async throws(BulkError) -> LoadRecord.Plan?

    /// Passes over a part that was cut before, and makes its file where that is missing.
    mutating func pass(_ part: LoadRecord.Part) async throws(BulkError)

    /// Cuts the next part; `nil` when there are no more rows.
    mutating func next(_ number: Int, before: Int) async throws(BulkError) -> LoadRecord.Part?
}

/// Cuts rows that are made one by one; each part becomes a file.
struct FeedCutter: PartCutter {
    /// How much is held before it is written.
    private static let span = 1 << 18

    private var feed: any RowFeed
    private let wanted: [String]?
    private let limits: PartLimits
    private let folder: LoadFolder
    private var writer: CSVWriter?
    private var header: [UInt8] = []
    private var checks = RowLimits(columns: [], dialect: .platform())
    /// A row that did not fit into the part before.
    private var held: [UInt8]?

    init(_ feed: any RowFeed, columns: [String]?, _ limits: PartLimits, _ folder: LoadFolder) {
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
        guard !columns.isEmpty else { throw BulkError(.row, "the first row has no fields", row: 1) }
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
                .sourceChanged, "the rows from \(part.before + 1) to \(end) are not those that the load began with")
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
            let start = writer.count
            guard try await feed.write(to: &writer) else { break }
            if wanted == nil, file.count + writer.count > limits.bytes, rows > 0 {
                let bytes = writer.takeBytes()
                try file.add(bytes[..<start])
                let row = bytes[start...]
                try checks.check(row, before + rows + 1)
                held = Array(row)
                break
            }
            rows += 1
            if writer.count - start > RowLimits.longestField || writer.count >= Self.span {
                let bytes = writer.takeBytes()
                try checks.check(bytes[start...], before + rows)
                try file.add(bytes[...])
            }
        }
        try file.add(writer.takeBytes()[...])
        guard rows > 0 else { return nil }
        return LoadRecord.Part(
            number: number, before: before, rows: rows, start: nil, end: nil, bytes: Int64(file.count),
            hash: try file.finish())
    }
}

/// The file of a part while it is made; without a path only its hash is.
private struct PartFile {
    private let path: String
    private let file: FileWriter?
    private var hash = RunningSHA256()
    /// How many bytes it has.
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
        do throws(TransportError) { try file?.write(Array(bytes)) } catch { throw .file(error, path) }
    }

    func finish() throws(BulkError) -> String {
        do throws(TransportError) { try file?.finish() } catch { throw .file(error, path) }
        guard let digest = hash.digest else { throw BulkError(.file, "\(path): there is no memory for its hash") }
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

    /// How the rows are written.
    var dialect: CSVDialect {
        .platform(
            delimiter: CSVDialect.Delimiter.platformNames[delimiter] ?? .comma,
            lineEnding: CSVDialect.LineEnding(rawValue: lineEnding) ?? .lf)
    }
}
