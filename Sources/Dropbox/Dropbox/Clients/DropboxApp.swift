// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport

/// The app that talks to Dropbox, and where Dropbox is: what its logins and all of its clients have in common.
public struct DropboxApp: Sendable {
    /// The app's key; needed for logins and for routes that an app calls for itself.
    public var key: String?
    /// The app's secret; an app on devices of its users has none, and logs in with PKCE alone.
    public var secret: Secret?
    /// The app's name and version as they stand before the SDK's own in the field `User-Agent`, such as `BoxSync/1.0`.
    public var userAgent: String?
    /// The language of the texts that Dropbox writes for the user, such as `de-AT`; `nil` leaves it to Dropbox.
    public var locale: String?
    /// Where Dropbox is.
    public var hosts: DropboxHosts

    /// Describes an app.
    public init(
        key: String? = nil, secret: Secret? = nil, userAgent: String? = nil, locale: String? = nil,
        hosts: DropboxHosts = DropboxHosts()
    ) {
        self.key = key
        self.secret = secret
        self.userAgent = userAgent
        self.locale = locale
        self.hosts = hosts
    }

    /// The field `Authorization` of what the app calls for itself; `nil` without key and secret.
    var authorization: Secret? {
        guard let key, let secret else { return nil }
        return Secret("Basic " + Base64.encode(Array("\(key):\(secret.reveal())".utf8)))
    }
}
