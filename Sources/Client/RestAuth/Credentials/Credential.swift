// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// The result of a login: an access token, its instance, and the data for renewing it.
public struct Credential: Sendable, Hashable {
    /// Boxed, so that the steps of every call pass one pointer instead of all data that only a renewal needs.
    @Boxed private var parts: Parts

    private struct Parts: Sendable, Hashable {
        var accessToken: Secret
        var refreshToken: Secret?
        var instance: Origin
        var identityURL: String?
        var userID: String?
        var userClaim: String?
        var issuedAtMilliseconds: Int64?
        var lifetime: Duration?
        var scopes: [String]
        var login: Credential.Login?
        var mark: String?
        var dpopKey: Credential.DPoPKey?
    }

    /// Creates a credential.
    public init(
        accessToken: Secret, refreshToken: Secret? = nil, instance: Origin, identityURL: String? = nil,
        userID: String? = nil, issuedAtMilliseconds: Int64? = nil, lifetime: Duration? = nil, scopes: [String] = [],
        login: Credential.Login? = nil
    ) {
        parts = Parts(
            accessToken: accessToken, refreshToken: refreshToken, instance: instance, identityURL: identityURL,
            userID: userID, issuedAtMilliseconds: issuedAtMilliseconds, lifetime: lifetime, scopes: scopes,
            login: login)
    }

    /// The token of API requests: a bearer token (RFC 6750), or a token bound to the ``dpopKey`` (RFC 9449).
    public var accessToken: Secret {
        get { parts.accessToken }
        set { parts.accessToken = newValue }
    }

    /// The token that renews the access token, if the grant returned one.
    public var refreshToken: Secret? {
        get { parts.refreshToken }
        set { parts.refreshToken = newValue }
    }

    /// The only origin to which the access token is sent.
    public var instance: Origin {
        get { parts.instance }
        set { parts.instance = newValue }
    }

    /// The id of the org in the identity URL, or in the access token of a login without one.
    package var organizationID: String? {
        identifiers?.organization ?? accessToken.reveal().cut(byte: "!").map { String($0.before) }
    }

    /// The id of the user in the identity URL.
    package var platformUserID: String? { identifiers?.user }

    private var identifiers: LoginIdentity.Identifiers? { identityURL.flatMap { LoginIdentity.Identifiers(in: $0) } }

    /// The identity URL (`…/id/ORG/USER`), if the server named one.
    public var identityURL: String? {
        get { parts.identityURL }
        set { parts.identityURL = newValue }
    }

    /// The user's id at the server, if the responses contain one outside of the identity URL.
    public var userID: String? {
        get { parts.userID }
        set { parts.userID = newValue }
    }

    /// The server's name for ``userID``, so that ids of different kinds are not compared.
    package var userClaim: String? {
        get { parts.userClaim }
        set { parts.userClaim = newValue }
    }

    /// The time at which the server issued the access token, in milliseconds since 1970.
    public var issuedAtMilliseconds: Int64? {
        get { parts.issuedAtMilliseconds }
        set { parts.issuedAtMilliseconds = newValue }
    }

    /// The lifetime of the access token when it was issued, if the server sent one.
    ///
    /// It is counted from the time at which this process received the token, because clocks can be wrong.
    public var lifetime: Duration? {
        get { parts.lifetime }
        set { parts.lifetime = newValue }
    }

    /// The granted scopes, or an empty array if the server sent none.
    public var scopes: [String] {
        get { parts.scopes }
        set { parts.scopes = newValue }
    }

    /// The server and client of the login, or `nil` if the app stores them elsewhere.
    public var login: Credential.Login? {
        get { parts.login }
        set { parts.login = newValue }
    }

    /// The key that the tokens are bound to, or `nil` if they are bearer tokens.
    public var dpopKey: Credential.DPoPKey? {
        get { parts.dpopKey }
        set { parts.dpopKey = newValue }
    }

