// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// What a login gave: an access token, where to use it, and how to renew it.
public struct Credential: Sendable, Hashable {
    /// Boxed, so that the steps of every call hand on one pointer, and not all that only a renewal needs.
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
    }

    /// Makes a credential.
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

    /// The bearer token of API requests (RFC 6750).
    public var accessToken: Secret {
        get { parts.accessToken }
        set { parts.accessToken = newValue }
    }

    /// The token that renews the access token, when the grant gave one.
    public var refreshToken: Secret? {
        get { parts.refreshToken }
        set { parts.refreshToken = newValue }
    }

    /// The only origin that the access token is sent to.
    public var instance: Origin {
        get { parts.instance }
        set { parts.instance = newValue }
    }

    /// The identity URL (`…/id/ORG/USER`), when the server named one.
    public var identityURL: String? {
        get { parts.identityURL }
        set { parts.identityURL = newValue }
    }

    /// The user's id at the server, when its answers name one under another name than an identity URL.
    public var userID: String? {
        get { parts.userID }
        set { parts.userID = newValue }
    }

    /// Under which name the server gave ``userID``, so that an id of another kind is not taken for another user's.
    package var userClaim: String? {
        get { parts.userClaim }
        set { parts.userClaim = newValue }
    }

    /// When the server issued the access token, in milliseconds since 1970.
    public var issuedAtMilliseconds: Int64? {
        get { parts.issuedAtMilliseconds }
        set { parts.issuedAtMilliseconds = newValue }
    }

    /// How long the access token was good when it was given, when the server said so; counted from the moment this
    /// process got to know it, since clocks of servers and users are set.
    public var lifetime: Duration? {
        get { parts.lifetime }
        set { parts.lifetime = newValue }
    }

    /// The scopes that were granted; empty when the server did not say.
    public var scopes: [String] {
        get { parts.scopes }
        set { parts.scopes = newValue }
    }

    /// Where and as what the login was made; `nil` when the app knows that by itself.
    public var login: Credential.Login? {
        get { parts.login }
        set { parts.login = newValue }
    }

    /// A name of the login, made of its first tokens, which its renewals keep: what tells it from another login under
    /// the same key where the server names no user.
    package var mark: String? {
        get { parts.mark }
        set { parts.mark = newValue }
    }
}

extension Credential {
    /// Where and as what a login was made: all that a later process needs to renew it and to revoke it.
    public struct Login: Sendable, Hashable {
        /// The authorization server.
        public var server: Origin
        /// Where the server's endpoints are and how the client authenticates there; `nil` for the platform's fixed
        /// paths at `server`.
        public var endpoints: AuthorizationServer?
        /// The id of the registered client that logged in.
        public var clientID: String
        /// The client's secret; stored beside the tokens, so leave it out where the app has a better place for it.
        public var clientSecret: Secret?
        /// The user's login name, for people to tell accounts apart.
        public var username: String?
        /// What the app wants to remember of the login, such as how to repeat it.
        ///
        /// Not for secrets: notes are printed as they are.
        public var notes: [String: String]

        /// Makes the details of a login.
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

    /// A credential with the version it was stored under.
    public struct Stored: Sendable, Hashable {
        /// What was stored.
        public let credential: Credential
        /// Another one after every save of the account.
        public let version: UInt64
        /// What is known about the fate of the credential's refresh token.
        public let renewal: Credential.RenewalState

        /// Pairs a credential with its version.
        public init(credential: Credential, version: UInt64, renewal: Credential.RenewalState = .settled) {
            self.credential = credential
            self.version = version
            self.renewal = renewal
        }
    }

    /// What a store notes about the refresh token it keeps, for clients that come after one that died.
    ///
    /// Unless it is settled, a refusal of the token is no proof that somebody ended the login.
    public enum RenewalState: String, Sendable, Hashable {
        /// No earlier attempt to spend the token or the one before it is open.
        case settled
        /// A client was about to spend the token and has not said how it ended: the token can be tried once more.
        case started
        /// The token came from repeating such an attempt. The first request may still reach the server, which can take
        /// it for a thief's.
        case repeated
    }

    /// The right to renew one account, held until it is released.
    public final class Lock: Sendable {
        private let onRelease: Mutex<(@Sendable () -> Void)?>

        /// Makes a lock that was taken already.
        ///
        /// - Parameter onRelease: gives it back; called once.
        public init(onRelease: @escaping @Sendable () -> Void) {
            self.onRelease = Mutex(onRelease)
        }

        deinit { release() }

        /// Gives the lock back; a second call does nothing.
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
    /// Tries to take a lock again and again, with short sleeps that keep no thread.
    ///
    /// `attempt` takes the lock, or gives `nil` when somebody else has it.
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
                    .temporarilyUnavailable, "another client kept the account's lock until the deadline")
            }
            do {
                // The jitter lets those who wait come at different moments, so that each of them gets its turn.
                try await clock.sleep(until: min(now + pause * Double.random(in: 0.5...1), deadline), tolerance: nil)
            } catch {
                throw Credential.StoreError(.temporarilyUnavailable, "cancelled while waiting for the account's lock")
            }
            pause = min(pause * 2, .milliseconds(16))
        }
    }
}

/// Whose login a credential is, as far as it says: what stays the same under one key.
///
/// A user is an id at an authorization server, under whatever name the server's answers give it: an address that ends
/// with the ids of org and user, as the platform does, or a claim. Two such logins belong together when the ids are the
/// same and come from the same server. Where a server names nobody, a login has a mark, made of its first tokens, which
/// its renewals keep; and where the app knows the user's name, name and server decide. A user that is named and one
/// that is not are two. What none of this decides is unknown, and is never used in the other's place.
struct LoginIdentity: Sendable, Hashable {
    /// How two logins stand to each other.
    enum Relation: Sendable {
        /// The same user at the same server.
        case same
        /// Two users, or one user at two servers.
        case other
        /// Nothing proves that they belong together, and nothing the opposite.
        case unknown
    }

    /// The ids at the end of an identity URL (`…/id/ORG/USER`).
    struct Identifiers: Sendable, Hashable {
        let organization: String
        let user: String

        /// `nil` for any other text; a server that names something else at each token names no user.
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

    /// Reads the identity of a credential.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - server: the authorization server that it came from, where it does not say that itself.
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

    /// How this login stands to another one.
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
        // Without any mark the logins were stored by an app itself, or before there were marks.
        let isUnmarked = !isMarked && !other.isMarked
        return isUnmarked && sharesServer(with: other) != false && instance == other.instance ? .same : .unknown
    }

    private var isNamed: Bool { identifiers != nil || user != nil }

    /// `nil` when one of the servers is not known.
    private func sharesServer(with other: LoginIdentity) -> Bool? {
        guard let server, let others = other.server else { return nil }
        return server == others
    }
}

extension Credential {
    /// The credential of a new login, with a mark where the server named no user.
    func marked() -> Credential {
        guard mark == nil, !isNamed else { return self }
        var marked = self
        let tokens = Array("\(accessToken.reveal()) \(refreshToken?.reveal() ?? "")".utf8)
        let digest = MessageDigest.hexSHA256(tokens).map { String(decoding: $0.prefix(20), as: UTF8.self) }
        marked.mark = digest ?? String(UInt64.random(in: .min ... .max), radix: 16)
        return marked
    }

    /// Whether the server named the user.
    var isNamed: Bool { userID?.isEmpty == false || identityURL.flatMap { LoginIdentity.Identifiers(in: $0) } != nil }

    /// Whether the tokens are those of another credential.
    func hasTokens(of other: Credential) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}
