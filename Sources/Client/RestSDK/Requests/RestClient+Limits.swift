// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension RestClient {
    /// The limits of an org and what is left of them.
    public struct OrgLimits: Sendable, Hashable {
        /// One limit.
        public struct Limit: Sendable, Hashable {
            /// The whole amount.
            public let maximum: Int
            /// The rest of it, which is negative if the org has used more than the whole amount.
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
        /// - Throws: ``RestError/Code/decoding`` with the name of a limit whose numbers no org can have.
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
    /// An org may have used more than the whole amount.
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

extension Endpoint where Self == RestRequest.Typed<RestClient.OrgLimits> {
    /// Asks for the limits of the org and what is left of them.
    public static var limits: Self {
        Self(RestRequest(name: "limits", resource: .data(["limits"])), RestClient.OrgLimits.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<[String: Int]> {
    /// Asks for the approximate number of records of each object, as the platform counted them last.
    ///
    /// - Parameter types: the objects' names. An empty list means all objects of the org.
    /// - Returns: the request, whose content has the numbers by the objects' names, without those that the org does not
    ///   know.
    public static func recordCounts(of types: [String] = []) -> Self {
        let request = RestRequest(
            name: "recordCounts", resource: .data(["limits", "recordCount"]),
            query: types.isEmpty ? [] : [RestRequest.QueryItem("sObjects", types.joined(separator: ","))])
        return Self(request) { (response) throws(RestError) in
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
