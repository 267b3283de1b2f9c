// SPDX-License-Identifier: Apache-2.0

/// All rows of a bulk query's result, in order, read on demand.
public struct BulkRows: AsyncSequence, Sendable {
    /// A row with the names of its columns.
    public typealias Element = CSVRow
    /// The error that an iteration can throw.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Starts at the query's position, or creates a new job.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// Iterates over the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var reader: ResultReader?
        private var page: RowPage?
        private var rows = CSVRows()
        private var given = 0
        private var isOver = false
        /// The job, available after it has finished.
        public private(set) var job: BulkJob?
        /// The position after the last returned row, or `nil` before the first call of `next(isolation:)`.
        public private(set) var position: BulkPosition?

        init(query: BulkQuery) {
            self.query = query
        }

        /// Returns the next row, or `nil` after the last.
        ///
        /// - Throws: ``BulkError`` with the position after the last returned row. The iteration is then finished.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError)
            -> CSVRow?
        {
            while given == rows.count {
                guard !isOver else { return nil }
                do throws(BulkError) {
                    try await readOn()
                } catch {
                    isOver = true
                    throw error.at(position)
                }
            }
            given += 1
            let row = rows[given - 1]
            position?.rows += 1
            if let page { position?.offset = page.offset(behind: row) }
            return row
        }

        private mutating func readOn() async throws(BulkError) {
            (rows, given) = (CSVRows(), 0)
            if reader == nil { try await begin() }
            guard let piece = try await reader?.next() else { return isOver = true }
            let number = position?.rows ?? 0
            do throws(CSVError) {
                switch piece {
                case .header(let header):
                    page = try RowPage(header, position?.offset ?? 0, job)
                    position?.columns = reader?.position.columns
                case .payload(let bytes): rows = try page?.push(bytes) ?? CSVRows()
                case .pageEnd: try endPage()
                }
            } catch {
                throw BulkError(error, row: number + 1, job: position?.jobID)
            }
        }

        /// Ends a page, whose last row may have no line ending.
        private mutating func endPage() throws(CSVError) {
            rows = try page?.finish() ?? CSVRows()
            page = nil
            guard let next = reader?.position else { return }
            // The remaining rows are counted before the position changes.
            position?.locator = next.locator
            position?.offset = next.offset
        }

        private mutating func begin() async throws(BulkError) {
            position = try await query.begin()
            guard let start = position else { return }
            let job = try await query.ended(start)
            self.job = job
            reader = ResultReader(job, from: start, query.calls, query.options)
        }
    }
}

/// The rows of one page, read from an offset in the page.
private struct RowPage: Sendable {
    private var reader: CSVReader
    private let start: Int
    private let lineEnd: Int

    /// Reads a page from an offset, after its header.
    init(_ header: [UInt8], _ offset: Int, _ job: BulkJob?) throws(CSVError) {
        let dialect = job?.dialect ?? .platform()
        reader = CSVReader(dialect)
        _ = try reader.push(header)
        start = offset - header.count
        lineEnd = dialect.lineEnding == .crlf ? 2 : 1
    }

    mutating func push(_ bytes: ArraySlice<UInt8>) throws(CSVError) -> CSVRows { try reader.push(Array(bytes)) }

    mutating func finish() throws(CSVError) -> CSVRows { try reader.finish() }

    /// The offset in the page of the following row.
    func offset(behind row: CSVRow) -> Int { start + row.textRange.upperBound + lineEnd }
}

/// The rows of a bulk query's result, decoded as values of a type.
public struct BulkRecords<Row: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded row.
    public typealias Element = Row
    /// The error that an iteration can throw.
    public typealias Failure = BulkError

    let rows: BulkRows
    let options: CSVDecodingOptions

    /// Starts at the query's position, or creates a new job.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rows: rows.makeAsyncIterator(), options: options)
    }

    /// Iterates over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rows: BulkRows.AsyncIterator
        private let options: CSVDecodingOptions

        init(rows: BulkRows.AsyncIterator, options: CSVDecodingOptions) {
            (self.rows, self.options) = (rows, options)
        }

        /// The job, available after it has finished.
        public var job: BulkJob? { rows.job }
        /// The position after the last row that was read, or `nil` before the first call of `next(isolation:)`.
        public var position: BulkPosition? { rows.position }

        /// Returns the next value, or `nil` after the last.
        ///
        /// - Throws: ``BulkError``. If a row cannot be decoded, the code is ``BulkError/Code/row`` and the position is
        ///   after that row, so a query that resumes there skips the row.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError) -> Row? {
            guard let row = try await rows.next(isolation: actor) else { return nil }
            do throws(CSVError) {
                return try row.decode(Row.self, options: options)
            } catch {
                throw BulkError(error, row: position?.rows, job: position?.jobID).at(position)
            }
        }
    }
}

/// A bulk query's result as one CSV document, in chunks.
public struct BulkChunks: AsyncSequence, Sendable {
    /// A chunk of the document.
    public typealias Element = [UInt8]
    /// The error that an iteration can throw.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Starts at the query's position, or creates a new job.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// Iterates over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var text: ResultText?
        private var isOver = false

        init(query: BulkQuery) {
            self.query = query
        }

        /// The position after the last returned chunk.
        public var position: BulkPosition? { text?.position }

        private mutating func begin() async throws(BulkError) {
            let (reader, job) = try await query.reader()
            text = ResultText(reader, job, hasHeader: reader.position != BulkPosition(job: job.id))
        }

        /// Returns the next chunk, or `nil` after the last.
        ///
        /// - Throws: ``BulkError`` with the position after the last returned chunk. The iteration is then finished.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError)
            -> [UInt8]?
        {
            guard !isOver else { return nil }
            do throws(BulkError) {
                if text == nil { try await begin() }
                guard let bytes = try await text?.next() else {
                    isOver = true
                    return nil
                }
                return Array(bytes)
            } catch {
                isOver = true
                throw error
            }
        }
    }
}

/// Joins the pages of a result to one document, with a single header and a line ending between pages.
struct ResultText: Sendable {
    private var reader: ResultReader
    private let lineEnd: ArraySlice<UInt8>
    private var hasHeader: Bool

    /// Continues a document, which may have its header already.
    init(_ reader: ResultReader, _ job: BulkJob, hasHeader: Bool) {
        (self.reader, self.hasHeader) = (reader, hasHeader)
        lineEnd = job.dialect.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
    }

    var position: BulkPosition { reader.position }

    /// The next bytes of the document, or `nil` at its end.
    mutating func next() async throws(BulkError) -> ArraySlice<UInt8>? {
        while let piece = try await reader.next() {
            switch piece {
            case .header(let header) where !hasHeader:
                hasHeader = true
                return header[...]
            case .payload(let bytes): return bytes
            case .pageEnd(isOpen: true) where !reader.isAtEnd: return lineEnd
            case .header, .pageEnd: break
            }
        }
        return nil
    }
}
