// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A query that is read by pages or by a job, with the facts for the choice.
struct SizedRead: Sendable {
    /// The source of the rows after the choice.
    enum Source {
        case pages(first: QueryPage?, QueryPages.AsyncIterator)
        case rows(first: CSVRow?, BulkRows.AsyncIterator, QueryColumns)
        case over
    }

    let client: RestClient
    let query: SOQL
    let includingDeleted: Bool
    var batchSize: Int?
    let way: Bulk.Way?
    let options: BulkQuery.Options
    let report: (@Sendable (Bulk.Choice) -> Void)?

    /// Chooses the way, and returns the first page unless a job was requested.
    ///
    /// The first page reports the number of records, so a result of one page costs one request.
    func choose() async throws(RestError) -> (way: Bulk.Way, pages: Source) {
        func chosen(_ choice: Bulk.Choice, _ pages: Source) -> (way: Bulk.Way, pages: Source) {
            report?(choice)
            return (choice.way, pages)
        }
        func estimate(_ rows: Int, _ pageRows: Int, _ left: Int?) -> Bulk.Estimate {
            Bulk.Estimate(
                reading: query, rows: rows, pageRows: pageRows, limit: options.requestLimit, callsLeft: left,
                version: client.apiVersion)
        }
        if way == .bulk { return chosen(Bulk.Choice(.bulk, .requested), .over) }
        var sure = way.map { Bulk.Choice($0, .requested) }
        let feature = estimate(0, 1, nil).choice
        if way == nil, case .unsupported = feature.reason { sure = feature }
        if let sure {
            let pages = client.pages(query, batchSize: batchSize, includingDeleted: includingDeleted)
            return chosen(sure, .pages(first: nil, pages.makeAsyncIterator()))
        }
        let first: RestRequest =
            includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize)
        let response = try await client.send(first)
        let page = try QueryPage(response)
        let position = QueryPage.Position(
            totalSize: page.totalSize, recordCount: page.records.count, nextRecordsPath: page.nextRecordsPath)
        let rest = client.pages(from: position, batchSize: batchSize, completingChildren: false)
        let pages = Source.pages(first: page, rest.makeAsyncIterator())
        guard page.nextRecordsPath != nil else {
            return chosen(Bulk.Choice(.rest, .rows(page.totalSize, limit: options.requestLimit)), pages)
        }
        let facts = estimate(page.totalSize, page.records.count, response.allowance?.left)
        return chosen(await client.choice(facts, isWrite: false), pages)
    }

    /// Returns the pages as the source after a job has failed, or throws if it was requested or cancelled.
    func fallingBack(to pages: Source, after error: BulkError) throws(BulkError) -> Source {
        guard case .pages = pages, error.code != .cancelled, !Task.isCancelled else { throw error }
        report?(Bulk.Choice(.rest, .rejected(error.message)))
        return pages
    }

    /// Returns the source of the rows, after a job has returned its first row.
    func begin() async throws(BulkError) -> Source {
        let (way, pages): (Bulk.Way, Source)
        do throws(RestError) { (way, pages) = try await choose() } catch { throw BulkError(error, job: nil) }
        guard way == .bulk else { return pages }
        do throws(BulkError) { return try await job() } catch { return try fallingBack(to: pages, after: error) }
    }

    private func job() async throws(BulkError) -> Source {
        let columns: QueryColumns
        do throws(RestError) { columns = try await QueryColumns(of: query, client) } catch {
            throw BulkError(error, job: nil)
        }
        let job = client.bulk.query(query, includingDeleted: includingDeleted, options: options)
        var rows = job.rows.makeAsyncIterator()
        let first = try await rows.next()
        return .rows(first: first, rows, columns)
    }
}

/// The pages of a query that is read by its size, see `RestClient.read`.
///
/// The rows of a job are pages of up to 2,000 records.
public struct SizedPages: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = QueryPage
    /// The error of an iteration.
    public typealias Failure = BulkError

    let read: SizedRead

    /// Begins with the first page or with a job.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: read) }

    /// The iterator of the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private static let rowsPerPage = 2_000

        private let read: SizedRead
        /// The source, or `nil` before the choice.
        private var source: SizedRead.Source?
        /// The error after the rows that were already returned.
        private var failure: BulkError?

        init(read: SizedRead, source: SizedRead.Source? = nil) { (self.read, self.source) = (read, source) }

        /// Returns the next page, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``, after every row before it was returned. The iteration is then over.
        ///   ``BulkError/position`` of a job and `RestError.queryPosition` of ``BulkError/rest`` are where to continue.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError)
            -> QueryPage?
        {
            if let failure {
                (source, self.failure) = (.over, nil)
                throw failure
            }
            var current = source
            source = .over
            if current == nil { current = try await read.begin() }
            switch current ?? .over {
            case .over: return nil
            case .pages(let first?, let rest):
                source = .pages(first: nil, rest)
                return first
            case .pages(nil, var rest):
                do throws(RestError) {
                    guard let page = try await rest.next(isolation: actor) else { return nil }
                    source = .pages(first: nil, rest)
                    return page
                } catch {
                    throw BulkError(error, job: nil)
                }
            case .rows(let first, var rows, let columns):
                let page = await page(first, &rows, columns)
                if page != nil { source = .rows(first: nil, rows, columns) }
                guard page == nil, let failure else { return page }
                self.failure = nil
                throw failure
            }
        }

        /// Returns the next rows as a page, and keeps an error until they were returned.
        private mutating func page(
            _ first: CSVRow?, _ rows: inout BulkRows.AsyncIterator, _ columns: QueryColumns
        ) async -> QueryPage? {
            var records = first.map { [columns.record($0)] } ?? []
            do throws(BulkError) {
                while records.count < Self.rowsPerPage, let row = try await rows.next() {
                    records.append(columns.record(row))
                }
            } catch {
                failure = error
            }
            guard !records.isEmpty else { return nil }
            return QueryPage(totalSize: rows.job?.recordsProcessed ?? 0, records: JSONArray(records))
        }
    }
}

/// The records of a query that is read by its size, see `RestClient.read`.
public struct SizedRecords<Element: Sendable>: AsyncSequence, Sendable {
    /// The error of an iteration.
    public typealias Failure = BulkError

    /// The records page by page.
    public let pages: SizedPages
    /// The ids of the records to return, or `nil` for all records.
    var ids: Set<String>?
    let makeReader: @Sendable () -> (JSONValue) throws(RestError) -> Element

    /// Begins with the first page or with a job.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), ids: ids, read: makeReader())
    }

    /// The iterator of the records.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: SizedPages.AsyncIterator
        private let ids: Set<String>?
        private let read: (JSONValue) throws(RestError) -> Element
        private var records = JSONArray([]).makeIterator()
        private var isOver: Bool

        init(
            pages: SizedPages.AsyncIterator, ids: Set<String>?,
            read: @escaping (JSONValue) throws(RestError) -> Element
        ) {
            (self.pages, self.ids, self.read) = (pages, ids, read)
            isOver = ids?.isEmpty == true
        }

        /// Returns the next record, or `nil` after the last one.
        ///
        /// - Throws: ``BulkError``, see ``SizedPages/AsyncIterator/next(isolation:)``.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError)
            -> Element?
        {
            while !isOver {
                while let record = records.next() {
                    if let ids, !ids.contains(record["Id"]?.string ?? "") { continue }
                    do throws(RestError) { return try read(record) } catch {
                        isOver = true
                        throw BulkError(error, job: nil)
                    }
                }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                records = page.records.makeIterator()
            }
            return nil
        }
    }
}
