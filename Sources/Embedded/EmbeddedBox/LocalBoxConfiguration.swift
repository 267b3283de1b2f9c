// SPDX-License-Identifier: Apache-2.0

package import LocalServer
public import RestTransport

/// The settings of a Dropbox test server.
public struct LocalBoxConfiguration: ServerConfiguration {
    /// The location of the server's files.
    public enum Storage: Sendable, Hashable {
        /// A temporary directory, which is removed when the server stops.
        case temporary
        /// A directory, which is created if it is missing. Only this user may read it.
        case folder(String)
    }

    /// The TCP port on 127.0.0.1, or `nil` for a free one.
    public var port: Int?
    /// The location of the files.
    public var storage = Storage.temporary
    /// An additional user.
    public struct Member: Sendable, Hashable {
        /// The e-mail address.
        public var email: String
        /// The display name.
        public var displayName: String

        /// Creates a user.
        public init(_ email: String, displayName: String) {
            (self.email, self.displayName) = (email, displayName)
        }
    }

    /// The users in addition to the first user, who is then the admin of their team.
    public var members: [Member] = []
    /// The app key, or `nil` for a new one at every start.
    public var appKey: String?
    /// The app secret, or `nil` for a new one at every start.
    public var appSecret: String?
    /// The first user's access token, or `nil` for a new one at every start.
    ///
    /// A given token is valid again after every start.
    public var accessToken: String?
    /// The first user's refresh token, or `nil` for a new one at every start.
    public var refreshToken: String?
    /// The seed of the account's IDs.
    public var seed: UInt64 = 2026
    /// The account's e-mail address.
    public var email = "ada@example.com"
    /// The display name of the account's user.
    public var displayName = "Ada Example"
    /// The maximum size of all files of a user together, in bytes.
    public var quota: Int64 = 2 << 40
    /// The maximum size of one upload request, in bytes.
    ///
    /// A larger one is rejected with `payload_too_large`.
    public var uploadLimit = 150 << 20
    /// The maximum size of a file, in bytes.
    ///
    /// An upload session rejects a larger one with `too_large`.
    public var fileLimit: Int64 = (1 << 41) - (1 << 22)
    /// The number of entries on a page of a listing if the caller gives none.
    public var pageSize = 500
    /// The duration of one second of a long poll, which tests make shorter.
    public var longpollSecond: Duration = .seconds(1)
    /// The lifetime of access tokens.
    public var accessTokenLifetime: Duration = .seconds(4 * 60 * 60)
    /// The app's scopes, which are also the default scopes of a login.
    public var scopes = Self.allScopes
    /// The clock for lifetimes, which is manual in some tests.
    public var clock: any MonotonicClock = ContinuousClock()
    /// The maximum number of journal entries.
    ///
    /// The oldest entries are also dropped if all of them exceed 32 MB.
    public var journalCapacity = 10_000
    /// The number of threads that read requests and send short responses.
    public var threads = 2
    /// The limits of the HTTP server, which only tests change.
    package var limits = ServerLimits()

    /// The scopes of all routes that the server supports.
    public static let allScopes = [
        "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read",
        "files.content.write", "files.permanent_delete", "sharing.read", "sharing.write",
    ]

    /// Creates a configuration with default values for everything else.
    public init(port: Int? = nil, storage: Storage = .temporary) {
        self.port = port
        self.storage = storage
    }
}
