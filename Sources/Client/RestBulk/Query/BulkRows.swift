// SPDX-License-Identifier: Apache-2.0

/// The rows of a bulk query's result, all of them, in order, read as they are asked for.
public struct BulkRows: AsyncSequence, Sendable {
    /// A row with the names of its columns.
    public typealias Element = CSVRow
    /// What an iteration can throw.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Begins at the query's position, or with a job of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// Hands out row after row.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var reader: ResultReader?
        private var page: RowPage?
        private var rows = CSVRows()
        private var given = 0
        private var isOver = false
        /// The job, once it has ended.
        public private(set) var job: BulkJob?
        /// Where the iteration stands: behind the last row that was given; `nil` before the first one was asked for.
        public private(set) var position: BulkPosition?

        init(query: BulkQuery) {
            self.query = query
        }

        /// The next row, or `nil` behind the last.
        ///
        /// - Throws: ``BulkError``, with the position behind the last row that was given; the iteration is over then.
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

        /// A page may end with a row that has no line ending.
        private mutating func endPage() throws(CSVError) {
            rows = try page?.finish() ?? CSVRows()
            page = nil
            guard let next = reader?.position else { return }
            // The rows that are left count before the position does.
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

/// The rows of one page, read from a place in it.
private struct RowPage: Sendable {
    private var reader: CSVReader
    private let start: Int
    private let lineEnd: Int

    /// Reads a page whose first bytes, behind the header, were read before.
    init(_ header: [UInt8], _ offset: Int, _ job: BulkJob?) throws(CSVError) {
        let dialect = job?.dialect ?? .platform()
        reader = CSVReader(dialect)
        _ = try reader.push(header)
        start = offset - header.count
        lineEnd = dialect.lineEnding == .crlf ? 2 : 1
    }

    mutating func push(_ bytes: ArraySlice<UInt8>) throws(CSVError) -> CSVRows { try reader.push(Array(bytes)) }

    mutating func finish() throws(CSVError) -> CSVRows { try reader.finish() }

    /// The place in the page where the next row begins.
    func offset(behind row: CSVRow) -> Int { start + row.textRange.upperBound + lineEnd }
}

/// The rows of a bulk query's result as values of a type.
public struct BulkRecords<Row: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A row as a value.
    public typealias Element = Row
    /// What an iteration can throw.
    public typealias Failure = BulkError

    let rows: BulkRows
    let options: CSVDecodingOptions

    /// Begins at the query's position, or with a job of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rows: rows.makeAsyncIterator(), options: options)
    }

    /// Hands out value after value.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rows: BulkRows.AsyncIterator
        private let options: CSVDecodingOptions

        init(rows: BulkRows.AsyncIterator, options: CSVDecodingOptions) {
            (self.rows, self.options) = (rows, options)
        }

        /// The job, once it has ended.
        public var job: BulkJob? { rows.job }
        /// Where the iteration stands: behind the last row that was given.
        public var position: BulkPosition? { rows.position }

        /// The next value, or `nil` behind the last.
        ///
        /// - Throws: ``BulkError``; ``BulkError/Code/row`` for one that does not make the type, with the position
        ///   behind it, so that who goes on from there passes over it.
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

/// A bulk query's result as one CSV text, piece by piece.
public struct BulkChunks: AsyncSequence, Sendable {
    /// A piece of the text.
    public typealias Element = [UInt8]
    /// What an iteration can throw.
    public typealias Failure = BulkError

    let query: BulkQuery

    /// Begins at the query's position, or with a job of its own.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }

    /// Hands out piece after piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let query: BulkQuery
        private var text: ResultText?
        private var isOver = false

        init(query: BulkQuery) {
            self.query = query
        }

        /// Where the iteration stands: behind the last piece that was given.
        public var position: BulkPosition? { text?.position }

        private mutating func begin() async throws(BulkError) {
            let (reader, job) = try await query.reader()
            text = ResultText(reader, job, hasHeader: reader.position != BulkPosition(job: job.id))
        }

        /// The next piece, or `nil` behind the last.
        ///
        /// - Throws: ``BulkError``, with the position behind the last piece that was given; the iteration is over
        ///   then.
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

/// The pages of a result put together: one header, and a line ending behind each row that another one follows.
struct ResultText: Sendable {
    private var reader: ResultReader
    private let lineEnd: ArraySlice<UInt8>
    private var hasHeader: Bool

    /// Reads on.
    ///
    /// - Parameters:
    ///   - reader: the pages.
    ///   - job: their job.
    ///   - hasHeader: whether the text has its header already.
    init(_ reader: ResultReader, _ job: BulkJob, hasHeader: Bool) {
        (self.reader, self.hasHeader) = (reader, hasHeader)
        lineEnd = job.dialect.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
    }

    /// Where the reading stands.
    var position: BulkPosition { reader.position }

    /// The next bytes of the text; `nil` at its end.
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
