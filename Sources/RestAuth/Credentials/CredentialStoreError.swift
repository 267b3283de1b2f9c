// SPDX-License-Identifier: Apache-2.0

/// Why a store could not answer.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, an open set whose label is safe as a metric name.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The fixed label of the kind.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another writer saved first; load again.
        public static let conflict = Code(rawValue: "conflict")
        /// The store exists but cannot be used now; try again later, as this does not mean that there is no credential.
        public static let temporarilyUnavailable = Code(rawValue: "temporarilyUnavailable")
        /// The disk is full, read-only or broken, or the store's place forbids writing; what was stored before is still
        /// there.
        public static let notWritable = Code(rawValue: "notWritable")
        /// Others could read or replace the store's files; nothing is read from it and nothing is written to it.
        public static let insecurePermissions = Code(rawValue: "insecurePermissions")
        /// The record was written by a newer version of this library, which alone may change it.
        public static let newerVersion = Code(rawValue: "newerVersion")
        /// The record is damaged, and no earlier one is left to recover from; a new login may replace it.
        public static let corrupt = Code(rawValue: "corrupt")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, free of secrets.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The value as text, for people and logs.
    public var description: String { "\(code.rawValue): \(message)" }
}
