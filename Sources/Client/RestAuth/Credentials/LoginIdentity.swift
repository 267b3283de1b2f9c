// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

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
