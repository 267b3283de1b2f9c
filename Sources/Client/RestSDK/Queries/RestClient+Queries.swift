// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

extension Endpoint where Self == RestRequest.Typed<Int> {
    /// Asks how many records a query finds; `SELECT COUNT() FROM …` asks for nothing else.
    public static func count(_ query: SOQL) -> Self {
        Self(.query(query)) { (response) throws(RestError) in try QueryPage(response).totalSize }
    }
}

extension RestClient {
    /// The pages of a query, for whoever wants to work page by page.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are seen.
    ///   - completingChildren: whether lists of children that the server cut are completed before a page is given; see
    ///     ``QueryPages``.
    /// - Returns: the pages, which are fetched as they are asked for.
    public func pages(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryPages {
        let first: RestRequest =
            includingDeleted ? .queryAll(query, batchSize: batchSize) : .query(query, batchSize: batchSize)
        return QueryPages(client: self, first: first, completesChildren: completingChildren && query.mayHaveChildren)
    }

    /// The pages of a query over objects of the Tooling API.
    package func toolingPages(_ query: SOQL, batchSize: Int? = nil) -> QueryPages {
        QueryPages(
            client: self, first: .toolingQuery(query, batchSize: batchSize), completesChildren: query.mayHaveChildren)
    }

    /// The pages of a query from a position on, which ``RestError/queryPosition`` of a failure or a progress report
    /// gave.
    public func pages(from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true)
        -> QueryPages
    {
        var pages = QueryPages(
            client: self, first: .nextPage(position.nextRecordsPath ?? "", batchSize: batchSize),
            completesChildren: completingChildren)
        pages.start = position
        return pages
    }

    /// The records of a query, all of them, fetched as they are asked for.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    ///   - includingDeleted: whether deleted and archived records are seen.
    ///   - completingChildren: whether lists of children that the server cut are completed before a record is given;
    ///     see ``QueryRecords``.
    /// - Returns: the records, which are fetched as they are asked for.
    public func records(
        _ query: SOQL, batchSize: Int? = nil, includingDeleted: Bool = false, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// The records of a query from a position on, which ``RestError/queryPosition`` of a failure or a progress report
    /// gave.
    public func records(
        from position: QueryPage.Position, batchSize: Int? = nil, completingChildren: Bool = true
    ) -> QueryRecords<Record> {
        QueryRecords(
            pages(from: position, batchSize: batchSize, completingChildren: completingChildren),
            read: Record.init(reading:at:))
    }

    /// The records of a query as values of your own type.
    public func records<Row: Decodable & Sendable>(
        _ query: SOQL, as type: Row.Type, batchSize: Int? = nil, includingDeleted: Bool = false,
        completingChildren: Bool = true, options: JSONDecodingOptions = .foundation()
    ) -> QueryRecords<Row> {
        QueryRecords(
            pages(
                query, batchSize: batchSize, includingDeleted: includingDeleted, completingChildren: completingChildren),
            as: type, options: options)
    }

    /// The records of a query from a position on as values of your own type.
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
    /// Whether the answer can hold lists of children: the query has a second `SELECT`.
    var mayHaveChildren: Bool {
        let bytes = Array(text.lowercased().utf8)
        return bytes.indices.count { bytes[$0...].starts(with: "select".utf8) } > 1
    }
}

extension Record {
    /// Reads an element of a page.
    ///
    /// - Parameters:
    ///   - value: the element.
    ///   - index: its place in the whole result, from 0.
    /// - Throws: ``RestError/Code/decoding`` with the place when it is no object.
    init(reading value: JSONValue, at index: Int) throws(RestError) {
        guard let fields = value.object else {
            throw RestError(.decoding, "records[\(index)] is not a JSON object")
        }
        self.init(fields: fields)
    }
}

extension JSONArray? {
    /// The elements as records.
    ///
    /// - Throws: ``RestError/Code/decoding`` when there is no list, and for an element that is no object.
    func records(of what: String, in response: RestResponse) throws(RestError) -> [Record] {
        guard let self else { throw RestError(notAnAnswerTo: what, response) }
        var records: [Record] = []
        for (index, value) in self.enumerated() { records.append(try Record(reading: value, at: index)) }
        return records
    }
}

extension QueryRecords where Element: Decodable {
    fileprivate init(_ pages: QueryPages, as type: Element.Type, options: JSONDecodingOptions) {
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
    /// Runs a query that the org keeps under a name; the payload is the first page.
    ///
    /// - Parameters:
    ///   - name: the query's name.
    ///   - parameters: the values of its parameters, as texts.
    ///   - batchSize: records per page, a hint within ``batchSizes``.
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
    /// The records of a query that the org keeps under a name, all of them.
    ///
    /// - Parameters:
    ///   - name: the query's name.
    ///   - parameters: the values of its parameters, as texts.
    ///   - batchSize: records per page, within ``RestRequest/batchSizes``.
    /// - Returns: the records, which are fetched as they are asked for.
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
    /// One way in which the org could run a query, as its planner tells.
    public struct Plan: Sendable, Hashable {
        /// Why the planner does not use something that it could.
        public struct Note: Sendable, Hashable {
            /// What it says.
            public let description: String
            /// The fields it is about.
            public let fields: [String]
            /// The table it is about; empty when it does not say.
            public let table: String
        }

        /// The object that the plan begins at.
        public let type: String
        /// How it begins: `Index`, `TableScan`, `Sharing` or `Other`.
        public let leadingOperation: String
        /// The fields of the index that it uses.
        public let fields: [String]
        /// How many records it expects to find.
        public let cardinality: Int
        /// About how many records the object has.
        public let objectCardinality: Int
        /// What it costs; above 1 the query is not selective.
        public let relativeCost: Double
        /// Why other ways were not taken.
        public let notes: [Note]
    }
}

extension Endpoint where Self == RestRequest.Typed<[SOQL.Plan]> {
    /// Asks how the org would run a query, without running it; the first plan is the one that it would take.
    public static func explain(_ soql: SOQL) -> Self {
        explaining(soql.text) { request in
            let request = request.requiring(soql.text, "soql")
            return soql.problem.map { request.refused("soql", $0) } ?? request
        }
    }

    /// Asks how the org would run the query of a report or a list view.
    ///
    /// - Parameter id: the id of the report or the list view.
    /// - Returns: the request.
    public static func explain(id: String) -> Self {
        explaining(id) { $0.requiringID(id) }
    }

    private static func explaining(_ text: String, _ checked: (RestRequest) -> RestRequest) -> Self {
        let request = RestRequest(
            name: "explain", resource: .data(["query"]), query: [RestRequest.QueryItem("explain", text)])
        return Self(checked(request)) { (response) throws(RestError) in
            let what = "explanation of a query"
            return try response.list("plans", of: what) { (value, _) throws(RestError) in
                guard let plan = SOQL.Plan(value) else { throw RestError(notAnAnswerTo: what, response) }
                return plan
            }
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<[Record]> {
    /// Asks for the records that the user looked at last, of all objects, the latest first; each has its id and name.
    ///
    /// - Parameter limit: how many at most, up to 200; the server's own choice when `nil`.
    /// - Returns: the request.
    public static func recent(limit: Int? = nil) -> Self {
        let request = RestRequest(
            name: "recent", resource: .data(["recent"]),
            query: limit.map { [RestRequest.QueryItem("limit", "\($0)")] } ?? [])
        let isPossible = limit.map { (1...200).contains($0) } ?? true
        return Self(isPossible ? request : request.refused("limit", "must be a number from 1 to 200")) {
            (response) throws(RestError) in
            try response.payload.array.records(of: "list of records", in: response)
        }
    }
}

extension SOQL.Plan {
    /// Reads a plan; `nil` when a number in it is none that an org can have.
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
    /// A number of things; `nil` for anything else, and for more than anybody has.
    var count: Int? { int.flatMap { Int(outside: $0, in: .count) } }

    /// The texts of a list; other elements are left out.
    var texts: [String] { array?.compactMap(\.string) ?? [] }
}
