// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// Every request that the server received, so that a test can check what was sent.
public final class Journal: Sendable {
    private struct State {
        /// Dropped entries are `nil` until the list is packed.
        var entries: [JournalEntry?] = []
        var dropped = 0
        var count = 0
        var bytes = 0
    }

    private let capacity: Int
    private let redaction: JournalRedaction
    private let state = Mutex(State())

    /// The most bytes of all entries, so that large requests do not fill the memory.
    private static let mostBytes = 32 << 20

    package init(capacity: Int, redaction: JournalRedaction) {
        self.capacity = max(0, capacity)
        self.redaction = redaction
    }

    /// The entries in order; the oldest are gone beyond the configured capacity.
    public var entries: [JournalEntry] { state.withLock { $0.entries[$0.dropped...].compactMap(\.self) } }

    /// How many requests were received since the start or the last `clear`, dropped entries included.
    public var count: Int { state.withLock { $0.count } }

    /// Forgets all entries; the sequence starts again from 1.
    public func clear() { state.withLock { $0 = State() } }

    /// The fingerprint that the journal shows instead of a token, to find the requests that used it.
    public static func fingerprint(of token: String) -> String { Digest.fingerprint(token) }

    package func record(_ request: ServerRequest, status: Int?, oauth: JournalEntry.OAuth? = nil) {
        let (target, body) = (JournalRedaction.target(request.target), redaction.body(of: request))
        let fields = request.fields.map { JournalEntry.Field(name: $0.name, value: JournalRedaction.field($0)) }
        state.withLock { state in
            state.count += 1
            let entry = JournalEntry(
                sequence: state.count, method: request.method, target: target, fields: fields,
                bodySize: request.sink?.count ?? request.body.count, body: body, status: status, oauth: oauth)
            state.entries.append(entry)
            state.bytes += entry.size
            while state.entries.count - state.dropped > capacity || state.bytes > Self.mostBytes {
                state.bytes -= state.entries[state.dropped]?.size ?? 0
                state.entries[state.dropped] = nil
                state.dropped += 1
            }
            guard state.dropped > state.entries.count / 2 else { return }
            state.entries.removeFirst(state.dropped)
            state.dropped = 0
        }
    }
}

extension JournalEntry {
    /// Its approximate size in memory.
    fileprivate var size: Int {
        fields.reduce(200 + target.utf8.count + body.count) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }
}

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
        /// `revoke`, `introspect`.
        public package(set) var grantType: String?
        /// The client that asked, as it called itself.
        public package(set) var clientID: String?
        /// `granted`, `allowed`, `logged in`, `login page`, `revoked`, `active`, …, or the code of the
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

/// Takes the secrets out of a request before the journal keeps it.
///
/// Paths and names are compared decoded and in lower case, since each of them can be spelled in many ways that a server
/// treats as equal. What cannot be decoded is shown as a fingerprint.
package struct JournalRedaction: Sendable {
    /// What the folded paths of logins begin with, and of requests whose bodies are never kept.
    private let logins: String
    private let hidden: String?

    package init(logins: String, hidden: String? = nil) {
        self.logins = logins
        self.hidden = hidden
    }

    private static let keptBody = 64 << 10

    /// The parameters of a login that may be shown; all others are secrets.
    private static let openParameters: Set<String> = [
        "grant_type", "response_type", "client_id", "scope", "username", "token_type_hint", "redirect_uri", "state",
        "code_challenge", "code_challenge_method", "prompt", "login_hint", "display", "action", "revoke_reason",
    ]

    /// Parameters that are always secret.
    private static let secretParameters: Set<String> = [
        "access_token", "refresh_token", "client_secret", "password", "code", "code_verifier", "assertion", "token",
        "oauth_token", "user_code", "device_code",
    ]

    /// What was found out about names: clients send the same ones with every request.
    private static let known = Mutex<[String: Bool]>([:])
    private static let mostKnown = 200

    private static func isSecret(_ name: String) -> Bool {
        known.withLock { known in
            if let isSecret = known[name] { return isSecret }
            let isSecret = SecretName.isSecret(name)
            if known.count < mostKnown { known[name] = isSecret }
            return isSecret
        }
    }

    static func field(_ field: HTTPFields.Field) -> String {
        guard isSecret(field.name) else { return field.value }
        guard field.name.isEqualIgnoringASCIICase(to: "Authorization") else { return Digest.fingerprint(field.value) }
        let parts = field.value.split(byte: " ", maxSplits: 1)
        guard parts.count == 2 else { return Digest.fingerprint(field.value) }
        return "\(parts[0]) \(Digest.fingerprint(String(parts[1])))"
    }

    static func target(_ target: String) -> String {
        guard let (path, query) = target.cut(byte: "?") else { return target }
        return "\(path)?\(pairs(query) { secretParameters.contains($0) })"
    }

    /// The beginning of the body, without its secrets.
    ///
    /// It is empty for a SOAP call and for a login that is not a form.
    func body(of request: ServerRequest) -> [UInt8] {
        let isForm = request.mediaType == "application/x-www-form-urlencoded"
        let kept = request.body.prefix(Self.keptBody)
        guard let path = request.path?.folded, hidden.map({ !path.hasBytes(prefix: $0) }) ?? true else { return [] }
        if path.hasBytes(prefix: logins) {
            return isForm ? Self.form(kept) { !Self.openParameters.contains($0) } : []
        }
        return isForm ? Self.form(kept) { Self.secretParameters.contains($0) } : Array(kept)
    }

    private static func form(_ bytes: ArraySlice<UInt8>, isSecret: (String) -> Bool) -> [UInt8] {
        Array(pairs(String(decoding: bytes, as: UTF8.self)[...], isSecret: isSecret).utf8)
    }

    private static func pairs(_ text: Substring, isSecret: (String) -> Bool) -> String {
        text.split(byte: "&", omittingEmptySubsequences: false).map { pair in
            let sides = pair.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = try? PercentEncoding.decodeForm(String(sides[0])) else {
                return Digest.fingerprint(String(pair))
            }
            guard !pair.isEmpty, isSecret(name.lowercased()) else { return String(pair) }
            // A body that is not a form may have a secret where a name should be.
            guard sides.count == 2, name.utf8.count <= 40,
                name.unicodeScalars.allSatisfy({ $0 == "_" || $0.properties.isAlphabetic })
            else {
                return Digest.fingerprint(String(pair))
            }
            let value = (try? PercentEncoding.decodeForm(String(sides[1]))) ?? String(sides[1])
            return "\(sides[0])=\(Digest.fingerprint(value))"
        }.joined(separator: "&")
    }
}
