// SPDX-License-Identifier: Apache-2.0

package import LocalServer
public import RestTransport

/// How an embedded box is started.
public struct LocalBoxConfiguration: ServerConfiguration {
    /// Where the box keeps its files.
    public enum Storage: Sendable, Hashable {
        /// In a temporary folder, which is removed when the box stops.
        case temporary
        /// In a folder, which is made if it does not exist; only this user may read it.
        case folder(String)
    }

    /// The TCP port on 127.0.0.1, or `nil` for a free one.
    public var port: Int?
    /// Where files are kept.
    public var storage = Storage.temporary
    /// A further user.
    public struct Member: Sendable, Hashable {
        /// The e-mail address.
        public var email: String
        /// The name.
        public var displayName: String

        /// Makes a user.
        public init(_ email: String, displayName: String) {
            (self.email, self.displayName) = (email, displayName)
        }
    }

    /// Users beside the first one, who is the admin of the team that they all are then.
    public var members: [Member] = []
    /// The name of the team.
    public var teamName = "Example Team"
    /// The key of the app, or `nil` for a new one at every start.
    public var appKey: String?
    /// The secret of the app, or `nil` for a new one at every start.
    public var appSecret: String?
    /// The first user's access token, or `nil` for a new one at every start; one that is given is good again from every
    /// start on.
    public var accessToken: String?
    /// The first user's refresh token, or `nil` for a new one at every start.
    public var refreshToken: String?
    /// What the ids of the account are generated from.
    public var seed: UInt64 = 2026
    /// The account's e-mail address.
    public var email = "ada@example.com"
    /// The name of the account's user.
    public var displayName = "Ada Example"
    /// How many bytes all files of a user together may have.
    public var quota: Int64 = 2 << 40
    /// How many bytes one request may upload; more is refused with `payload_too_large`.
    public var uploadLimit = 150 << 20
    /// How many bytes a file may have; an upload session refuses more with `too_large`.
    public var fileLimit: Int64 = (1 << 41) - (1 << 22)
    /// How many revisions of a file are kept, the present one among them; `nil` for all.
    public var revisionLimit: Int?
    /// How many entries a page of a folder has if the caller does not say.
    public var pageSize = 500
    /// How many checks of a job answer `in_progress` before it is complete.
    public var jobChecks = 1
    /// How long a second of a long poll lasts; tests make it shorter.
    public var longpollSecond: Duration = .seconds(1)
    /// How long an access token is valid.
    public var accessTokenLifetime: Duration = .seconds(4 * 60 * 60)
    /// The scopes that the app has, and that a login gets if it names none.
    public var scopes = Self.allScopes
    /// The clock for lifetimes; a test can move it by hand.
    public var clock: any MonotonicClock = ContinuousClock()
    /// How many entries the journal keeps; the oldest are dropped beyond that, and beyond 32 MB of them.
    public var journalCapacity = 10_000
    /// The threads that read requests and answer short ones.
    public var threads = 2
    /// The limits of the server; only tests change them.
    package var limits = ServerLimits()

    /// Every scope of the routes that the box answers.
    public static let allScopes = [
        "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read",
        "files.content.write", "files.permanent_delete", "sharing.read", "sharing.write",
    ]

    /// Makes a configuration; everything not given keeps its default.
    public init(port: Int? = nil, storage: Storage = .temporary) {
        self.port = port
        self.storage = storage
    }
}
