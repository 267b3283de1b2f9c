// SPDX-License-Identifier: Apache-2.0

/// All rows of a bulk query's result, in order, read on demand.
public struct BulkRows: AsyncSequence, Sendable {
    /// A row with the names of its columns.
    public typealias Element = CSVRow
    /// The error of an iteration.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Begins at the query's position, or with a new job.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// The iterator of the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var reader: ResultReader?
        private var page: RowPage?
        private var rows = CSVRows()
        private var given = 0
        private var isOver = false
        /// The job, or `nil` until it has ended.
        public private(set) var job: BulkJob?
        /// The position after the last row that was returned, or `nil` before the first call of `next()`.
        public private(set) var position: BulkPosition?

        init(query: BulkQuery) { self.query = query }

        /// Returns the next row, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``, with the position after the last row that was returned. The iteration is then over.
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
            guard let chunk = try await reader?.next() else { return isOver = true }
            let number = position?.rows ?? 0
            do throws(CSVError) {
                switch chunk {
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
            // `position.rows` grows when the remaining rows are returned.
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

/// The rows of one page, from a position in it.
private struct RowPage: Sendable {
    private var reader: CSVReader
    private let start: Int
    private let lineEnd: Int

    /// Begins a page at an offset after the header.
    init(_ header: [UInt8], _ offset: Int, _ job: BulkJob?) throws(CSVError) {
        let dialect = job?.dialect ?? .platform()
        reader = CSVReader(dialect)
        _ = try reader.push(header)
        start = offset - header.count
        lineEnd = dialect.lineEnding == .crlf ? 2 : 1
    }

    mutating func push(_ bytes: ArraySlice<UInt8>) throws(CSVError) -> CSVRows { try reader.push(Array(bytes)) }

    mutating func finish() throws(CSVError) -> CSVRows { try reader.finish() }

    /// The offset in the page at which the next row begins.
    func offset(behind row: CSVRow) -> Int { start + row.textRange.upperBound + lineEnd }
}

/// The rows of a bulk query's result, decoded as values of a type.
public struct BulkRecords<Row: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded row.
    public typealias Element = Row
    /// The error of an iteration.
    public typealias Failure = BulkError

    let rows: BulkRows
    let options: CSVDecodingOptions

    /// Begins at the query's position, or with a new job.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rows: rows.makeAsyncIterator(), options: options)
    }

    /// The iterator of the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rows: BulkRows.AsyncIterator
        private let options: CSVDecodingOptions

        init(rows: BulkRows.AsyncIterator, options: CSVDecodingOptions) {
            (self.rows, self.options) = (rows, options)
        }

        /// The job, or `nil` until it has ended.
        public var job: BulkJob? { rows.job }
        /// The position after the last row that was returned.
        public var position: BulkPosition? { rows.position }

        /// Returns the next value, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``. If a row cannot be decoded, the code is ``BulkError/Code/row``, and the position is
        ///   after the row, so an iteration that continues there skips it.
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

/// A bulk query's result as one CSV text in chunks.
public struct BulkChunks: AsyncSequence, Sendable {
    /// A chunk of the text.
    public typealias Element = [UInt8]
    /// The error of an iteration.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Begins at the query's position, or with a new job.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// The iterator of the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var text: ResultText?
        private var isOver = false

        init(query: BulkQuery) { self.query = query }

        /// The position after the last chunk that was returned.
        public var position: BulkPosition? { text?.position }

        private mutating func begin() async throws(BulkError) {
            let (reader, job) = try await query.reader()
            text = ResultText(reader, job, hasHeader: reader.position != BulkPosition(job: job.id))
        }

        /// Returns the next chunk, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``, with the position after the last chunk that was returned. The iteration is then
        ///   over.
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

/// The pages of a result as one text: one header, and a line ending between all rows.
struct ResultText: Sendable {
    private var reader: ResultReader
    private let lineEnd: ArraySlice<UInt8>
    private var hasHeader: Bool

    /// Continues the text with the pages of a job, where `hasHeader` means that the text already has its header.
    init(_ reader: ResultReader, _ job: BulkJob, hasHeader: Bool) {
        (self.reader, self.hasHeader) = (reader, hasHeader)
        lineEnd = job.dialect.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
    }

    var position: BulkPosition { reader.position }

    /// The next bytes of the document, or `nil` at its end.
    mutating func next() async throws(BulkError) -> ArraySlice<UInt8>? {
        while let chunk = try await reader.next() {
            switch chunk {
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
