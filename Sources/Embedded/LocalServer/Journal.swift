// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// The requests that a server received, for checks in tests.
public final class Journal: Sendable {
    private struct State {
        /// The entries, with `nil` for dropped ones until the list is compacted.
        var entries: [JournalEntry?] = []
        var dropped = 0
        var count = 0
        var bytes = 0
    }

    private let capacity: Int
    private let redaction: JournalRedaction
    /// Called after each entry, if a console shows the journal, which then has the responses as well.
    private let listener: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// The maximum size of all entries, in bytes.
    private static let mostBytes = 32 << 20

    package init(capacity: Int, redaction: JournalRedaction, listener: (@Sendable () -> Void)? = nil) {
        self.capacity = max(0, capacity)
        (self.redaction, self.listener) = (redaction, listener)
    }

    /// The entries in order, without the oldest ones beyond the capacity.
    public var entries: [JournalEntry] { state.withLock { $0.entries[$0.dropped...].compactMap(\.self) } }

    /// The number of requests since the start or the last `clear`, including dropped entries.
    public var count: Int { state.withLock { $0.count } }

    /// Returns the newest entries after one with a number, at most `count`, in order.
    package func entries(after number: Int, most count: Int) -> [JournalEntry] {
        state.withLock { state in
            let new = min(max(0, state.count - number), count, state.entries.count - state.dropped)
            return state.entries.suffix(new).compactMap(\.self)
        }
    }

    /// Returns the entry with a number, unless it was dropped.
    package func entry(_ number: Int) -> JournalEntry? {
        state.withLock { state in
            let index = state.entries.count - 1 - (state.count - number)
            return number <= state.count && index >= state.dropped ? state.entries[index] : nil
        }
    }

    /// Removes all entries, and restarts the sequence from 1.
    public func clear() { state.withLock { $0 = State() } }

    /// Returns the fingerprint of a token in the journal, which identifies the requests with the token.
    public static func fingerprint(of token: String) -> String { Digest.fingerprint(token) }