    /// A name for a login whose server names no user, made from its first tokens and retained by its renewals.
    ///
    /// It distinguishes the login from another login under the same key.
    package var mark: String? {
        get { parts.mark }
        set { parts.mark = newValue }
    }
}

extension Credential {
    /// The server and client of a login: everything that a later process requires to renew and revoke it.
    public struct Login: Sendable, Hashable {
        /// The authorization server.
        public var server: Origin
        /// The server's endpoints and client authentication, or `nil` for Salesforce's fixed paths at `server`.
        public var endpoints: AuthorizationServer?
        /// The id of the registered client that logged in.
        public var clientID: String
        /// The client's secret, stored next to the tokens.
        ///
        /// Set it to `nil` if the app has a safer location.
        public var clientSecret: Secret?
        /// The user's login name, for people who choose between accounts.
        public var username: String?
        /// Custom data of the app, such as how to repeat the login.
        ///
        /// It must not contain secrets, because `notes` are printed unchanged.
        public var notes: [String: String]

        /// Creates the details of a login.
        public init(
            server: Origin, endpoints: AuthorizationServer? = nil, clientID: String, clientSecret: Secret? = nil,
            username: String? = nil, notes: [String: String] = [:]
        ) {
            self.server = server
            self.endpoints = endpoints
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.username = username
            self.notes = notes
        }
    }

    /// A stored credential with its version.
    public struct Stored: Sendable, Hashable {
        /// The stored credential.
        public let credential: Credential
        /// A number that changes with every save of the account.
        public let version: UInt64
        /// The state of the renewal that spends the credential's refresh token.
        public let renewal: Credential.RenewalState

        /// Creates a stored credential.
        public init(credential: Credential, version: UInt64, renewal: Credential.RenewalState = .settled) {
            self.credential = credential
            self.version = version
            self.renewal = renewal
        }
    }

    /// The state of a refresh token in a store, for clients that run after another one was killed.
    ///
    /// Unless it is settled, an error response to the token does not prove that the login was revoked.
    public enum RenewalState: String, Sendable, Hashable {
        /// No earlier attempt to spend the token or its predecessor is open.
        case settled
        /// A client was about to spend the token and has not saved the result, so the token can be tried once more.
        case started
        /// The token is the result of repeating such an attempt.
        ///
        /// The first request may still reach the server, which can treat it as token theft.
        case repeated
    }

    /// The exclusive right to renew one account, until it is released.
    public final class Lock: Sendable {
        private let onRelease: Mutex<(@Sendable () -> Void)?>

        /// Creates a lock that is already held.
        ///
        /// - Parameter onRelease: releases the lock; called once.
        public init(onRelease: @escaping @Sendable () -> Void) {
            self.onRelease = Mutex(onRelease)
        }

        deinit { release() }

        /// Releases the lock, on the first call.
        public func release() {
            let action = onRelease.withLock { action in
                defer { action = nil }
                return action
            }
            action?()
        }
    }
}

extension Credential.Lock {
    /// Tries repeatedly to take a lock, and sleeps in between without blocking a thread.
    ///
    /// `attempt` takes the lock, or returns `nil` if another client holds it.
    static func poll(
        until deadline: ContinuousClock.Instant, clock: any MonotonicClock,
        attempt: () throws(Credential.StoreError) -> Credential.Lock?
    ) async throws(Credential.StoreError) -> Credential.Lock {
        var pause = Duration.milliseconds(1)
        while true {
            if let lock = try attempt() { return lock }
            let now = clock.now
            guard now < deadline else {
                throw Credential.StoreError(
                    .temporarilyUnavailable, "another client held the account's lock until the deadline; try again")
            }
            do {
                // The jitter spreads the attempts of waiting clients, so that each of them gets its turn.
                try await clock.sleep(until: min(now + pause * Double.random(in: 0.5...1), deadline), tolerance: nil)
            } catch {
                throw Credential.StoreError(.temporarilyUnavailable, "cancelled while waiting for the account's lock")
            }
            pause = min(pause * 2, .milliseconds(16))
        }
    }
}

