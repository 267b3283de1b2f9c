// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// A user's id, and the name that the server's answer gives it.
struct NamedUser: Sendable, Hashable {
    /// The name, such as `sub`; `nil` where the app named the user.
    let claim: String?
    let id: String

    /// The members of token answers that servers name the user in, in the order of trust.
    ///
    /// A bare `id` is not among them: some servers give each token one.
    private static let members = ["sub", "user_id", "userid", "account_id", "uid"]
    /// No subject is longer (OpenID Connect Core §2).
    private static let greatestLength = 255

    /// Every id that an answer names the user by.
    static func all(in answer: OAuthMembers) -> [NamedUser] {
        members.compactMap { member in
            let value = answer[member]
            return NamedUser(reading: value?.string ?? value?.numberText, as: member)
        }
    }

    /// `nil` for a text that cannot be shown, or is longer than any id.
    init?(reading id: String?, as claim: String) {
        guard let id, !id.isEmpty, id.utf8.count <= Self.greatestLength, !PlainText.steersTerminal(id) else {
            return nil
        }
        self.init(claim: claim, id: id)
    }

    init(claim: String?, id: String) {
        self.claim = claim
        self.id = id
    }

    /// The subject of an ID token; `nil` for one of another server or client, and for what is none.
    ///
    /// Its signature is not looked at: it came straight from the token endpoint, whose TLS certificate was checked
    /// (OpenID Connect Core §3.1.3.7, 6).
    init?(idToken: String, of server: Origin, for clientID: String) {
        guard let claims = JSONWebToken(idToken)?.claims, let issuer = claims["iss"]?.string,
            (try? HTTPURL(parsing: issuer))?.origin == server
        else { return nil }
        let audience = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard audience.contains(clientID) else { return nil }
        self.init(reading: claims["sub"]?.string, as: "sub")
    }

    /// Whether two ids can be compared: ids of different kinds that differ may be one user's.
    func isComparable(with other: NamedUser) -> Bool { claim == other.claim || id == other.id }
}

extension TokenResponse {
    /// The user of the answer; with a login that goes on, under the name that the login knows the user by, else nobody.
    ///
    /// - Parameters:
    ///   - server: whose answer it is.
    ///   - clientID: whom it is for, and whose tokens they are where the client acts for itself.
    ///   - actsForItself: whether the client asked for tokens of its own (RFC 6749 §4.4).
    ///   - previous: the login that goes on.
    /// - Returns: the user, or `nil` when nothing names one.
    func user(
        of server: Origin, for clientID: String, actsForItself: Bool, renewing previous: Credential?
    ) -> NamedUser? {
        let subject = idToken.flatMap { NamedUser(idToken: $0, of: server, for: clientID) }
        let namedIdentity = identityURL.flatMap { LoginIdentity.Identifiers(in: $0) }
        var named = [subject].compactMap(\.self) + users
        if actsForItself, named.isEmpty, namedIdentity == nil {
            named.append(NamedUser(claim: "client_id", id: clientID))
        }
        guard let previous, let id = previous.userID else { return named.first }
        let known = NamedUser(claim: previous.userClaim, id: id)
        return named.first { $0.claim == known.claim } ?? known
    }
}
