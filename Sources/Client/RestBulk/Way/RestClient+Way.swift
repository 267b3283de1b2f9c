// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RestClient {
    /// Reads a query of any size, by pages or by a job of Bulk API 2.0.
    ///
    /// The first page reports the number of records. A larger result than `options.requestLimit` is read by a job,
    /// unless a job cannot run the query, the org could not divide the job, or a daily limit does not suffice. A job is
    /// also used if the API calls that are left today do not suffice for pages. If the org does not run a job, the
    /// pages are read instead. So the way can change only before the first record.
    ///
    /// The records of a job have the types of a page's records. They have no `url` in `attributes` without the field
    /// `Id`, and a parent whose selected fields are all null is null. An error of a job is `RestError.underlying` as a
    /// ``BulkError``, with the position after the last record.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - way: the way, or `nil` to choose it by size.
    ///   - includingDeleted: whether deleted and archived records are included.
    ///   - batchSize: the number of records per page, within `RestRequest.batchSizes`.
    ///   - options: the largest result that is read by pages, and the waiting for the job.
    ///   - report: receives the choice, and another one if the org does not run the job.
    /// - Returns: the records, which are read on demand.
    public func read(
        _ query: SOQL, by way: Bulk.Way? = nil, includingDeleted: Bool = false, batchSize: Int? = nil,
        options: BulkQuery.Options = BulkQuery.Options(), report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) -> QueryRecords<Record> {
        let pages = pages(
            sized: query, by: way, includingDeleted: includingDeleted, batchSize: batchSize, options: options,
            report: report)
        return QueryRecords(pages, read: Record.init(reading:at:))
    }

    /// Reads a query of any size as values of a type, like `read`.
    public func read<Row: Decodable & Sendable>(
        _ query: SOQL, as type: Row.Type, by way: Bulk.Way? = nil, includingDeleted: Bool = false,
        batchSize: Int? = nil, options: BulkQuery.Options = BulkQuery.Options(),
        decoding: JSONDecodingOptions = .foundation(), report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) -> QueryRecords<Row> {
        let pages = pages(
            sized: query, by: way, includingDeleted: includingDeleted, batchSize: batchSize, options: options,
            report: report)
        return QueryRecords(pages, as: type, options: decoding)
    }

    /// Reads the created and updated records of a window of `RestClient.changes`, by pages or by a job.
    ///
    /// A record that was deleted since is not returned. If nothing was updated, nothing is sent. The way depends on the
    /// number of records that have changed since the window began.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - type: the object's name.
    ///   - fields: the fields to read in addition to `Id`.
    ///   - way: the way, or `nil` to choose it by size.
    ///   - options: the largest result that is read by pages, and the waiting for the job.
    ///   - report: receives the choice, and another one if the org does not run the job.
    /// - Returns: the records, in no particular order.
    public func read(
        _ window: RecordChanges.Window, of type: String, fields: [String], by way: Bulk.Way? = nil,
        options: BulkQuery.Options = BulkQuery.Options(), report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) -> QueryRecords<Record> {
        let (stamp, names): (SOQL.Field, [String]) = ("SystemModstamp", ["Id"] + fields.filter { $0 != "Id" })
        // The server's windows begin with a whole minute.
        let select = SOQL.Select(type, names.map { SOQL.Field($0) })
            .where(stamp >= window.start.addingTimeInterval(-60))
        let pages = pages(sized: SOQL(select), by: way, ids: Set(window.updated), options: options, report: report)
        return QueryRecords(pages, read: Record.init(reading:at:))
    }

    package func pages(
        sized query: SOQL, by way: Bulk.Way?, ids: Set<String>? = nil, includingDeleted: Bool = false,
        batchSize: Int? = nil, options: BulkQuery.Options, report: (@Sendable (Bulk.Choice) -> Void)?
    ) -> QueryPages {
        let read = SizedRead(
            client: self, query: query, includingDeleted: includingDeleted, batchSize: batchSize, ids: ids, way: way,
            options: options, report: report)
        var pages = pages(query, batchSize: batchSize, includingDeleted: includingDeleted)
        pages.makeSource = {
            let pages = SizedPages(read)
            return { () async throws(RestError) in try await pages.next() }
        }
        return pages
    }

    /// Writes rows of any number, by collections of 200 records or by jobs of Bulk API 2.0.
    ///
    /// Up to `options.requestLimit` rows are written by collections, and more rows by as many jobs as they need. A job
    /// is also used for hard deletes, and if the API calls that are left today do not suffice. If the org rejects the
    /// first job, collections are used instead.
    ///
    /// Each row is written once. The outcome of a row is ``BulkRowResult/Outcome/unknown`` if the response was lost.
    ///
    /// - Parameters:
    ///   - operation: the operation on the records.
    ///   - object: the name of the object.
    ///   - rows: the records.
    ///   - way: the way, or `nil` to choose it by the number of rows.
    ///   - journal: the path of the journal, with which another process can continue after a crash. See
    ///     ``Bulk/ingest(_:into:from:journal:options:)``.
    ///   - options: the size and the number of the jobs, and the largest number of rows for collections.
    ///   - progress: receives the progress, at most twenty times per second.
    ///   - report: receives the choice, and another one if the org rejects the first job.
    /// - Returns: the load, whose ``BulkLoad/outcomes()`` are the outcomes of the rows in their order.
    /// - Throws: ``BulkError``, with the progress in ``BulkError/progress``.
    public func write(
        _ operation: BulkOperation, into object: String, from rows: BulkSource, by way: Bulk.Way? = nil,
        journal: String? = nil, options: BulkLoad.Options = BulkLoad.Options(),
        progress: (@Sendable (BulkProgress) -> Void)? = nil, report: (@Sendable (Bulk.Choice) -> Void)? = nil
    ) async throws(BulkError) -> BulkLoad {
        let load = bulk.ingest(operation, into: object, from: rows, journal: journal, options: options)
        try await load.run(by: way, progress: progress, report: report)
        return load
    }
}
