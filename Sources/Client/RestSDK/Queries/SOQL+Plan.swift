// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

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

extension RestRequest {
    /// Asks how a query would be run, without running it; the payload has `plans`.
    public static func explain(_ soql: SOQL) -> RestRequest {
        var request = explaining(soql.text).requiring(soql.text, "soql")
        if let problem = soql.problem { request = request.refused("soql", problem) }
        return request
    }

    /// Asks how the query of a report or a list view would be run.
    ///
    /// - Parameter id: the id of the report or the list view.
    /// - Returns: the request.
    public static func explain(id: String) -> RestRequest {
        explaining(id).requiringID(id)
    }

    private static func explaining(_ text: String) -> RestRequest {
        RestRequest(name: "explain", resource: .data(["query"]), query: [QueryItem("explain", text)])
    }
}

extension RestClient {
    /// How the org would run a query, the way that it would take first.
    ///
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` when the answer has no plans.
    public func explain(_ soql: SOQL) async throws(RestError) -> [SOQL.Plan] {
        try await content(of: .explain(soql)) { (response) throws(RestError) in
            guard let list = response.payload["plans"]?.array else {
                throw RestError(notAnAnswerTo: "explanation of a query", response)
            }
            var plans: [SOQL.Plan] = []
            for value in list {
                guard let plan = SOQL.Plan(value) else {
                    throw RestError(notAnAnswerTo: "explanation of a query", response)
                }
                plans.append(plan)
            }
            return plans
        }
    }

    /// The records that the user looked at last, of all objects, the latest first; each has its id and name.
    ///
    /// - Parameter limit: how many at most, up to 200; the server's own choice when `nil`.
    /// - Returns: the records.
    /// - Throws: ``RestError``.
    public func recentRecords(limit: Int? = nil) async throws(RestError) -> [Record] {
        try await content(of: .recent(limit: limit)) { (response) throws(RestError) in
            guard let list = response.payload.array else { throw RestError(notAnAnswerTo: "list of records", response) }
            var records: [Record] = []
            for (index, value) in list.enumerated() { records.append(try Record(reading: value, at: index)) }
            return records
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
