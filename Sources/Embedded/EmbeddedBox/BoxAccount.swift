// SPDX-License-Identifier: Apache-2.0

/// A user of an embedded box.
public struct BoxAccount: Sendable, Hashable {
    /// The id of the account, `dbid:…`.
    public let accountID: String
    /// The id of the member, `dbmid:…`, which `Dropbox-API-Select-User` takes; `nil` for a box with one user.
    public let memberID: String?
    /// The number of the namespace that has the user's own files.
    public let namespaceID: String
    /// An access token with all scopes of users.
    public let accessToken: String
}
