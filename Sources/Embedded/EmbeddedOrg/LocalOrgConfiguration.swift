// SPDX-License-Identifier: Apache-2.0

public import LocalServer
public import RestTransport

/// How an embedded org is started.
public struct LocalOrgConfiguration: ServerConfiguration {
    /// Where the org keeps its records.
    public enum Storage: Sendable, Hashable {
        /// In a temporary file without a name, which disappears with the org or the process.
        case memory
        /// In an SQLite file, which is created and filled with the sample data if it does not exist.
        ///
        /// Only this user may read and write it and the files beside it, whatever the umask is.
        case file(String)
    }

    /// What happens to a refresh token after its use.
    public typealias RefreshRotation = LocalServer.RefreshRotation

    /// The address to listen on; only `127.0.0.1` is accepted, anything else is refused when the org starts.
    public var host = "127.0.0.1"
    /// The TCP port, or `nil` for a free one.
    public var port: Int?
    /// Where the records are kept.
    public var storage = Storage.memory
    /// The objects and fields beside the standard ones, or `nil` for none.
    ///
    /// An org in a file gets objects and fields that are new. It is not started with a schema that lacks one of its
    /// own, or has it as another type.
    public var schema: OrgSchema?
    /// Further records, written when the database is made; the org is not made if one of them is refused.
    public var initialRecords: [InitialRecords] = []
    /// How many accounts are made beyond the sample data, when the database is made.
    ///
    /// They have no child records but for ``contacts``.
    public var records: Int?
    /// How many contacts are made beyond the sample data, when the database is made.
    ///
    /// They belong to the org's accounts in turn.
    public var contacts: Int?
    /// What the records and all ids are generated from.
    ///
    /// The same seed gives the same records with the same ids, and the same ids of the org and its user. Two orgs that
    /// a test logs in to at once need different seeds. A file keeps the ids that it was made with.
    public var seed = Self.defaultSeed
    /// The seed of an org that is given none.
    public static let defaultSeed: UInt64 = 2026
    /// How long an access token is valid.
    public var accessTokenLifetime: Duration = .seconds(2 * 60 * 60)
    /// What happens to a refresh token after its use; on the platform it stays valid unless its app rotates tokens.
    public var refreshRotation = RefreshRotation.off
    /// How long a refresh token is valid after its last use, or `nil` for no limit.
    public var refreshTokenLifetime: Duration?
    /// Whether token answers have `expires_in`, which the platform's do not.
    public var announcesExpiry = false
    /// How long an authorization code is valid; more than ten minutes counts as ten (RFC 6749 4.1.2).
    public var authorizationCodeLifetime: Duration = .seconds(10 * 60)
    /// Whether a PKCE verifier must have the 43 to 128 characters of RFC 7636; the platform takes longer ones too.
    public var isProofKeyStrict = false
    /// How long the login of a device waits for its user.
    public var deviceCodeLifetime: Duration = .seconds(10 * 60)
    /// The clients beside the org's own two, ``LocalOrg/clientID`` and ``LocalOrg/publicClientID``.
    public var connectedApps: [ConnectedApp] = []
    /// Certificates in PEM whose keys sign assertions of the org's own app, ``LocalOrg/clientID``; RSA only.
    public var certificates: [String] = []
    /// The users beside the first one who can log in.
    public var users: [OrgUser] = []
    /// Asks for https, or `nil` for http.
    public var security: OrgSecurity?
    /// How long a query may run before it is answered with `QUERY_TIMEOUT`.
    ///
    /// Queries of composite requests that write may run for a second, and all queries of a transaction together for
    /// half a second, because other requests wait for them.
    public var queryTimeLimit: Duration = .seconds(120)
    /// How long the rest of a query's result can be read after its latest page.
    ///
    /// It ends earlier when too many results are left unread.
    public var queryCursorLifetime: Duration = .seconds(2 * 24 * 60 * 60)
    /// How many deleted records of each object are kept for `queryAll`; the oldest are removed beyond that.
    public var recycleBinCapacity = 5_000
    /// How many children of a record one page of a query has, 1 or more.
    ///
    /// A longer list says `done: false` and names its next page.
    public var childPageSize = 200
    /// How many records one page of a bulk query's results has, 1 or more, if the client does not ask for fewer.
    ///
    /// A page has fewer when its records have more than 8 MB.
    public var bulkPageSize = 50_000
    /// Whether the user has the permission Bulk API Hard Delete.
    ///
    /// On the platform no profile has it at first; here `false` shows how a job is refused without it.
    public var allowsHardDelete = true
    /// How many API calls are answered in 24 hours, or `nil` for no limit.
    ///
    /// Beyond it every call is refused with `REQUEST_LIMIT_EXCEEDED`. `Sforce-Limit-Info` shows 15,000 for `nil`.
    public var dailyRequestLimit: Int?
    /// Whether answers of a kilobyte or more are compressed for clients that accept gzip, as on the platform.
    ///
    /// It is off by default, so that measurements do not include zlib.
    public var compressesAnswers = false
    /// The origins of pages that may call the REST API from a browser, such as `https://app.example.com`.
    ///
    /// It is the allow-list that an admin keeps on the platform; requests from all other origins are refused.
    public var corsOrigins: Set<String> = []
    /// The clock for lifetimes and for ``dailyRequestLimit``; a test can move it by hand.
    public var clock: any MonotonicClock = ContinuousClock()
    /// How many entries the journal keeps; the oldest are dropped beyond that, and beyond 32 MB of them.
    public var journalCapacity = 10_000
    /// The threads that answer requests.
    public var threads = 2
    /// The limits of the server; only tests change them.
    package var limits = ServerLimits()

    /// Makes a configuration; everything not given keeps its default.
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

/// A client that may ask the org for tokens, as an administrator of the platform registers it.
public struct ConnectedApp: Sendable, Hashable {
    /// The consumer key.
    public var clientID: String
    /// The consumer secret, or `nil` for a public client, which must use PKCE and gets no token for itself.
    public var clientSecret: String?
    /// The URIs that the browser may be sent back to.
    ///
    /// A request must name one of them exactly; of a loopback address (`http://127.0.0.1`, `http://[::1]`,
    /// `http://localhost`) the port does not matter (RFC 8252 7.3).
    public var redirectURIs: [String]
    /// Certificates in PEM whose keys sign the app's assertions (RFC 7523); RSA only.
    public var certificates: [String]

    /// Makes a registration.
    public init(
        clientID: String, clientSecret: String? = nil, redirectURIs: [String] = [], certificates: [String] = []
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURIs = redirectURIs
        self.certificates = certificates
    }

    /// The addresses on which programs on this machine wait for the browser.
    static let loopbackRedirects = ["127.0.0.1", "[::1]", "localhost"].flatMap { host in
        ["callback", "OauthRedirect"].map { "http://\(host)/\($0)" }
    }
}

/// TLS for an org, with a certificate that is made when the org starts.
///
/// The certificate is its own issuer: a client trusts the org, and nothing else, by trusting it. The key never leaves
/// the process.
public struct OrgSecurity: Sendable, Hashable {
    /// The names that the certificate and the org have beside `127.0.0.1` and `localhost`.
    ///
    /// A name may begin with `*.`, for one further label in its place. Clients with fixed names of hosts reach the org
    /// by such a name and a proxy.
    public var names: [String]
    /// Where the certificate is written as PEM, or `nil` for nowhere; ``LocalOrg/certificate`` has it in any case.
    public var certificateFile: String?

    /// Asks for TLS.
    public init(names: [String] = [], certificateFile: String? = nil) {
        self.names = names
        self.certificateFile = certificateFile
    }
}
