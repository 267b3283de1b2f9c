// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Where the results of a query job stand: enough to go on later, also in another process, without a row lost or read
/// twice.
///
/// The platform keeps the results for seven days.
public struct BulkPosition: Sendable, Hashable, Codable {
    /// The job's id.
    public let jobID: String
    /// The place of the page that is read, as the server names it; `nil` for the first one.
    public internal(set) var locator: String?
    /// How many bytes of the page, without its header, come before the position.
    public internal(set) var offset: Int
    /// How many rows of the whole result come before the position.
    public internal(set) var rows: Int
    /// The names of the columns, once a page was read.
    public internal(set) var columns: [String]?

    /// The position before the first row of a job.
    public init(job id: String) {
        (jobID, offset, rows) = (id, 0, 0)
    }

    /// Reads a position that was kept.
    ///
    /// - Throws: `DecodingError` when it holds a number that no result has.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        jobID = try values.decode(String.self, forKey: .jobID)
        locator = try values.decodeIfPresent(String.self, forKey: .locator)
        columns = try values.decodeIfPresent([String].self, forKey: .columns)
        let bytes = Int(outside: try values.decode(Int.self, forKey: .offset), in: .bytes)
        let count = Int(outside: try values.decode(Int.self, forKey: .rows), in: .count)
        guard let bytes, let count, jobID.isRecordID else {
            throw DecodingError.dataCorruptedError(
                forKey: .rows, in: values, debugDescription: "no result has that many")
        }
        (offset, rows) = (bytes, count)
    }
}
