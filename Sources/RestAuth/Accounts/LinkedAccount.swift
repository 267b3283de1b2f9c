// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Who is logged in: one user of one org, without tokens.
public struct LinkedAccount: Sendable, Hashable, Identifiable {
    /// The account's key in the store.
    public let id: String
    /// The org's own origin.
    public let instance: Origin
    /// The identity URL (`…/id/ORG/USER`), when the server named one.
    public let identityURL: String?
    /// Where and as what the login was made, when it was stored.
    public let login: Credential.Login?

    /// Describes the account of a credential.
    ///
    /// - Parameters:
    ///   - id: the account's key; by default the ids of org and user, which are the same at every login of the user.
    ///   - credential: what its login gave.
    init(id: String? = nil, of credential: Credential) {
        instance = credential.instance
        identityURL = credential.identityURL
        login = credential.login
        let ids = credential.identityURL.flatMap { LoginIdentity.Identifiers(in: $0) }
        self.id = id ?? ids.map { "\($0.organization)-\($0.user)" } ?? credential.instance.description
    }

    /// The user's login name, when it is known.
    public var username: String? { login?.username }
    /// The org's id, when the server named an identity URL.
    public var organizationID: String? { identityURL.flatMap { LoginIdentity.Identifiers(in: $0)?.organization } }
    /// The user's id, when the server named an identity URL.
    public var userID: String? { identityURL.flatMap { LoginIdentity.Identifiers(in: $0)?.user } }
}
