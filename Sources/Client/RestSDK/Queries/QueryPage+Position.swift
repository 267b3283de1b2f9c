// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension QueryPage {
    /// Where a query stands between two pages: enough to take it up again later, also in another process.
    ///
    /// The platform keeps the pages of a query for two days.
    public struct Position: Sendable, Hashable, Codable {
        /// How many records the whole query has.
        public let totalSize: Int
        /// How many records the pages before this position had.
        public let recordCount: Int
        /// Where the next page is; `nil` after the last one.
        public let nextRecordsPath: String?

        /// Makes a position; a number below zero counts as zero, and one above a million millions as that many.
        public init(totalSize: Int, recordCount: Int, nextRecordsPath: String?) {
            self.totalSize = NumberRange.count.clamped(totalSize)
            self.recordCount = NumberRange.count.clamped(recordCount)
            self.nextRecordsPath = nextRecordsPath
        }

        /// Reads a position that was kept.
        ///
        /// - Throws: `DecodingError` when it holds a number that no query has.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            totalSize = try values.count(.totalSize)
            recordCount = try values.count(.recordCount)
            nextRecordsPath = try values.decodeIfPresent(String.self, forKey: .nextRecordsPath)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func count(_ key: Key) throws -> Int {
        guard let count = Int(outside: try decode(Int.self, forKey: key), in: .count) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no query has that many")
        }
        return count
    }
}
