// SPDX-License-Identifier: Apache-2.0

/// A version of the REST API, `v66.0`.
struct APIVersion: Sendable, Hashable {
    let number: Int

    static let supported = 50...66
    private static let seasons = ["Winter", "Spring", "Summer"]

    init(number: Int) {
        self.number = number
    }

    /// Reads `v66.0`; `nil` for anything else and for versions outside the supported range.
    init?(segment: String) {
        // bounded: by the versions there are
        guard segment.first == "v", segment.hasSuffix(".0"), let number = Int(segment.dropFirst().dropLast(2)),
            Self.supported.contains(number), segment == "v\(number).0"
        else { return nil }
        self.number = number
    }

    var path: String { "/services/data/v\(number).0" }

    /// The release's name: three a year; v50 was Winter '21 and v66 is Spring '26.
    var label: String {
        let position = number - 50
        return "\(Self.seasons[position % 3]) '\(21 + position / 3)"
    }
}
