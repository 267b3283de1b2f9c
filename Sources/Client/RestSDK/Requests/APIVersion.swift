// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A version of the REST API, such as `v66.0`.
public struct APIVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the dot; the one after it is always 0.
    public let number: Int

    /// The version this SDK is written for.
    public static let current = APIVersion(66)

    /// The numbers that a version can have.
    static let numbers = 1...999

    /// The first version with composite requests.
    static let firstWithComposite = APIVersion(38)

    /// Makes the version of that number.
    ///
    /// Calls of a version outside 1...999 are refused before they are sent.
    public init(_ number: Int) {
        self.number = number
    }

    /// Reads `v66.0`, `66.0` or `66`; `nil` for anything else.
    public init?(_ text: String) {
        let digits = text.removing(prefix: "v") ?? text[...]
        let parts = digits.split(byte: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || (parts.count == 2 && parts[1] == "0"),
            let number = Int(outside: parts[0], in: .count),
            Self.numbers.contains(number)
        else { return nil }
        self.number = number
    }

    /// Whether the left version is older.
    public static func < (left: APIVersion, right: APIVersion) -> Bool { left.number < right.number }

    /// The value as text, for people and logs.
    public var description: String { "v\(number).0" }
}
