// SPDX-License-Identifier: Apache-2.0

/// Where a query stands between two pages: enough to take it up again later, also in another process.
///
/// The platform keeps the pages of a query for two days.
public struct QueryPosition: Sendable, Hashable, Codable {
    /// How many records the whole query has.
    public let totalSize: Int
    /// How many records the pages before this position had.
    public let recordCount: Int
    /// Where the next page is; `nil` after the last one.
    public let nextRecordsPath: String?

    /// Makes a position.
    public init(totalSize: Int, recordCount: Int, nextRecordsPath: String?) {
        self.totalSize = totalSize
        self.recordCount = recordCount
        self.nextRecordsPath = nextRecordsPath
    }
}
