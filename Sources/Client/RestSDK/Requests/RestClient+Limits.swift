// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension RestClient {
    /// The limits of an org and the remaining amounts.
    public struct OrgLimits: Sendable, Hashable {
        /// A limit of the org.
        public struct Limit: Sendable, Hashable {
            /// The maximum amount.
            public let maximum: Int
            /// The remaining amount, which is negative if the org has exceeded the maximum.
            public let remaining: Int
            /// The limits of single connected apps by name, if the org counts them.
            public let apps: [String: RestClient.OrgLimits.Limit]
        }

        /// The limits by name, such as `DailyApiRequests`.
        public let limits: [String: Limit]

        /// Returns the limit with this name.
        public subscript(name: String) -> Limit? { limits[name] }

        /// The API calls within 24 hours, with the calls of single apps.
        public var dailyAPIRequests: Limit? { self["DailyApiRequests"] }
        /// The storage for records, in megabytes.
        public var dataStorage: Limit? { self["DataStorageMB"] }
        /// The storage for files, in megabytes.
        public var fileStorage: Limit? { self["FileStorageMB"] }

        /// Reads the limits, or throws ``RestError/Code/decoding`` with the name of an impossible limit.
        init(_ response: RestResponse) throws(RestError) {
            guard let json = response.payload.dictionary else {
                throw RestError(notAResponseTo: "request for the limits", response)
            }
            var limits: [String: Limit] = [:]
            for (name, value) in json {
                guard let limit = Limit(value) else {
                    throw RestError(
                        .decoding, "\(name.bounded): is not a valid limit", response: response.head,
                        body: response.body)
                }
                limits[name] = limit
            }
            self.limits = limits
        }
    }
}

extension RestClient.OrgLimits.Limit {
    /// The remaining amount is negative if an org has exceeded the maximum.
    private static let left = NumberRange(-1_000_000_000_000...1_000_000_000_000)

    fileprivate init?(_ value: JSONValue, isOfApp: Bool = false) {
        guard let maximum = value["Max"]?.count,
            let remaining = value["Remaining"]?.int.flatMap({ Int(outside: $0, in: Self.left) })
        else { return nil }
        self.maximum = maximum
        self.remaining = remaining
        var apps: [String: RestClient.OrgLimits.Limit] = [:]
        for (name, inner) in value.object ?? [:] where inner.object != nil && !isOfApp {
            guard let limit = Self(inner, isOfApp: true) else { return nil }
            apps[name] = limit
        }
        self.apps = apps
    }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.OrgLimits> {
    /// Reads the limits of the org and the remaining amounts.
    public static var limits: Self {
        Self(RestRequest(name: "limits", resource: .data(["limits"])), RestClient.OrgLimits.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<[String: Int]> {
    /// Reads the approximate number of records of each object, as last counted by Salesforce.
    ///
    /// - Parameter types: the objects' names. If empty, all objects of the org are included.
    /// - Returns: the request, whose content has the counts by object name. Objects that the org does not know are
    ///   omitted.
    public static func recordCounts(of types: [String] = []) -> Self {
        let request = RestRequest(
            name: "recordCounts", resource: .data(["limits", "recordCount"]),
            query: types.isEmpty ? [] : [.init("sObjects", types.joined(separator: ","))])
        return Self(request) { (response) throws(RestError) in
            var counts: [String: Int] = [:]
            for value in response.payload["sObjects"]?.array ?? [.null] {
                guard let name = value["name"]?.string, let count = value["count"]?.count else {
                    throw RestError(notAResponseTo: "request for record counts", response)
                }
                counts[name] = count
            }
            return counts
        }
    }
}
