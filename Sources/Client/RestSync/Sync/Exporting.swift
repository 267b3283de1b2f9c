// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestJSON
import RestSDK
import SOQLStore

/// The first read of large parts as Bulk 2.0 jobs, whose results are written to the copy while they arrive.
extension SyncRun {
    private static let rowsPerTransaction = 2_000

    /// Creates a job for all records of a part, or returns `nil` if the org does not run it as a job.
    mutating func beginExport(_ part: StoredPart, _ fields: [String]) async -> BulkPosition? {
        report.requests += 1
        let soql = SOQL(raw: part.plan.query(part.part, fields: fields))
        return try? await client.bulk.query(soql).begin()
    }

    /// Reads the result of a job to its end, and stores the position after each transaction.
    ///
    /// After an error of the job, the plan starts again.
    mutating func readExport(_ part: inout StoredPart, from position: BulkPosition) async throws(RestError) {
        let options = BulkQuery.Options(pageRows: store.options.pageSize, patience: store.options.patience)
        var rows = client.bulk.query(from: position, options: options).rows.makeAsyncIterator()
        while part.plan.phase != .idle {
            var (next, records) = (part, [JSONObject]())
            do throws(BulkError) {
                records = try await Self.records(&rows, of: part.object)
                if records.count == Self.rowsPerTransaction, let position = rows.position {
                    next.plan.exported(to: position)
                } else {
                    next.plan.received(next: nil, at: nil)
                }
            } catch {
                switch error.code {
                case .request where (400..<500).contains(error.rest?.status ?? 0): return part.plan.failExport()
                case .request, .cancelled, .timedOut: throw error.asRest
                default:
                    // The job is gone or has failed, or its result cannot be read.
                    return part.plan.failExport()
                }
            }
            try await save(records, seen: records.compactMap { $0["Id"]?.string }, of: part, next)
            report.exportedObjects.insert(part.object.name)
            part = next
        }
    }

    /// Returns the records of the next rows, which are fewer than usual only at the end.
    private static func records(
        _ rows: inout BulkRows.AsyncIterator, of object: SObjectSchema
    ) async throws(BulkError) -> [JSONObject] {
        var records: [JSONObject] = []
        var columns: [(index: Int, field: FieldSchema)] = []
        while records.count < rowsPerTransaction, let row = try await rows.next() {
            if columns.isEmpty {
                columns = (row.header?.names ?? []).enumerated().compactMap { index, name in
                    object.field(named: name).map { (index, $0) }
                }
            }
            records.append(
                JSONObject(
                    members: columns.map { index, field in
                        let text = index < row.count ? row[index] : ""
                        return (field.name, JSONValue(csv: text, as: field.description.valueKind))
                    }))
        }
        return records
    }
}
