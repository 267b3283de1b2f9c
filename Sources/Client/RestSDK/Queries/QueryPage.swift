// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// One page of a query's result.
public struct QueryPage: Sendable, Hashable {
    /// How many records the whole query has.
    public let totalSize: Int
    /// The page's records.
    public internal(set) var records: JSONArray
    /// Where the next page is; `nil` on the last one.
    ///
    /// Give it to ``RestRequest/nextPage(_:batchSize:)``.
    public let nextRecordsPath: String?

    /// Reads a query result.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is none, or when it says that there is more but not where.
    package init(_ response: RestResponse) throws(RestError) {
        let content = try Self.content(response)
        totalSize = content.totalSize ?? 0
        records = content["records"]?.array ?? []
        nextRecordsPath = content["done"]?.bool == true ? nil : content["nextRecordsUrl"]?.string
    }

    /// The only page of a result that came in another form.
    package init(totalSize: Int, records: JSONArray) {
        (self.totalSize, self.records, nextRecordsPath) = (totalSize, records, nil)
    }

    /// The query result in a response.
    static func content(_ response: RestResponse) throws(RestError) -> JSONObject {
        guard let content = response.payload.dictionary, content["totalSize"]?.kind == .number,
            let isDone = content["done"]?.bool, content["records"]?.kind == .array
        else { throw broken("the answer is not a query result", response) }
        guard content.totalSize != nil else {
            throw broken("the total size of the result is not a possible number", response)
        }
        guard isDone || content["nextRecordsUrl"]?.string != nil else {
            throw broken("the result is not done but names no next page", response)
        }
        return content
    }

    private static func broken(_ reason: String, _ response: RestResponse) -> RestError {
        RestError(.decoding, reason, response: response.head, body: response.body)
    }
}

extension JSONObject {
    /// How many records the query result has that this is, on all of its pages; `nil` when it does not say, or a number
    /// that no query has.
    var totalSize: Int? { self["totalSize"]?.int.flatMap { Int(outside: $0, in: .count) } }
}

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

/// One record of a query's result, as the server sent it.
public struct Record: Sendable, Hashable, CustomStringConvertible {
    /// The fields in SELECT order, led by `attributes`.
    public let fields: JSONObject

    /// Wraps the fields of a record.
    public init(fields: JSONObject) {
        self.fields = fields
    }

    /// The value of a field; `nil` when the query did not select it.
    ///
    /// A parent is an object, children are a query result.
    public subscript(field: String) -> JSONValue? { fields[field] }

    /// The object's name (`Account`, or `AggregateResult`).
    public var type: String? { fields["attributes"]?["type"]?.string }

    /// The record's id, when it was selected.
    public var id: String? { fields["Id"]?.string }

    /// The value as text, for people and logs.
    public var description: String { JSONValue(fields).description }
}

/// Whether a walk over the pages of a query gets on, as a value: a server whose pages lead in a circle must not keep
/// the caller for ever.
///
/// An address that was not asked before is always worth asking. Some servers keep the cursor to themselves and name one
/// address for all pages: that is taken as long as records come that did not come just before, and some are left.
struct QueryWalk: Sendable {
    /// How many pages without a record may follow each other.
    static let mostEmptyPages = 100

    private var pathsSeen: Set<String> = []
    private var emptyPages = 0
    /// The records of the last page that named an address which had been asked before, as a hash.
    private var lastRecords: Int?

    /// Takes in a page that names a next one.
    ///
    /// - Parameters:
    ///   - path: the address of the next page.
    ///   - records: the page's own records.
    ///   - given: how many records the walk has given, with the page's own.
    ///   - total: how many there are in all, as the first page said.
    /// - Returns: whether the next page is worth asking for.
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
