// SPDX-License-Identifier: Apache-2.0

extension BulkLoad {
    /// What a load would send.
    package struct Preview: Sendable {
        /// The names of the columns.
        package let columns: [String]
        /// The body of the request that makes each of its jobs.
        package let job: JSONObject
        /// The rows of each job, and the bytes that are sent for them.
        package let parts: [(rows: Int, bytes: Int64)]

        /// How many rows there are.
        package var rows: Int { parts.reduce(0) { $0 + $1.rows } }
    }

    /// Reads all rows of a file and checks them as a run would; nothing is sent or written.
    ///
    /// - Returns: what a run would send; `nil` for a file without a single byte.
    /// - Throws: ``BulkError`` for the first row that cannot be sent.
    @concurrent
    package func preview() async throws(BulkError) -> Preview? {
        var cutter = try makeCutter()
        guard let plan = try await cutter.plan(target) else { return nil }
        var parts: [(rows: Int, bytes: Int64)] = []
        var before = 0
        while let part = try await cutter.next(parts.count + 1, before: before) {
            guard !Task.isCancelled else { throw BulkError(.cancelled, "the load was cancelled") }
            parts.append((part.rows, part.bytes))
            before += part.rows
        }
        return Preview(columns: plan.columns, job: plan.job, parts: parts)
    }
}

extension LoadRecord.Plan {
    /// What makes a job of it.
    var job: JSONObject {
        var body: JSONObject = [
            "object": JSONValue(object), "operation": JSONValue(operation), "contentType": "CSV",
            "lineEnding": JSONValue(lineEnding), "columnDelimiter": JSONValue(delimiter),
        ]
        if let field = externalID { body["externalIdFieldName"] = JSONValue(field) }
        return body
    }
}
