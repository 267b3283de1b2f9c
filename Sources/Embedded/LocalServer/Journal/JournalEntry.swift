// SPDX-License-Identifier: Apache-2.0

import RestText

/// One request the server received and the status it answered.
public struct JournalEntry: Sendable, Hashable {
    /// The number of the request, from 1 in the order of the answers.
    public let sequence: Int
    /// The method's token.
    public let method: String
    /// Path and query as sent, percent-encoded; tokens, codes and passwords in the query are replaced by fingerprints.
    public let target: String
    /// The header fields in order; `Authorization` is reduced to its scheme and a fingerprint of its secret, `Cookie`
    /// to a fingerprint.
    public let fields: [Field]
    /// The length of the body in bytes.
    public let bodySize: Int
    /// The body's first 64 KiB; a form of the OAuth endpoints has fingerprints in place of its secrets.
    ///
    /// It is empty for a SOAP call, and for a body that went to a file.
    public let body: [UInt8]
    /// The status answered, or `nil` when a fault closed the connection without an answer.
    public let status: Int?
    /// The details of a login or token request; `nil` for all other requests.
    public let oauth: OAuth?

    /// A header field as the journal keeps it.
    public struct Field: Sendable, Hashable {
        /// The name as sent.
        public let name: String
        /// The value, redacted where it is secret.
        public let value: String
    }

    /// The first value of a field, its name compared without case.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the target's path, without the query, ends with the text.
    public func pathHasSuffix(_ suffix: String) -> Bool {
        target.prefix(before: "?").hasBytes(suffix: suffix)
    }
}

extension JournalEntry {
    /// The purpose and the result of a request that concerns logins, without secrets.
    public struct OAuth: Sendable, Hashable {
        /// The grant type of a token request, or the endpoint's purpose: `authorize`, `device`, `device_authorization`,
        /// `revoke`, `introspect`, `soap login`.
        public package(set) var grantType: String?
        /// The client that asked, as it called itself.
        public package(set) var clientID: String?
        /// `granted`, `allowed`, `logged in`, `login page`, `consent page`, `revoked`, `active`, …, or the code of the
        /// error.
        public package(set) var outcome = ""
        /// The description of the error in the answer, if it was refused.
        public package(set) var reason: String?

        package init() {}
    }
}

extension ServerResponse {
    /// What the journal keeps about a login in addition to the status.
    package var oauth: JournalEntry.OAuth? {
        get { note as? JournalEntry.OAuth }
        set { note = newValue }
    }
}
