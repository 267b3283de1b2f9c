// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

extension Endpoint where Self == RestRequest.Typed<Int> {
    /// Counts the records of a query, for which `SELECT COUNT() FROM …` is sufficient.
    public static func count(_ query: SOQL) -> Self {
        Self(.query(query)) { (response) throws(RestError) in try QueryPage(response).totalSize }
    }
}

extension RestClient {
    /// Returns the pages of a query, for page-by-page processing.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: the number of records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are included.
    ///   - completingChildren: whether truncated lists of children are completed before a page is returned. See
    ///     ``QueryPages``.
    /// - Returns: the pages, which are fetched on demand.
    public func pages(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryPages {
        let first: RestRequest =
            includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize)
        return QueryPages(client: self, first: first, completesChildren: completingChildren && query.mayHaveChildren)
    }

    /// Returns the pages of a query from a position, which comes from ``RestError/queryPosition`` or a progress report.
    public func pages(from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true)
        -> QueryPages
    {
        var pages = QueryPages(
            client: self, first: .nextPage(position.nextRecordsPath ?? "", batchSize: batchSize),
            completesChildren: completingChildren)
        pages.start = position
        return pages
    }

    /// Returns all records of a query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: the number of records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are included.
    ///   - completingChildren: whether truncated lists of children are completed before a record is returned. See
    ///     ``QueryRecords``.
    /// - Returns: the records, which are fetched on demand.
    public func records(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// Returns the records of a query from a position, which comes from ``RestError/queryPosition`` or a progress
    /// report.
    public func records(
        from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(from: position, batchSize: batchSize, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// Returns the records of a query as values of a type.
    public func records<Row: Decodable & Sendable>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false,
        completingChildren: Bool = true, options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            as: type, options: options)
    }

    /// Returns the records of a query from a position as values of a type.
    public func records<Row: Decodable & Sendable>(
        from position: QueryPage.Position, as type: Row.Type, batchSize: Int? = nil, completingChildren: Bool = true,
        options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(
            pages(from: position, batchSize: batchSize, completingChildren: completingChildren), as: type,
            options: options)
    }
}

extension SOQL {
    /// Whether the result can contain lists of children, which need a second `SELECT`.
    var mayHaveChildren: Bool {
        let bytes = Array(text.lowercased().utf8)
        return bytes.indices.count { bytes[$0...].starts(with: "select".utf8) } > 1
    }
}

extension Record {
    /// Reads an element of a page, or throws ``RestError/Code/decoding`` with its index if it is not an object.
    package init(reading value: JSONValue, at index: Int) throws(RestError) {
        guard let fields = value.object else {
            throw RestError(.decoding, "records[\(index)] is not a JSON object")
        }
        self.init(fields: fields)
    }
}

extension JSONArray? {
    /// Reads the elements as records, or throws ``RestError/Code/decoding`` if the list is missing or malformed.
    func records(of what: String, in response: RestResponse) throws(RestError) -> [Record] {
        guard let self else { throw RestError(notAResponseTo: what, response) }
        var records: [Record] = []
        for (index, value) in self.enumerated() { records.append(try Record(reading: value, at: index)) }
        return records
    }
}

extension QueryRecords where Element: Decodable {
    package init(_ pages: QueryPages, as type: Element.Type, options: JSONDecodingOptions) {
        self.init(pages) {
            var decoder = JSONRowDecoder(options: options)
            return { (value, index) throws(RestError) in
                do throws(JSONDecodingError) {
                    return try decoder.decode(type, from: value)
                } catch {
                    throw RestError(.decoding, "records[\(index)] is not a \(type): \(error)", underlying: error)
                }
            }
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// Runs a named query of the org, with the first page as the payload.
    ///
    /// - Parameters:
    ///   - name: the name of the query.
    ///   - parameters: the values of the query's parameters, as strings.
    ///   - batchSize: the number of records per page, a hint within ``RestRequest/batchSizes``.
    /// - Returns: the request.
    public static func namedQuery(
        _ name: String, _ parameters: KeyValuePairs<String, String> = [:], batchSize: Int? = nil
    ) -> RestRequest {
        RestRequest(
            name: "namedQuery", resource: .data(["named", "query", name]),
            query: parameters.map { RestRequest.QueryItem($0.key, $0.value) }
        ).requiring(name, "name").batches(of: batchSize)
    }
}

extension RestClient {
    /// Returns all records of a named query of the org.
    ///
    /// - Parameters:
    ///   - name: the name of the query.
    ///   - parameters: the values of the query's parameters, as strings.
    ///   - batchSize: the number of records per page, within ``RestRequest/batchSizes``.
    /// - Returns: the records, which are fetched on demand.
    public func records(
        named name: String, _ parameters: KeyValuePairs<String, String> = [:], batchSize: Int? = nil
    ) -> QueryRecords<Record> {
        QueryRecords(
            QueryPages(
                client: self, first: .namedQuery(name, parameters, batchSize: batchSize), completesChildren: true),
            read: Record.init(reading:at:))
    }
}

extension SOQL {
    /// A plan of the org's query optimizer for a query.
    public struct Plan: Sendable, Hashable {
        /// The reason why the optimizer does not use an index or an optimization.
        public struct Note: Sendable, Hashable {
            /// The text of the note.
            public let description: String
            /// The fields that the note concerns.
            public let fields: [String]
            /// The table that the note concerns, or an empty string if it is not reported.
            public let table: String
        }

        /// The object with which the plan begins.
        public let type: String
        /// The first operation: `Index`, `TableScan`, `Sharing` or `Other`.
        public let leadingOperation: String
        /// The fields of the index that the plan uses.
        public let fields: [String]
        /// The estimated number of records that the query returns.
        public let cardinality: Int
        /// The approximate number of records of the object.
        public let objectCardinality: Int
        /// The cost relative to the threshold: above 1, the query is not selective.
        public let relativeCost: Double
        /// The reasons why the optimizer rejected other optimizations.
        public let notes: [Note]
    }
}

extension Endpoint where Self == RestRequest.Typed<[SOQL.Plan]> {
    /// Reads the query plans without running the query, beginning with the plan that the org would use.
    public static func explain(_ soql: SOQL) -> Self {
        explaining(soql.text) { $0.requiring(soql.text, "soql").refused("soql", soql.problem) }
    }

    /// Reads the query plans of a report or a list view.
    ///
    /// - Parameter id: the id of the report or the list view.
    /// - Returns: the request.
    public static func explain(id: String) -> Self { explaining(id) { $0.requiringID(id) } }

    private static func explaining(_ text: String, _ checked: (RestRequest) -> RestRequest) -> Self {
        let request = RestRequest(name: "explain", resource: .data(["query"]), query: [.init("explain", text)])
        return Self(checked(request)) { (response) throws(RestError) in
            let what = "request for a query plan"
            return try response.list("plans", of: what) { (value, _) throws(RestError) in
                guard let plan = SOQL.Plan(value) else { throw RestError(notAResponseTo: what, response) }
                return plan
            }
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<[Record]> {
    /// Reads the records of all objects that the user viewed recently, latest first, with ids and names.
    ///
    /// - Parameter limit: the maximum number of records, up to 200, or `nil` for the server's default.
    /// - Returns: the request.
    public static func recent(limit: Int? = nil) -> Self {
        let request = RestRequest(
            name: "recent", resource: .data(["recent"]),
            query: limit.map { [RestRequest.QueryItem("limit", "\($0)")] } ?? [])
        let isPossible = limit.map { (1...200).contains($0) } ?? true
        return Self(request.refused("limit", isPossible ? nil : "must be a number from 1 to 200")) {
            (response) throws(RestError) in
            try response.payload.array.records(of: "request for a list of records", in: response)
        }
    }
}

extension SOQL.Plan {
    /// Reads a plan, and returns `nil` if a number in it is out of range.
    init?(_ value: JSONValue) {
        guard let type = value["sobjectType"]?.string, let operation = value["leadingOperationType"]?.string,
            let cardinality = value["cardinality"]?.count, let all = value["sobjectCardinality"]?.count,
            // bounded: a finite one, with which nothing is computed
            let cost = value["relativeCost"]?.double, cost.isFinite
        else { return nil }
        self.type = type
        leadingOperation = operation
        fields = value["fields"]?.texts ?? []
        self.cardinality = cardinality
        objectCardinality = all
        relativeCost = cost
        notes = (value["notes"]?.array ?? []).map {
            Note(
                description: $0["description"]?.string ?? "", fields: $0["fields"]?.texts ?? [],
                table: $0["tableEnumOrId"]?.string ?? "")
        }
    }
}

extension JSONValue {
    /// A count within the range of possible counts, or `nil`.
    var count: Int? { int.flatMap { Int(outside: $0, in: .count) } }

    /// The strings in a list, without other elements.
    var texts: [String] { array?.compactMap(\.string) ?? [] }
}
