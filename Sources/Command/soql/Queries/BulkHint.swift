// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLSyntax

/// Tells the user that a query has so many records that a job of Bulk API 2.0 would read them with fewer calls.
struct BulkHint {
    /// From so many records on a job is worth its wait: 25 pages of 2,000.
    static let threshold = 50_000

    let query: String

    /// The hint at the first page of a query that a job can run.
    func text(at position: QueryPage.Position) -> String? {
        guard position.totalSize >= Self.threshold, position.recordCount <= 2_000, isPossible else { return nil }
        return "\(position.totalSize) records; --bulk reads so many with fewer calls of the API"
    }

    /// Whether the platform takes the query as a job: no groups, no offset, no lists of children and no TYPEOF.
    private var isPossible: Bool {
        guard let query = try? SOQLQuery(parsing: query), !query.isAggregate, !query.isCount, query.offset == nil else {
            return false
        }
        return query.select.allSatisfy { item in
            switch item {
            case .field, .fields: true
            case .count, .children, .typeof: false
            }
        }
    }
}
