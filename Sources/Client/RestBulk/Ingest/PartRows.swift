// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The rows of one part as they are sent, from the source file or from the part's own file.
struct PartRows: Sendable {
    let path: String
    let dialect: CSVDialect
    /// The header that is sent before the range, or empty if the file contains it.
    private let header: [UInt8]
    private let file: FileParts
    private let range: Range<Int64>

    /// Opens the file with the rows of a part.
    ///
    /// - Throws: ``BulkError/Code/file`` if the file is missing, ``BulkError/Code/sourceChanged`` if it was changed or
    ///   replaced.
    init(_ part: LoadRecord.Part, of plan: LoadRecord.Plan, source: String?, _ folder: LoadDirectory) throws(BulkError)
    {
        dialect = plan.dialect
        path = part.start == nil ? folder.rows(of: part.number) : source ?? ""
        do throws(TransportError) { file = try FileParts(path: path) } catch { throw .file(error, path) }
        guard let start = part.start, let end = part.end else {
            (header, range) = ([], 0..<file.state.size)
            guard file.state.size == part.bytes else {
                throw BulkError(.sourceChanged, "\(path): the file is not the file that the load wrote")
            }
            return
        }
        guard file.state.text == plan.source else {
            throw BulkError(.sourceChanged, "\(path): the file has changed since the load began")
        }
        do throws(CSVError) {
            var writer = try CSVWriter(plan.dialect, columns: plan.columns)
            header = writer.takeBytes()
        } catch {
            throw BulkError(error, row: nil)
        }
        range = start..<end
    }

    /// The rows as the body of an upload, which can be sent repeatedly.
    var body: HTTPBody {
        let part = HTTPBody.File.part(range, of: file)
        guard !header.isEmpty else { return .file(part) }
        let header = header
        return .stream(
            .restartable(length: Int64(header.count) + Int64(range.count)) {
                let source = try FileSource(part)
                let isBegun = FirstTime()
                return { isBegun.isFirst() ? header : try source.next() }
            })
    }

    var cursor: RowCursor { RowCursor(file, range, header: header, dialect) }
}

/// A flag that is true once.
private final class FirstTime: Sendable {
    private let hasBeen = Mutex(false)

    func isFirst() -> Bool {
        hasBeen.withLock { hasBeen in
            defer { hasBeen = true }
            return !hasBeen
        }
    }
}

/// Reads the rows of a CSV file, or of a range of it.
struct RowCursor: Sendable {
    private static let span = 1 << 19

    private let file: FileParts
    private let end: Int64
    private let before: Int
    private var reader: CSVReader
    private var chunk: [UInt8]
    private var place: Int64
    private var rows = CSVRows()
    private var given = 0
    private var isAtEnd = false
    /// The number of rows that were returned.
    private(set) var count = 0

    /// Creates a cursor before the first row of a range, where errors add the number of rows before the range.
    ///
    /// `header` is empty if the range contains the header row.
    init(_ file: FileParts, _ range: Range<Int64>, header: [UInt8] = [], _ dialect: CSVDialect, before: Int = 0) {
        (self.file, self.before) = (file, before)
        (place, end, chunk) = (range.lowerBound, range.upperBound, header)
        reader = CSVReader(dialect)
    }

    /// The names of the columns, or `nil` before the first call of ``next()``.
    var header: CSVHeader? { reader.header }

    /// Returns the next row, or `nil` after the last one.
    mutating func next() throws(BulkError) -> CSVRow? {
        while given == rows.count {
            guard !isAtEnd else { return nil }
            try readOn()
        }
        (given, count) = (given + 1, count + 1)
        return rows[given - 1]
    }

    private mutating func readOn() throws(BulkError) {
        given = 0
        if chunk.isEmpty, place < end {
            let length = Int(min(Int64(Self.span), end - place))
            do throws(TransportError) { chunk = try file.read(from: place, count: length) } catch {
                throw .file(error, file.path)
            }
            place += Int64(length)
        }
        isAtEnd = chunk.isEmpty
        do throws(CSVError) { rows = try isAtEnd ? reader.finish() : reader.push(chunk) } catch {
            throw BulkError(error, row: before + count + 1)
        }
        chunk = []
    }
}
