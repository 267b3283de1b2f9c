// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK

/// A query that failed.
struct QueryFailure: Error {
    /// A `RestError` or a `BulkError`.
    let error: any Error
    let query: QueryScript.Query
    /// Whether some of its records were printed.
    let isPartial: Bool

    /// The server's error.
    var rest: RestError? { error as? RestError ?? (error as? BulkError)?.rest }

    /// The place of the error, where the server tells it.
    var excerpt: String? {
        rest?.faults.first?.position.flatMap { query.excerpt(line: $0.row, column: $0.column) }
    }
}

extension QueryFailure {
    /// Reports it on standard error: first what the server says and where, then, if the org tells it within a moment,
    /// which name was probably meant.
    ///
    /// - Parameters:
    ///   - client: asks the org.
    ///   - isTooling: whether the Tooling API was asked.
    /// - Returns: the error that ends the command.
    func report(asking client: RestClient, isTooling: Bool) async -> Reported {
        let reported = Reported(status: Diagnostics.report(self))
        let names = NameHint(client: client, query: query.bound.soql.text, isTooling: isTooling)
        if let rest, let hint = await names.text(for: rest) { StandardOutput.note("soql: \(hint)".singleLine) }
        return reported
    }
}

extension RestClient {
    /// The plans of a query; a failure is reported with its place.
    func plans(of query: QueryScript.Query) async throws -> [SOQL.Plan] {
        do throws(RestError) {
            return try await explain(query.bound.soql)
        } catch {
            throw await QueryFailure(error: error, query: query, isPartial: false)
                .report(asking: self, isTooling: false)
        }
    }
}

/// A failure that was reported already; the command ends with its status.
struct Reported: Error {
    let status: ExitStatus
}