/// The user and server of a credential, as far as known: the identity of a login under one key.
///
/// A user has an id at an authorization server, either at the end of an identity URL, as with Salesforce, or in a
/// claim. Logins with the same id at the same server are the same. If the server names no user, a login has a mark,
/// made from its first tokens and retained by its renewals. If the app knows the user's name, name and server decide. A
/// named user and an unnamed user are different. In all other cases the relation is unknown, and neither login replaces
/// the other.
struct LoginIdentity: Sendable, Hashable {
    enum Relation: Sendable {
        /// The same user at the same server.
        case same
        /// Two users, or one user at two servers.
        case other
        /// Neither of the two can be proved.
        case unknown
    }

    /// The ids at the end of an identity URL (`…/id/ORG/USER`).
    struct Identifiers: Sendable, Hashable {
        let organization: String
        let user: String

        /// Returns `nil` for any other URL, because some servers name a different URL for each token.
        init?(in identityURL: String) {
            guard let url = try? HTTPURL(parsing: identityURL) else { return nil }
            let parts = url.path.split(byte: "/")
            guard parts.count >= 3, parts[parts.count - 3] == "id" else { return nil }
            organization = String(parts[parts.count - 2])
            user = String(parts[parts.count - 1])
        }
    }

    private let identifiers: Identifiers?
    private let identityURL: String?
    private let user: NamedUser?
    private let server: Origin?
    private let username: String?
    private let mark: String?
    private let isMarked: Bool
    private let instance: Origin

    /// Reads the identity of a credential, from `server` if the credential does not name one.
    init(of credential: Credential, server: Origin? = nil) {
        identifiers = credential.identityURL.flatMap { Identifiers(in: $0) }
        identityURL = credential.identityURL
        user = credential.userID.flatMap { $0.isEmpty ? nil : NamedUser(claim: credential.userClaim, id: $0) }
        self.server = credential.login?.server ?? server
        username = credential.login?.username
        isMarked = credential.mark != nil
        mark = credential.marked().mark
        instance = credential.instance
    }

    func relation(to other: LoginIdentity) -> Relation {
        if let identifiers, let others = other.identifiers {
            let isSamePlace = identityURL == other.identityURL || sharesServer(with: other) == true
            return identifiers == others && isSamePlace ? .same : .other
        }
        if let user, let others = other.user, user.isComparable(with: others) {
            return user.id == others.id && sharesServer(with: other) ?? (instance == other.instance) ? .same : .other
        }
        if let mark, mark == other.mark { return .same }
        if let username, let name = other.username, let isSameServer = sharesServer(with: other) {
            return isSameServer && username == name ? .same : .other
        }
        if isNamed || other.isNamed { return isNamed && other.isNamed ? .unknown : .other }
        // Without marks, the logins were stored by an app itself or by a version without marks.
        let isUnmarked = !isMarked && !other.isMarked
        return isUnmarked && sharesServer(with: other) != false && instance == other.instance ? .same : .unknown
    }

    private var isNamed: Bool { identifiers != nil || user != nil }

    private func sharesServer(with other: LoginIdentity) -> Bool? {
        guard let server, let others = other.server else { return nil }
        return server == others
    }
}

extension Credential {
    /// The credential of a new login, with a mark if the server named no user.
    func marked() -> Credential {
        guard mark == nil, !isNamed else { return self }
        var marked = self
        let tokens = Array("\(accessToken.reveal()) \(refreshToken?.reveal() ?? "")".utf8)
        let digest = MessageDigest.hexSHA256(tokens).map { String(decoding: $0.prefix(20), as: UTF8.self) }
        marked.mark = digest ?? String(UInt64.random(in: .min ... .max), radix: 16)
        return marked
    }

    var isNamed: Bool { userID?.isEmpty == false || identityURL.flatMap { LoginIdentity.Identifiers(in: $0) } != nil }

    func hasTokens(of other: Credential) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}
