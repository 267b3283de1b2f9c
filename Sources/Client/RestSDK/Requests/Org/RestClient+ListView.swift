// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension RestClient {
    /// A list of records of an object that the org keeps under a name.
    public struct ListView: Sendable, Hashable {
        /// Its id.
        public let id: String
        /// The name for people.
        public let label: String
        /// The name for code.
        public let developerName: String
        /// Whether its records can be queried; else its results alone can be read.
        public let isQueryable: Bool

        init(_ value: JSONValue, at place: String) throws(RestError) {
            id = try value.required("id", at: place)
            label = value["label"]?.string ?? ""
            developerName = value["developerName"]?.string ?? ""
            isQueryable = value.flag("soqlCompatible")
        }

        /// A column.
        public struct Column: Sendable, Hashable {
            /// The field, or the path to a parent's, such as `Owner.Name`.
            public let path: String
            /// The heading.
            public let label: String
            /// The kind of the field.
            public let kind: ObjectDescription.Field.Kind
            /// Whether it is among the results but not shown.
            public let isHidden: Bool
            /// Whether the list can be sorted by it.
            public let isSortable: Bool

            init(_ value: JSONValue, at place: String) throws(RestError) {
                path = try value.required("fieldNameOrPath", at: place)
                label = value["label"]?.string ?? path
                kind = ObjectDescription.Field.Kind(rawValue: value["type"]?.string ?? "string")
                isHidden = value.flag("hidden")
                isSortable = value.flag("sortable")
            }
        }

        /// What a list view consists of.
        public struct Definition: Sendable, Hashable {
            /// The columns, in order.
            public let columns: [Column]
            /// The query of its records; `nil` for a list that no query gives.
            public let query: SOQL?

            init(_ response: RestResponse) throws(RestError) {
                columns = try response.list("columns", of: "describe of a list view", Column.init)
                query = response.payload["query"]?.string.map { SOQL(raw: $0) }
            }
        }

        /// The records of a list view, as it shows them.
        public struct Results: Sendable, Hashable {
            /// The columns, in order.
            public let columns: [Column]
            /// The rows: for each column's path its value as text; a path is missing where it has none.
            public let rows: [[String: String]]
            /// Whether there are no more rows than these.
            public let isDone: Bool

            init(_ response: RestResponse) throws(RestError) {
                guard let json = response.payload.dictionary, let records = json["records"]?.array else {
                    throw RestError(notAnAnswerTo: "list view", response)
                }
                columns = try JSONValue(json).list("columns", Column.init)
                isDone = json["done"]?.bool ?? true
                rows = records.map { record in
                    let cells = (record["columns"]?.array ?? []).compactMap { cell -> (String, String)? in
                        guard let path = cell["fieldNameOrPath"]?.string, let value = cell["value"]?.string else {
                            return nil
                        }
                        return (path, value)
                    }
                    return Dictionary(cells) { first, _ in first }
                }
            }
        }
    }
}

extension RestRequest {
    /// The most rows of a list view that one call gives, and the most that are skipped.
    public static let maximumListViewRows = 2_000

    /// The list views of an object.
    public static func listViews(of type: String) -> RestRequest {
        listView("listViews", type, [])
    }

    /// What a list view consists of: its columns, and the query of its records.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its name for code.
    ///   - type: the object's name.
    /// - Returns: the request.
    public static func describeListView(_ id: String, of type: String) -> RestRequest {
        listView("describeListView", type, [id, "describe"]).requiring(id, "id")
    }

    /// The records of a list view, as it shows them.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its name for code.
    ///   - type: the object's name.
    ///   - limit: how many rows; at most ``maximumListViewRows``.
    ///   - offset: how many rows are skipped; at most as many.
    /// - Returns: the request.
    public static func listViewResults(
        _ id: String, of type: String, limit: Int? = nil, offset: Int? = nil
    ) -> RestRequest {
        var request = listView("listViewResults", type, [id, "results"]).requiring(id, "id")
        for (name, value, least) in [("limit", limit, 1), ("offset", offset, 0)] {
            guard let value else { continue }
            request.query.append(QueryItem(name, "\(value)"))
            if !(least...maximumListViewRows).contains(value) {
                request = request.refused(name, "must be a number from \(least) to \(maximumListViewRows)")
            }
        }
        return request
    }

    private static func listView(_ name: String, _ type: String, _ path: [String]) -> RestRequest {
        RestRequest(name: name, resource: .data(["sobjects", type, "listviews"] + path)).requiring(type, "type")
    }
}