    /// Adds a request with its response, or `nil` if there was none.
    package func record(
        _ request: ServerRequest, _ response: ServerResponse?, oauth: JournalEntry.OAuth? = nil,
        delay: Duration = .zero
    ) {
        let (target, body) = (JournalRedaction.target(request.target), redaction.body(of: request))
        let kept = listener == nil ? nil : response.map { redaction.response($0, to: request) }
        let (time, duration) = (ServerClock.milliseconds, ContinuousClock.now - request.arrival + delay)
        let fields = request.fields.map { JournalEntry.Field(name: $0.name, value: JournalRedaction.field($0)) }
        state.withLock { state in
            state.count += 1
            let entry = JournalEntry(
                sequence: state.count, method: request.method, target: target, fields: fields,
                bodySize: request.sink?.count ?? request.body.count, body: body, status: response?.status,
                oauth: oauth, time: time, duration: duration, response: kept)
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
        listener?()
    }
}

extension JournalEntry {
    fileprivate var size: Int {
        (fields + (response?.fields ?? [])).reduce(200 + target.utf8.count + body.count + (response?.body.count ?? 0)) {
            $0 + 64 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}

/// A request to the server and the status of its response.
public struct JournalEntry: Sendable, Hashable {
    /// The number of the request, from 1 in the order of the responses.
    public let sequence: Int
    /// The method's token.
    public let method: String
    /// The raw path and query, percent-encoded.
    ///
    /// Tokens, codes and passwords in the query are replaced by fingerprints.
    public let target: String
    /// The headers in order.
    ///
    /// `Authorization` is reduced to its scheme and a fingerprint of the secret, and `Cookie` to a fingerprint.
    public let fields: [Field]
    /// The length of the body in bytes.
    public let bodySize: Int
    /// The first 64 KiB of the body.
    ///
    /// In a form for an OAuth endpoint, secrets are replaced by fingerprints.
    ///
    /// It is empty for a SOAP call, and for a body that was streamed to a file.
    public let body: [UInt8]
    /// The status, or `nil` if a fault closed the connection without a response.
    public let status: Int?
    /// The details of a login or token request, or `nil` for other requests.
    public let oauth: OAuth?
    /// The time of the response, in milliseconds since 1970.
    package let time: Int64
    /// The time from the head of the request to the response, with the delay by a fault.
    package let duration: Duration
    /// The response, if a console shows it.
    package let response: Response?

    /// The headers and the body of a response without secrets.
    package struct Response: Sendable, Hashable {
        package let fields: [Field]
        /// The length of the body in bytes.
        package let bodySize: Int
        /// The first 64 KiB of the body, or nothing for a login and a SOAP call.
        package let body: [UInt8]
    }

    /// A header in the journal.
    public struct Field: Sendable, Hashable {
        /// The name as sent.
        public let name: String
        /// The value, redacted if it is secret.
        public let value: String
    }

    /// Returns the first value of a header, ignoring case.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the path, without the query, has this suffix.
    public func pathHasSuffix(_ suffix: String) -> Bool {
        target.prefix(before: "?").hasBytes(suffix: suffix)
    }
}

extension JournalEntry {
    /// The purpose and the result of a login request, without secrets.
    public struct OAuth: Sendable, Hashable {
        /// The grant type of a token request, or the endpoint's purpose: `authorize`, `device`, `device_authorization`,
        /// `revoke`, `introspect`.
        public package(set) var grantType: String?
        /// The client ID in the request.
        public package(set) var clientID: String?
        /// The outcome: `granted`, `allowed`, `logged in`, `login page`, `revoked`, `active`, …, or the error code.
        public package(set) var outcome = ""
        /// The error description in the response, if the request was rejected.
        public package(set) var reason: String?

        package init() {}
    }
}

extension ServerResponse {
    package var oauth: JournalEntry.OAuth? {
        get { note as? JournalEntry.OAuth }
        set { note = newValue }
    }
}

/// Removes the secrets from a request for the journal.
///
/// Paths and names are decoded and compared in lower case, because servers treat many spellings as equal. Parts that
/// cannot be decoded are replaced by fingerprints.
package struct JournalRedaction: Sendable {
    /// The prefixes of the folded paths of logins and of requests without a recorded body.
    private let logins: String
    private let hidden: String?

    package init(logins: String, hidden: String? = nil) {
        self.logins = logins
        self.hidden = hidden
    }

    private static let keptBody = 64 << 10

    /// The parameters of a login that are not secret.
    private static let openParameters: Set<String> = [
        "grant_type", "response_type", "client_id", "scope", "username", "token_type_hint", "redirect_uri", "state",
        "code_challenge", "code_challenge_method", "prompt", "login_hint", "display", "action", "revoke_reason",
    ]

    private static let secretParameters: Set<String> = [
        "access_token", "refresh_token", "client_secret", "password", "code", "code_verifier", "assertion", "token",
        "oauth_token", "user_code", "device_code",
    ]

    /// A cache, because clients send the same names with every request.
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

    /// Returns the beginning of the body without its secrets.
    ///
    /// It is empty for a SOAP call, for a login that is not a form, and for a new password.
    func body(of request: ServerRequest) -> [UInt8] {
        let isForm = request.mediaType == "application/x-www-form-urlencoded"
        let kept = request.body.prefix(Self.keptBody)
        guard let path = request.path?.folded, !isHidden(path) else { return [] }
        if path.hasBytes(prefix: logins) {
            return isForm ? Self.form(kept) { !Self.openParameters.contains($0) } : []
        }
        return isForm ? Self.form(kept) { Self.secretParameters.contains($0) } : Array(kept)
    }

    private func isHidden(_ path: String) -> Bool {
        path.hasBytes(suffix: "/password") || hidden.map { path.hasBytes(prefix: $0) } ?? false
    }

    func response(_ response: ServerResponse, to request: ServerRequest) -> JournalEntry.Response {
        let isOpen = request.path.map { !isHidden($0.folded) && !$0.folded.hasBytes(prefix: logins) } ?? false
        return JournalEntry.Response(
            fields: response.fields.map { name, value in
                let value = Self.field(HTTPFields.Field(name: name, value: value))
                // The redirect of a login has its code.
                return JournalEntry.Field(name: name, value: name == "Location" ? Self.target(value) : value)
            },
            bodySize: response.file?.count ?? response.body.count,
            body: isOpen ? Array(response.body.prefix(Self.keptBody)) : [])
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
            // A body that is not a form may have a secret in place of a name.
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
