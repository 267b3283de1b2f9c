// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A version of the REST API, such as `v66.0`.
public struct APIVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the dot, such as 66 in `v66.0` (the number after the dot is always 0).
    public let number: Int

    /// The API version for which this SDK is written.
    public static let current = APIVersion(66)

    static let numbers = 1...999

    /// Makes a version, which must be in 1...999 for calls to be sent.
    public init(_ number: Int) { self.number = number }

    /// Parses `v66.0`, `66.0` or `66`, and returns `nil` for anything else.
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

    /// The version as a string, for people and logs.
    public var description: String { "v\(number).0" }
}

extension APIVersion {
    /// The resources that are newer than version 28, by the beginning of their path, with longer paths first.
    private static let introductions: [(path: [String], number: Int)] = [
        (["composite", "graph"], 50), (["composite", "sobjects"], 42), (["composite", "batch"], 34),
        (["composite", "tree"], 34), (["composite"], 38), (["jobs", "query"], 47), (["jobs", "ingest"], 41),
        (["limits", "recordCount"], 40), (["parameterizedSearch"], 36), (["tooling", "composite", "sobjects"], 45),
        (["tooling", "composite"], 40), (["tooling", "executeAnonymous"], 29),
        (["tooling", "runTestsSynchronous"], 30), (["tooling", "runTestsAsynchronous"], 30),
    ]

    /// The first version that has all of these resources.
    static let complete = APIVersion(50)

    /// The first version that has a resource, or `nil` if it is not known to be newer than others.
    package static func first(with path: [String]) -> APIVersion? {
        introductions.first { path.starts(with: $0.path) }.map { APIVersion($0.number) }
    }
}
