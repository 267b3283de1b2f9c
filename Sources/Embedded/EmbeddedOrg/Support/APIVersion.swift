// SPDX-License-Identifier: Apache-2.0

import RestText

/// A version of the REST API, `v66.0`.
struct APIVersion: Sendable, Hashable {
    let number: Int

    static let supported = 31...68
    /// The newest version.
    static let latest = APIVersion(number: supported.upperBound)
    /// The versions that there were once.
    private static let retired = 7...30
    private static let seasons = ["Winter", "Spring", "Summer"]

    init(number: Int) {
        self.number = number
    }

    /// Reads `v66.0`; `nil` for anything else and for versions outside the supported range.
    init?(segment: String) {
        // bounded: by the versions there are
        guard let digits = segment.removing(prefix: "v")?.removing(suffix: ".0"), let number = Int(digits),
            Self.supported.contains(number), segment == "v\(number).0"
        else { return nil }
        self.number = number
    }

    /// Why a version is not served: it was retired, or never was.
    static func refusal(of segment: String) -> OrgFault? {
        guard APIVersion(segment: segment) == nil else { return nil }
        guard retired.contains(where: { segment == "v\($0).0" }) else { return .notFound }
        return OrgFault(410, "UNSUPPORTED_API_VERSION", "The API version \(segment) has been retired.")
    }

    /// The path of its resources: `/services/data/v66.0`.
    var path: String { "/services/data/v\(number).0" }

    /// The release's name: three a year; v29 was Winter '14 and v66 is Spring '26.
    var label: String {
        let position = number - 29
        return "\(Self.seasons[position % 3]) '\(14 + position / 3)"
    }
}
