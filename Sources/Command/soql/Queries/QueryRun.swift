// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK

/// A query on its way to an org, in the way that the options choose: page by page, as a job, or at the Tooling API.
struct QueryRun {
    let options: QueryOptions

    /// Prints the result of a query.
    ///
    /// - Throws: `RestError`, `BulkError`, and what the output throws.
    func print(
        _ soql: SOQL, of client: RestClient, to output: inout RecordOutput, _ destination: OutputDestination
    ) async throws {
        guard options.isBulk else { return try await output.printRows(of: pages(soql, of: client, for: destination)) }
        let query = client.bulk.query(soql, includingDeleted: options.includesDeleted)
        do {
            try await output.printRows(of: BulkPages(query: query))
        } catch let error as BulkError where error.code == .cancelled {
            if let id = error.jobID { await BulkPages.abort(id, at: client) }
            throw error
        }
    }

    private func pages(_ soql: SOQL, of client: RestClient, for destination: OutputDestination) -> QueryPages {
        var pages =
            options.isTooling
            ? client.toolingPages(soql, batchSize: options.batchSize)
            : client.pages(soql, batchSize: options.batchSize, includingDeleted: options.includesDeleted)
        pages.recordsWanted = options.limit
        guard options.limit == nil, !options.isTooling, !options.output.isQuiet else { return pages }
        return pages.reportingProgress { position in
            if let hint = BulkHint(query: soql.text).text(at: position) { destination.note("soql: \(hint)") }
        }
    }
}
