// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestBulk
import RestJSON
import RestSDK

/// The result of a bulk query as pages of records, like those of an ordinary query.
///
/// The platform gives such results as CSV, so every value is a text, and an empty one is null.
struct BulkPages: AsyncSequence {
    /// The records of a page.
    private static let pageSize = 2_000

    let query: BulkQuery

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rows: query.rows.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        private var rows: BulkRows.AsyncIterator
        private var isFirst = true

        init(rows: BulkRows.AsyncIterator) { self.rows = rows }

        /// The next page; the first one comes also when the result is empty.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(BulkError) -> QueryPage? {
            var records: [JSONValue] = []
            while records.count < BulkPages.pageSize, let row = try await rows.next(isolation: actor) {
                records.append(BulkPages.record(row))
            }
            defer { isFirst = false }
            guard isFirst || !records.isEmpty else { return nil }
            return QueryPage(totalSize: rows.job?.recordsProcessed ?? records.count, records: JSONArray(records))
        }
    }

    /// Ends the job of a query that was interrupted, so that the org does not go on for nobody.
    static func abort(_ id: String, at client: RestClient) async {
        // The task was cancelled, and everything that it asks for with it.
        let ending = Task {
            guard let job = try? await client.bulk.job(id, .query), !job.state.isFinal else { return }
            _ = try? await client.bulk.abort(job)
        }
        await ending.value
    }

    /// A row as the record that an ordinary query gives: what stands behind a full stop is a field of a parent.
    private static func record(_ row: CSVRow) -> JSONValue {
        let members = (row.header?.names ?? []).indices.map { column in
            let path = (row.header?.names[column] ?? "").split(byte: ".")
            return (path: path[...], value: row.isEmpty(at: column) ? .null : JSONValue(row[column]))
        }
        return JSONValue(object(members))
    }

    private static func object(_ members: [(path: ArraySlice<Substring>, value: JSONValue)]) -> JSONObject {
        var (names, parts) = ([Substring](), [Substring: [(path: ArraySlice<Substring>, value: JSONValue)]]())
        for member in members {
            guard let name = member.path.first else { continue }
            if parts[name] == nil { names.append(name) }
            parts[name, default: []].append((member.path.dropFirst(), member.value))
        }
        return JSONObject(
            members: names.map { name in
                let part = parts[name] ?? []
                if let leaf = part.first, leaf.path.isEmpty { return (key: String(name), value: leaf.value) }
                let isNull = part.allSatisfy { $0.value == .null }
                return (key: String(name), value: isNull ? .null : JSONValue(object(part)))
            })
    }
}
