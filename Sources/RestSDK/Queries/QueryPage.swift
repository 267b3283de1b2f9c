// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// One page of a query's result.
public struct QueryPage: Sendable, Hashable {
    /// How many records the whole query has.
    public let totalSize: Int
    /// The page's records.
    public let records: JSONArray
    /// Where the next page is; `nil` on the last one.
    ///
    /// Give it to ``RestRequest/nextPage(_:batchSize:)``.
    public let nextRecordsPath: String?

    /// Reads a query result.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is none, or when it says that there is more but not where.
    init(_ response: RestResponse) throws(RestError) {
        guard let totalSize = response.payload["totalSize"]?.int, let isDone = response.payload["done"]?.bool,
            let records = response.payload["records"]?.array
        else { throw Self.broken("the answer is not a query result", response) }
        let next = response.payload["nextRecordsUrl"]?.string
        guard isDone || next != nil else {
            throw Self.broken("the result is not done but names no next page", response)
        }
        self.totalSize = totalSize
        self.records = records
        nextRecordsPath = isDone ? nil : next
    }

    private static func broken(_ reason: String, _ response: RestResponse) -> RestError {
        RestError(.decoding, reason, response: response.head, body: response.body)
    }
}
