// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// Who is logged in: one user of one server, without tokens.
public struct LinkedAccount: Sendable, Hashable, Identifiable {
    /// The account's key in the store.
    public let id: String
    /// The authorization server whose user it is.
    public let server: Origin
    /// The user's id at ``server``, when the server named it, in whichever way.
    public let userID: String?
    /// The org's id, when the server named an identity URL.
    public let organizationID: String?
    /// The org's own origin.
    public let instance: Origin
    /// The identity URL (`…/id/ORG/USER`), when the server named one.
    public let identityURL: String?
    /// Where and as what the login was made, when it was stored.
    public let login: Credential.Login?
    /// Whether the key was made by ``Names``, not by the app: a new login of the user then finds the account by
    /// itself.
    let hasMadeKey: Bool

    /// Describes the account of a credential.
    ///
    /// - Parameters:
    ///   - id: the account's key; by default made of the user's id and the server, which are the same at every login.
    ///   - credential: what its login gave.
    init(id: String? = nil, of credential: Credential) {
        let names = Names(of: credential)
        self.id = id ?? names.keys.first ?? credential.instance.description
        server = names.server
        userID = names.identifiers?.user ?? credential.userID
        organizationID = names.identifiers?.organization
        instance = credential.instance
        identityURL = credential.identityURL
        login = credential.login
        hasMadeKey = id.map(names.mayHaveMade) ?? true
    }

    /// The user's login name, when it is known.
    public var username: String? { login?.username }
}

extension LinkedAccount {
    /// What an account's key can be made of.
    struct Names {
        let server: Origin
        let identifiers: LoginIdentity.Identifiers?
        /// The keys by what names the user, the best first: ids of org and user, an id, a name, the login's mark.
        let keys: [String]

        /// A file's name has at most 255 bytes, and those of a record's files are longer than the key's.
        private static let greatestLength = 180

        init(of credential: Credential) {
            let identifiers = credential.identityURL.flatMap { LoginIdentity.Identifiers(in: $0) }
            let issuer = identifiers == nil ? nil : credential.identityURL.flatMap { try? HTTPURL(parsing: $0).origin }
            let server = credential.login?.server ?? issuer ?? credential.instance
            let ids = identifiers.map { "\($0.organization)-\($0.user)" }
            let mark = credential.mark ?? credential.marked().mark
            keys = [ids, credential.userID, credential.login?.username, mark.map { String($0.prefix(12)) }]
                .compactMap(\.self).filter { !$0.isEmpty }.map { Self.key($0, at: server) }
            (self.server, self.identifiers) = (server, identifiers)
        }

        /// Whether the key may be one that was made for the user, also before the server named the user.
        func mayHaveMade(_ key: String) -> Bool {
            keys.contains(key) || key.hasBytes(suffix: Self.place(of: server))
        }

        /// `USER@HOST`, with the scheme where it is not https; a digest where that would be too long for a file's name.
        private static func key(_ user: String, at server: Origin) -> String {
            let key = user + place(of: server)
            guard AccountName.escaped(key).utf8.count > greatestLength else { return key }
            let digest = MessageDigest.hexSHA256(Array(key.utf8)) ?? Array(key.utf8.prefix(32))
            return "user-" + String(decoding: digest.prefix(40), as: UTF8.self)
        }

        private static func place(of server: Origin) -> String {
            let origin = server.description
            return "@" + (server.scheme == .https ? String(origin.dropFirst("https://".count)) : origin)
        }
    }
}