extension RestClient {
    /// The list views of an object, all of them.
    ///
    /// - Returns: the list views, in the server's order.
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` where the pages of the list lead in a circle.
    public func listViews(of type: String) async throws(RestError) -> [RestClient.ListView] {
        var views: [RestClient.ListView] = []
        var request = RestRequest.listViews(of: type)
        var seen: Set<String> = []
        while true {
            let (page, next) = try await content(of: request) { (response) throws(RestError) in
                let views = try response.list("listviews", of: "list of list views", ListView.init)
                return (views, response.payload["nextRecordsUrl"]?.string)
            }
            views += page
            guard let next else { return views }
            guard seen.insert(next).inserted, !page.isEmpty else {
                throw RestError(.decoding, "the pages of the list lead in a circle")
            }
            request = RestRequest(name: request.name, resource: .serverPath(next))
        }
    }

    /// What a list view consists of: its columns, and the query of its records.
    public func describeListView(_ id: String, of type: String) async throws(RestError)
        -> RestClient.ListView.Definition
    {
        try await answer(.describeListView(id, of: type), by: RestClient.ListView.Definition.init)
    }

    /// The records of a list view, as it shows them.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its name for code.
    ///   - type: the object's name.
    ///   - limit: how many rows; at most ``RestRequest/maximumListViewRows``.
    ///   - offset: how many rows are skipped; at most as many.
    /// - Returns: the rows, of which each value is a text.
    /// - Throws: ``RestError``.
    public func listViewResults(
        _ id: String, of type: String, limit: Int? = nil, offset: Int? = nil
    ) async throws(RestError) -> RestClient.ListView.Results {
        try await answer(
            .listViewResults(id, of: type, limit: limit, offset: offset), by: RestClient.ListView.Results.init)
    }

    /// The records of a list view, all of them, as its query gives them.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its name for code.
    ///   - type: the object's name.
    /// - Returns: the records, which are fetched as they are asked for.
    /// - Throws: ``RestError``; ``RestError/Code/invalidRequest`` for a list that no query gives.
    public func records(ofListView id: String, of type: String) async throws(RestError) -> QueryRecords<Record> {
        guard let query = try await describeListView(id, of: type).query else {
            throw .invalidRequest("id", "no query gives this list; read its results")
        }
        return records(query)
    }
}

extension RestClient {
    /// The limits of an org and what is left of them.
    public struct OrgLimits: Sendable, Hashable {
        /// One limit.
        public struct Limit: Sendable, Hashable {
            /// How much there is.
            public let maximum: Int
            /// How much is left; below zero where more was used than there is.
            public let remaining: Int
            /// The same of single connected apps, by their names, where the org counts them.
            public let apps: [String: RestClient.OrgLimits.Limit]
        }

        /// The limits by their names, such as `DailyApiRequests`.
        public let limits: [String: Limit]

        /// The limit of that name.
        public subscript(name: String) -> Limit? { limits[name] }

        /// The calls of the API within 24 hours, also of single apps.
        public var dailyAPIRequests: Limit? { self["DailyApiRequests"] }
        /// The room for records, in megabytes.
        public var dataStorage: Limit? { self["DataStorageMB"] }
        /// The room for files, in megabytes.
        public var fileStorage: Limit? { self["FileStorageMB"] }

        /// Reads the limits.
        ///
        /// - Throws: ``RestError/Code/decoding`` naming a limit whose numbers are none that an org can have.
        init(_ response: RestResponse) throws(RestError) {
            guard let json = response.payload.dictionary else {
                throw RestError(notAnAnswerTo: "list of limits", response)
            }
            var limits: [String: Limit] = [:]
            for (name, value) in json {
                guard let limit = Limit(value) else {
                    throw RestError(
                        .decoding, "\(name.bounded): is not a possible limit", response: response.head,
                        body: response.body)
                }
                limits[name] = limit
            }
            self.limits = limits
        }
    }
}

extension RestClient.OrgLimits.Limit {
    /// An org may have used more than there is.
    private static let left = NumberRange(-1_000_000_000_000...1_000_000_000_000)

    fileprivate init?(_ value: JSONValue) {
        guard let maximum = value["Max"]?.count,
            let remaining = value["Remaining"]?.int.flatMap({ Int(outside: $0, in: Self.left) })
        else { return nil }
        self.maximum = maximum
        self.remaining = remaining
        var apps: [String: RestClient.OrgLimits.Limit] = [:]
        for (name, inner) in value.object ?? [:] where inner.object != nil {
            guard let maximum = inner["Max"]?.count,
                let remaining = inner["Remaining"]?.int.flatMap({ Int(outside: $0, in: Self.left) })
            else { return nil }
            apps[name] = RestClient.OrgLimits.Limit(maximum: maximum, remaining: remaining, apps: [:])
        }
        self.apps = apps
    }
}

extension RestRequest {
    /// About how many records objects have; the payload has `sObjects`.
    ///
    /// - Parameter types: the objects' names; all of the org's when empty.
    /// - Returns: the request.
    public static func recordCounts(of types: [String] = []) -> RestRequest {
        RestRequest(
            name: "recordCounts", resource: .data(["limits", "recordCount"]),
            query: types.isEmpty ? [] : [QueryItem("sObjects", types.joined(separator: ","))])
    }
}

extension RestClient {
    /// The limits of the org and what is left of them.
    ///
    /// - Returns: the limits.
    /// - Throws: ``RestError``.
    public func limits() async throws(RestError) -> RestClient.OrgLimits {
        try await answer(.limits, by: RestClient.OrgLimits.init)
    }

    /// About how many records objects have; the platform counts from time to time.
    ///
    /// - Parameter types: the objects' names; all of the org's when empty.
    /// - Returns: the numbers by the objects' names, without those that the org does not know.
    /// - Throws: ``RestError``.
    public func recordCounts(of types: [String] = []) async throws(RestError) -> [String: Int] {
        try await content(of: .recordCounts(of: types)) { (response) throws(RestError) in
            guard let list = response.payload["sObjects"]?.array else {
                throw RestError(notAnAnswerTo: "count of records", response)
            }
            var counts: [String: Int] = [:]
            for value in list {
                guard let name = value["name"]?.string, let count = value["count"]?.count else {
                    throw RestError(notAnAnswerTo: "count of records", response)
                }
                counts[name] = count
            }
            return counts
        }
    }
}
