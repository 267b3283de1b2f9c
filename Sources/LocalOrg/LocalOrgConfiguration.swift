// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// How an embedded org is started.
public struct LocalOrgConfiguration: Sendable {
    /// Where the org keeps its records.
    public enum Storage: Sendable, Hashable {
        /// Nowhere to be found: in a temporary file without a name, gone with the org or the process.
        case memory
        /// In an SQLite file, made and filled with the sample data when it does not exist.
        ///
        /// Only this user may read and write it and the files beside it, whatever the umask is.
        case file(String)
    }

    /// What happens to a refresh token once it was used (RFC 9700 §4.14.2).
    public enum RefreshRotation: Sendable, Hashable {
        /// Every use gives a new one; using a spent one again revokes all that came from the same login.
        case strict
        /// Every use gives a new one; using the last spent one again, after a lost answer, gives the same successor.
        case grace
        /// The token stays valid and no new one is given, as on a platform without rotation.
        case off
    }

    /// The address to listen on; only `127.0.0.1` is accepted, anything else is refused when the org starts.
    public var host = "127.0.0.1"
    /// The TCP port, or `nil` for a free one.
    public var port: Int?
    /// Where the records are kept.
    public var storage = Storage.memory
    /// How many accounts are made beyond the sample data, when the database is made.
    ///
    /// They have no child records.
    public var records: Int?
    /// What the sample and the extra records are generated from: the same seed gives the same records.
    public var seed: UInt64 = 2026
    /// How long an access token is valid.
    public var accessTokenLifetime: Duration = .seconds(2 * 60 * 60)
    /// What happens to a refresh token once it was used.
    public var refreshRotation = RefreshRotation.strict
    /// How long a refresh token is valid after its last use, or `nil` for ever.
    public var refreshTokenLifetime: Duration?
    /// Whether token answers have `expires_in`, which the platform's do not have.
    public var announcesExpiry = false
    /// How long an authorization code is good; more than ten minutes counts as ten (RFC 6749 §4.1.2).
    public var authorizationCodeLifetime: Duration = .seconds(10 * 60)
    /// How long the login of a device waits for its user.
    public var deviceCodeLifetime: Duration = .seconds(10 * 60)
    /// The clients beside the org's own two, ``LocalOrg/clientID`` and ``LocalOrg/publicClientID``.
    public var connectedApps: [ConnectedApp] = []
    /// How many wrong passwords lock a user out, of the way in that they came by.
    ///
    /// Each app that proves itself by its secret is a way in of its own, so is each browser that the user has logged in
    /// with before; all other browsers are one, and so is SOAP. So who guesses cannot lock the user out of what is in
    /// use already.
    public var passwordAttempts = 10
    /// How long a user stays locked out.
    public var lockoutPeriod: Duration = .seconds(15 * 60)
    /// How many token requests a client may make in a minute, or `nil` for any number.
    ///
    /// Beyond it the client is refused for a minute with status 429. A hundred wrong secrets or codes do the same.
    public var tokenRequestsPerMinute: Int?
    /// How long a query may run before it is answered with `QUERY_TIMEOUT`.
    ///
    /// Queries inside of composite requests that write may run for a second, those of a transaction for half a second
    /// together, because others wait for them.
    public var queryTimeLimit: Duration = .seconds(120)
    /// How long the rest of a query's result can be read after its last page, or its first; as long as the platform's.
    ///
    /// It ends earlier when the same app of the same user has left very many or very large results unread.
    public var queryCursorLifetime: Duration = .seconds(2 * 24 * 60 * 60)
    /// How many deleted records of each object are kept for `queryAll`; beyond it the oldest are removed for good.
    public var recycleBinCapacity = 5_000
    /// How many children a record comes with in the answer of a query, 1 or more.
    ///
    /// A longer list says `done: false` and names its next page, which has at most as many.
    public var childPageSize = 200
    /// How many API calls are answered in 24 hours, or `nil` for all of them.
    ///
    /// Beyond it every call is refused with `REQUEST_LIMIT_EXCEEDED`. `Sforce-Limit-Info` shows 15,000 for `nil`.
    public var dailyRequestLimit: Int?
    /// Whether answers of a kilobyte or more are compressed for clients that accept gzip, as the platform's are.
    ///
    /// Off, so that what a test or a measurement sees is the answer and not zlib.
    public var compressesAnswers = false
    /// What lifetimes and the day of ``dailyRequestLimit`` are measured on; a test may move it by hand.
    public var clock: any MonotonicClock = ContinuousClock()
    /// How many entries the journal keeps; the oldest are dropped beyond that, and beyond 32 MB of them.
    public var journalCapacity = 10_000
    /// The threads that answer requests.
    public var threads = 2
    /// What the server bears; only tests have other limits.
    package var limits = ServerLimits()

    /// Makes a configuration; everything not given keeps its default.
    public init(
        port: Int? = nil, storage: Storage = .memory, records: Int? = nil, seed: UInt64 = 2026,
        accessTokenLifetime: Duration = .seconds(2 * 60 * 60), refreshRotation: RefreshRotation = .strict
    ) {
        self.port = port
        self.storage = storage
        self.records = records
        self.seed = seed
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshRotation = refreshRotation
    }
}

/// What the server bears from its clients, fixed by the org and not by anybody's wishes.
package struct ServerLimits: Sendable {
    /// From a request's first byte to the end of its header.
    package var headerTime: Duration = .seconds(10)
    /// For a body, and for taking an answer, beside what its bytes take at the least rate.
    package var bodyTime: Duration = .seconds(30)
    /// Bytes in a second.
    package var leastRate = 8 << 10
    /// Between two requests of a connection.
    package var idleTime: Duration = .seconds(60)
    /// Open connections; each also has at most half of the process's descriptors to share.
    package var connections = 2_048
    /// The longest body of a request that may have a long one, in bytes.
    package var body = 50 << 20
    /// The longest body of a login or of any other request without a session; a form may have half of it.
    package var openBody = 128 << 10
    /// The bytes of all bodies that are being received or answered.
    package var bodyMemory = 64 << 20

    package init() {}
}
