// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// One page of a query's result.
public struct QueryPage: Sendable, Hashable {
    /// The total number of records of the query.
    public let totalSize: Int
    /// The records of the page.
    public internal(set) var records: JSONArray
    /// The path of the next page, for ``RestRequest/nextPage(_:batchSize:)``, or `nil` on the last page.
    public let nextRecordsPath: String?

    /// Reads a query result.
    ///
    /// - Throws: ``RestError/Code/decoding`` if the response is not a query result, or if it is not done but has no
    ///   next page.
    package init(_ response: RestResponse) throws(RestError) {
        let content = try Self.content(response)
        totalSize = content.totalSize ?? 0
        records = content["records"]?.array ?? []
        nextRecordsPath = content["done"]?.bool == true ? nil : content["nextRecordsUrl"]?.string
    }

    /// Makes the only page of a result that is not a query result.
    package init(totalSize: Int, records: JSONArray) {
        (self.totalSize, self.records, nextRecordsPath) = (totalSize, records, nil)
    }

    static func content(_ response: RestResponse) throws(RestError) -> JSONObject {
        guard let content = response.payload.dictionary, content["totalSize"]?.kind == .number,
            let isDone = content["done"]?.bool, content["records"]?.kind == .array
        else { throw broken("the response is not a query result", response) }
        guard content.totalSize != nil else {
            throw broken("the total size of the result is not a valid number", response)
        }
        guard isDone || content["nextRecordsUrl"]?.string != nil else {
            throw broken("the result is incomplete but has no next page", response)
        }
        return content
    }

    private static func broken(_ reason: String, _ response: RestResponse) -> RestError {
        RestError(.decoding, reason, response: response.head, body: response.body)
    }
}

extension JSONObject {
    /// The total number of records of this query result, or `nil` if the number is missing or out of range.
    var totalSize: Int? { self["totalSize"]?.int.flatMap { Int(outside: $0, in: .count) } }
}

extension QueryPage {
    /// The position of a query between two pages, which is sufficient to resume the query later, even in another
    /// process.
    ///
    /// Salesforce keeps the pages of a query for two days.
    public struct Position: Sendable, Hashable, Codable {
        /// The total number of records of the query.
        public let totalSize: Int
        /// The number of records in the pages before this position.
        public let recordCount: Int
        /// The path of the next page, or `nil` after the last page.
        public let nextRecordsPath: String?

        /// Makes a position, with numbers clamped between 0 and a million million.
        public init(totalSize: Int, recordCount: Int, nextRecordsPath: String?) {
            self.totalSize = NumberRange.count.clamped(totalSize)
            self.recordCount = NumberRange.count.clamped(recordCount)
            self.nextRecordsPath = nextRecordsPath
        }

        /// Decodes a stored position.
        ///
        /// - Throws: `DecodingError` if a number is out of range.
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
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "the number is out of range")
        }
        return count
    }
}

/// One record of a query result, as sent by the server.
public struct Record: Sendable, Hashable, CustomStringConvertible {
    /// The fields in SELECT order, after `attributes`.
    public let fields: JSONObject

    /// Wraps the fields of a record.
    public init(fields: JSONObject) { self.fields = fields }

    /// The value of a field, or `nil` if the query did not select the field.
    ///
    /// A parent is an object. Children are a query result.
    public subscript(field: String) -> JSONValue? { fields[field] }

    /// The object's name, such as `Account` or `AggregateResult`.
    public var type: String? { fields["attributes"]?["type"]?.string }

    /// The record's id, or `nil` if it was not selected.
    public var id: String? { fields["Id"]?.string }

    /// The record as a string, for people and logs.
    public var description: String { JSONValue(fields).description }
}

/// Detects loops while following a query's pages, so that a faulty server cannot trap the caller.
///
/// A URL that is new is always followed. Some servers use one URL for all pages. Such a URL is followed while records
/// are missing and the records of the page differ from those of the page before.
struct QueryWalk: Sendable {
    /// The maximum number of consecutive pages without a record.
    static let mostEmptyPages = 100

    private var pathsSeen: Set<String> = []
    private var emptyPages = 0
    /// The hash of the records of the last page whose next URL was not new.
    private var lastRecords: Int?

    /// Records a page with its number of records so far, and returns whether to request the next page at `path`.
    mutating func getsOn(to path: String, after records: JSONArray, given: Int, of total: Int) -> Bool {
        emptyPages = records.isEmpty ? emptyPages + 1 : 0
        guard emptyPages <= Self.mostEmptyPages else { return false }
        guard !pathsSeen.insert(path).inserted else { return true }
        guard !records.isEmpty, given < total else { return false }
        let hash = records.hashValue
        defer { lastRecords = hash }
        return hash != lastRecords
    }
}
