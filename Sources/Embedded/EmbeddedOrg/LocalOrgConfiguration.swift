// SPDX-License-Identifier: Apache-2.0

public import LocalServer
public import RestTransport
import SOQLStore

/// The settings of an embedded org.
public struct LocalOrgConfiguration: ServerConfiguration {
    /// The location of the org's records.
    public enum Storage: Sendable, Hashable {
        /// A temporary file without a name, which disappears with the org or the process.
        case memory
        /// An SQLite file, which is created and filled with the sample data if it does not exist.
        ///
        /// Only this user may read and write it and the files next to it, regardless of the umask.
        case file(String)
    }

    /// The TCP port, or `nil` for a free one.
    public var port: Int?
    /// The location of the records.
    public var storage = Storage.memory
    /// The objects and fields in addition to the standard ones, or `nil` for none.
    ///
    /// New objects and fields are added to an org in a file. The org does not start if the schema lacks an object or a
    /// field of the file, or changes its type.
    public var schema: OrgSchema?
    /// Additional records for a new database, which is not created if one of them is rejected.
    public var initialRecords: [InitialRecords] = []
    /// The number of accounts in a new database in addition to the sample data.
    ///
    /// Their only child records are ``contacts``.
    public var records: Int?
    /// The number of contacts in a new database in addition to the sample data.
    ///
    /// They belong to the org's accounts in turn.
    public var contacts: Int?
    /// The seed of the records and IDs.
    ///
    /// The same seed gives the same records and IDs, including the IDs of the org and its user. Two orgs in one test
    /// need different seeds. A file keeps its original IDs.
    public var seed = Self.defaultSeed
    /// The default seed.
    public static let defaultSeed: UInt64 = 2026
    /// The lifetime of access tokens.
    public var accessTokenLifetime: Duration = .seconds(2 * 60 * 60)
    /// The effect of using a refresh token.
    ///
    /// On Salesforce, it stays valid unless the app rotates tokens.
    public var refreshRotation = RefreshRotation.off
    /// The binding of tokens to keys with DPoP, which is off by default.
    public var proofs = ProofSettings(.off)
    /// The time without a use after which a refresh token expires, or `nil` if it never does.
    ///
    /// On Salesforce, the admin sets it for each app.
    public var refreshIdleLimit: Duration?
    /// The handler of token exchanges (RFC 8693), or `nil` if the org does not support them.
    ///
    /// It replaces the Apex handler of a Salesforce org: it gets a token and its type, and returns the name of the user
    /// with a password whose tokens the client gets, or `nil` to reject the token.
    public var tokenHandler: (@Sendable (_ token: String, _ type: String) -> String?)?
    /// The clients in addition to ``LocalOrg/clientID`` and ``LocalOrg/publicClientID``.
    public var connectedApps: [ConnectedApp] = []
    /// PEM certificates with RSA keys that sign assertions of the org's own app, ``LocalOrg/clientID``.
    public var certificates: [String] = []
    /// The users with a login in addition to the first user.
    public var users: [OrgUser] = []
    /// The settings of events and of the clients that listen to them.
    public var events = EventSettings()
    /// The settings for https, or `nil` for http.
    public var security: OrgSecurity?
    /// The maximum duration of a query.
    ///
    /// A longer query fails with `QUERY_TIMEOUT`.
    ///
    /// The limit is one second for queries of composite requests that write, and half a second for all queries of a
    /// transaction together, because other requests wait for them.
    public var queryTimeLimit: Duration = .seconds(120)
    /// The maximum number of deleted records of each object for `queryAll`, without the oldest ones.
    public var recycleBinCapacity = 5_000
    /// The maximum number of children of a record on a page of a query, 1 or more.
    ///
    /// A longer list says `done: false` and names its next page.
    public var childPageSize = 200
    /// The maximum number of records on a page of bulk query results, 1 or more, if the client does not ask for fewer.
    ///
    /// A page with more than 8 MB has fewer records.
    public var bulkPageSize = 50_000
    /// The clock for lifetimes, which is manual in some tests.
    public var clock: any MonotonicClock = ContinuousClock()
    /// The maximum number of journal entries.
    ///
    /// The oldest entries are also dropped if all of them exceed 32 MB.
    public var journalCapacity = 10_000
    /// The number of threads that handle requests.
    public var threads = 2
    /// The limits of the HTTP server, which only tests change.
    package var limits = ServerLimits()
    /// The time of day of the stamps of records, in milliseconds since 1970, which simulations set.
    package var timeOfDay: @Sendable () -> Int64 = { WireTime.milliseconds }

    /// Creates a configuration with default values for everything else.
    public init(
        port: Int? = nil, storage: Storage = .memory, records: Int? = nil, seed: UInt64 = Self.defaultSeed,
        accessTokenLifetime: Duration = .seconds(2 * 60 * 60), refreshRotation: RefreshRotation = .off
    ) {
        self.port = port
        self.storage = storage
        self.records = records
        self.seed = seed
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshRotation = refreshRotation
    }
}

/// A client of the org's OAuth endpoints, as an administrator registers it.
public struct ConnectedApp: Sendable, Hashable {
    /// The consumer key.
    public var clientID: String
    /// The consumer secret, or `nil` for a public client, which must use PKCE and gets no token for itself.
    public var clientSecret: String?
    /// The allowed redirect URIs.
    ///
    /// The URI of a request must be equal to one of them. For a loopback address (`http://127.0.0.1`, `http://[::1]`,
    /// `http://localhost`), the port may differ (RFC 8252 §7.3).
    public var redirectURIs: [String]
    /// PEM certificates with RSA keys that sign the app's assertions (RFC 7523).
    public var certificates: [String]

    /// Creates a client.
    public init(
        clientID: String, clientSecret: String? = nil, redirectURIs: [String] = [], certificates: [String] = []
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURIs = redirectURIs
        self.certificates = certificates
    }

    /// The addresses of programs on this machine that wait for the browser.
    static let loopbackRedirects = ["127.0.0.1", "[::1]", "localhost"].flatMap { host in
        ["callback", "OauthRedirect"].map { "http://\(host)/\($0)" }
    }
}

/// TLS for an org, with a new certificate at every start.
///
/// The certificate is self-signed, so a client that trusts it trusts only this org. The key never leaves the process.
public struct OrgSecurity: Sendable, Hashable {
    /// The names in the certificate in addition to `127.0.0.1` and `localhost`.
    ///
    /// A name may begin with `*.` for any single label. Clients with fixed host names reach the org by such a name and
    /// a proxy.
    public var names: [String]
    /// The path of the PEM file for the certificate, or `nil` for no file.
    ///
    /// ``LocalOrg/certificate`` always has it.
    public var certificateFile: String?

    /// Creates the settings.
    public init(names: [String] = [], certificateFile: String? = nil) {
        self.names = names
        self.certificateFile = certificateFile
    }
}
