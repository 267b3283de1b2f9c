// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLStore

/// A version of the REST API, `v66.0`.
struct APIVersion: Sendable, Hashable {
    let number: Int

    static let supported = 31...68
    static let latest = APIVersion(number: supported.upperBound)
    /// The versions that Salesforce has retired.
    private static let retired = 7...30
    private static let segments = Dictionary(uniqueKeysWithValues: supported.map { ("v\($0).0", $0) })
    private static let seasons = ["Winter", "Spring", "Summer"]

    init(number: Int) {
        self.number = number
    }

    /// Reads `v66.0`, or returns `nil` for other texts and for unsupported versions.
    init?(segment: String) {
        guard let number = Self.segments[segment] else { return nil }
        self.number = number
    }

    /// Returns the error for a version that is retired or does not exist.
    static func rejection(of segment: String) -> OrgError? {
        guard APIVersion(segment: segment) == nil else { return nil }
        guard retired.contains(where: { segment == "v\($0).0" }) else { return .notFound }
        return OrgError("UNSUPPORTED_API_VERSION", "The API version \(segment) has been retired.")
    }

    /// The path of the version's resources: `/services/data/v66.0`.
    var path: String { "/services/data/v\(number).0" }

    /// The name of the release, three of which are in a year: v29 was Winter '14, and v66 is Spring '26.
    var label: String {
        let position = number - 29
        return "\(Self.seasons[position % 3]) '\(14 + position / 3)"
    }
}

extension APIVersion {
    /// A resource, a clause or a behavior that only some versions have.
    ///
    /// This is the only list of differences between versions. Nothing else in the org compares version numbers.
    struct Feature: Sendable, Hashable {
        fileprivate let first: Int

        private init(since first: Int) { self.first = first }

        static let (batch, tree) = (Feature(since: 34), Feature(since: 34))
        static let parameterizedSearch = Feature(since: 36)
        /// `/sobjects/T/ID/RELATIONSHIP`.
        static let relationships = Feature(since: 36)
        static let composite = Feature(since: 38)
        static let recordCount = Feature(since: 40)
        static let ingestJobs = Feature(since: 41)
        static let collections = Feature(since: 42)
        static let queryJobs = Feature(since: 47)
        static let graphs = Feature(since: 50)
        static let resultPages = Feature(since: 58)

        /// An object around the records of a search, instead of a plain array.
        static let searchEnvelope = Feature(since: 37)
        /// A body in the response to an upsert that changed a record, instead of status 204.
        static let upsertBody = Feature(since: 46)
        /// The columns of a query job in the order of SELECT, instead of the order of their names.
        static let selectedOrder = Feature(since: 50)
        /// The column `sf__Id` of rows that an ingest job rejected.
        static let failedRowID = Feature(since: 53)
    }

    func has(_ feature: Feature) -> Bool { number >= feature.first }

    /// Rejects a resource that the version does not have.
    func require(_ feature: Feature) throws(OrgError) {
        guard has(feature) else { throw .notFound }
    }
}
