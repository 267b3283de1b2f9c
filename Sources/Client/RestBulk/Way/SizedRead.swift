// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A query that is read by pages or by a job, with the facts for the choice.
struct SizedRead: Sendable {
    let client: RestClient
    let query: SOQL
    let includingDeleted: Bool
    var batchSize: Int?
    /// The ids of the records to return, or `nil` for all records.
    var ids: Set<String>?
    let way: Bulk.Way?
    let options: BulkQuery.Options
    let report: (@Sendable (Bulk.Choice) -> Void)?

    /// Chooses the way, and returns it with the pages unless a job was requested.
    ///
    /// The first page reports the number of records, so a result of one page costs one request.
    func choose() async throws(RestError) -> (way: Bulk.Way, pages: SizedPages.Source) {
        func chosen(_ choice: Bulk.Choice, _ pages: SizedPages.Source) -> (way: Bulk.Way, pages: SizedPages.Source) {
            report?(choice)
            return (choice.way, pages)
        }
        var estimate = Bulk.Estimate(
            reading: query, rows: 0, pageRows: 1, limit: options.requestLimit, version: client.apiVersion)
        if let sure = way.map({ Bulk.Choice($0, .requested) }) ?? (estimate.isJobPossible ? nil : estimate.choice) {
            let pages = client.pages(query, batchSize: batchSize, includingDeleted: includingDeleted)
            return chosen(sure, sure.way == .bulk ? .over : .pages(first: nil, pages.makeAsyncIterator()))
        }
        let first: RestRequest =
            includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize)
        let response = try await client.send(first)
        let page = try QueryPage(response)
        let rest = client.pages(
            from: QueryPage.Position(
                totalSize: page.totalSize, recordCount: page.records.count, nextRecordsPath: page.nextRecordsPath),
            batchSize: batchSize, completingChildren: false)
        let pages = SizedPages.Source.pages(first: page, rest.makeAsyncIterator())
        guard page.nextRecordsPath != nil else {
            return chosen(Bulk.Choice(.rest, .rows(page.totalSize, limit: options.requestLimit)), pages)
        }
        estimate = Bulk.Estimate(
            reading: query, rows: page.totalSize, pageRows: page.records.count, limit: options.requestLimit,
            callsLeft: response.allowance?.left, version: client.apiVersion)
        return chosen(await client.choice(estimate, isWrite: false), pages)
    }

    /// Returns the pages as the source after a job has failed, or throws if it was requested or cancelled.
    func fallingBack(to pages: SizedPages.Source, after error: BulkError) throws(BulkError) -> SizedPages.Source {
        guard case .pages = pages, error.code != .cancelled, !Task.isCancelled else { throw error }
        report?(Bulk.Choice(.rest, .rejected(error.message)))
        return pages
    }

    /// Returns the source of the rows, after a job has returned its first row.
    func begin() async throws(RestError) -> SizedPages.Source {
        let (way, pages) = try await choose()
        guard way == .bulk else { return pages }
        do throws(BulkError) {
            do throws(BulkError) { return try await job() } catch { return try fallingBack(to: pages, after: error) }
        } catch {
            throw error.asRest
        }
    }

    private func job() async throws(BulkError) -> SizedPages.Source {
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

/// The pages of one iteration of a read, in which the rows of a job are pages of 2,000 records.
final class SizedPages {
    /// The source of the rows after the choice.
    enum Source {
        case pages(first: QueryPage?, QueryPages.AsyncIterator)
        case rows(first: CSVRow?, BulkRows.AsyncIterator, QueryColumns)
        case over
    }

    private static let rowsPerPage = 2_000

    private let read: SizedRead
    /// The source, or `nil` before the choice.
    private var source: Source?
    /// The error after the rows that were already returned.
    private var failure: BulkError?

    init(_ read: SizedRead, _ source: Source? = nil) { (self.read, self.source) = (read, source) }

    /// Returns the next page, or `nil` after the last one.
    func next() async throws(RestError) -> QueryPage? {
        guard read.ids?.isEmpty != true, let page = try await whole() else { return nil }
        guard let ids = read.ids else { return page }
        let records = page.records.filter { ids.contains($0["Id"]?.string ?? "") }
        return QueryPage(totalSize: page.totalSize, records: JSONArray(records))
    }

    private func whole() async throws(RestError) -> QueryPage? {
        var current = source
        source = .over
        if let failure { throw failure.asRest }
        if current == nil { current = try await read.begin() }
        switch current ?? .over {
        case .over: return nil
        case .pages(let first?, let rest):
            source = .pages(first: nil, rest)
            return first
        case .pages(nil, var rest):
            guard let page = try await rest.next() else { return nil }
            source = .pages(first: nil, rest)
            return page
        case .rows(let first, var rows, let columns):
            var records = first.map { [columns.record($0)] } ?? []
            do throws(BulkError) {
                while records.count < Self.rowsPerPage, let row = try await rows.next() {
                    records.append(columns.record(row))
                }
            } catch {
                // The rows before the error are returned first.
                guard !records.isEmpty else { throw error.asRest }
                failure = error
            }
            guard !records.isEmpty else { return nil }
            source = .rows(first: nil, rows, columns)
            return QueryPage(totalSize: rows.job?.recordsProcessed ?? 0, records: JSONArray(records))
        }
    }
}
