// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension RestClient {
    /// A report of the org.
    public struct Report: Sendable, Hashable {
        /// Its id.
        public let id: String
        /// The name for people.
        public let name: String

        init(_ value: JSONValue, at place: String) throws(RestError) {
            id = try value.required("id", at: place)
            name = value["name"]?.string ?? ""
        }

        /// A column of a report.
        public struct Column: Sendable, Hashable {
            /// The name, such as `Account.Name`.
            public let name: String
            /// The heading.
            public let label: String
            /// The kind of its values.
            public let kind: ObjectDescription.Field.Kind
        }

        /// What a report consists of.
        public struct Definition: Sendable, Hashable {
            /// The name for people.
            public let name: String
            /// How it is laid out: `TABULAR`, `SUMMARY`, `MATRIX` or `MULTI_BLOCK`.
            public let format: String
            /// The columns of its rows, in order.
            public let columns: [Column]
            /// The names of what it sums up.
            public let aggregates: [String]
            /// All that the server told.
            public let json: JSONObject

            init(_ response: RestResponse) throws(RestError) {
                guard let json = response.payload.dictionary, let about = json["reportMetadata"],
                    let names = about["detailColumns"]?.array
                else { throw RestError(notAnAnswerTo: "report", response) }
                self.json = json
                name = about["name"]?.string ?? ""
                format = about["reportFormat"]?.string ?? ""
                aggregates = about["aggregates"]?.texts ?? []
                let details = json["reportExtendedMetadata"]?["detailColumnInfo"]
                columns = names.compactMap(\.string).map { name in
                    let kind = details?[name]?["dataType"]?.string ?? "string"
                    return Column(
                        name: name, label: details?[name]?["label"]?.string ?? name, kind: .init(rawValue: kind))
                }
            }
        }

        /// A value in a report: as people read it, and as it is.
        public struct Cell: Sendable, Hashable {
            /// The value for people.
            public let label: String
            /// The value; the id of a record where the label is its name.
            public let value: JSONValue

            init(_ value: JSONValue, at place: String) {
                label = value["label"]?.string ?? ""
                self.value = value["value"] ?? .null
            }
        }

        /// What stands in one place of a report: the whole of a table, or one of its groups.
        public struct Fact: Sendable, Hashable {
            /// The rows, whose cells are in the order of the columns; empty where they were not asked for.
            public let rows: [[Cell]]
            /// What it sums up, in the order of the aggregates.
            public let aggregates: [Cell]

            init(_ value: JSONValue, at place: String) throws(RestError) {
                rows = try value.list("rows") { (row, _) throws(RestError) in try row.list("dataCells", Cell.init) }
                aggregates = try value.list("aggregates", Cell.init)
            }
        }

        /// A group of a report, with those inside it.
        public struct Grouping: Sendable, Hashable {
            /// The key by which facts name it: `0`, `0_1`.
            public let key: String
            /// The value for people.
            public let label: String
            /// The groups inside it.
            public let groupings: [Grouping]

            /// Deeper groups than any report has are not read.
            init(_ value: JSONValue, at place: String, level: Int = 1) throws(RestError) {
                key = try value.required("key", at: place)
                label = value["label"]?.string ?? ""
                groupings =
                    level > 10
                    ? []
                    : try value.list("groupings") { (inner, place) throws(RestError) in
                        try Grouping(inner, at: place, level: level + 1)
                    }
            }
        }

        /// What a run of a report gave.
        public struct Results: Sendable, Hashable {
            /// What the report consists of.
            public let definition: Definition
            /// The facts by their places: `T!T` is the whole, `0!T` the first group of a summary.
            public let facts: [String: Fact]
            /// The groups of rows, and those of columns.
            public let groupingsDown: [Grouping], groupingsAcross: [Grouping]
            /// Whether these are all rows; a report that is run at once has 2,000 at most.
            public let isComplete: Bool

            /// The rows of a table without groups.
            public var rows: [[Cell]] { facts["T!T"]?.rows ?? [] }

            init(_ response: RestResponse) throws(RestError) {
                definition = try Definition(response)
                guard let json = response.payload.dictionary, let map = json["factMap"]?.object else {
                    throw RestError(notAnAnswerTo: "run of a report", response)
                }
                var facts: [String: Fact] = [:]
                for (place, value) in map { facts[place] = try Fact(value, at: place.bounded) }
                self.facts = facts
                isComplete = json["allData"]?.bool ?? true
                func groupings(_ name: String) throws(RestError) -> [Grouping] {
                    try (json[name] ?? .null).list("groupings") { (value, place) throws(RestError) in
                        try Grouping(value, at: "\(name).\(place)")
                    }
                }
                groupingsDown = try groupings("groupingsDown")
                groupingsAcross = try groupings("groupingsAcross")
            }
        }
    }
}

extension RestRequest {
    /// The reports that the user looked at last; the payload is an array.
    public static let reports = RestRequest(name: "reports", resource: .data(["analytics", "reports"]))

    /// What a report consists of.
    public static func describeReport(_ id: String) -> RestRequest {
        RestRequest(name: "describeReport", resource: .data(["analytics", "reports", id, "describe"])).requiringID(id)
    }

    /// Runs a report and waits for it.
    ///
    /// - Parameters:
    ///   - id: the report's id.
    ///   - includesDetails: whether the rows are given, and not only what the report sums up.
    /// - Returns: the request.
    public static func runReport(_ id: String, includesDetails: Bool = true) -> RestRequest {
        RestRequest(
            name: "runReport", resource: .data(["analytics", "reports", id]),
            query: [QueryItem("includeDetails", "\(includesDetails)")]
        ).requiringID(id)
    }
}

extension RestClient {
    /// The reports that the user looked at last.
    ///
    /// - Returns: the reports, in the server's order.
    /// - Throws: ``RestError``.
    public func reports() async throws(RestError) -> [RestClient.Report] {
        try await content(of: .reports) { (response) throws(RestError) in
            try response.list("reports", of: "list of reports", isWhole: true, Report.init)
        }
    }

    /// What a report consists of.
    public func describeReport(_ id: String) async throws(RestError) -> RestClient.Report.Definition {
        try await answer(.describeReport(id), by: RestClient.Report.Definition.init)
    }

    /// Runs a report and waits for it.
    ///
    /// - Parameters:
    ///   - id: the report's id.
    ///   - includesDetails: whether the rows are given, and not only what the report sums up.
    /// - Returns: what it gave.
    /// - Throws: ``RestError``.
    public func runReport(_ id: String, includesDetails: Bool = true) async throws(RestError)
        -> RestClient.Report.Results
    {
        try await answer(.runReport(id, includesDetails: includesDetails), by: RestClient.Report.Results.init)
    }
}
