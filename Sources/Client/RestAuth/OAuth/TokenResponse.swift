// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// A parsed and checked answer of the token endpoint (RFC 6749 5.1).
struct TokenResponse: Sendable, Hashable {
    /// The new access token.
    let accessToken: Secret
    /// The new refresh token; `nil` means that the one in use stays valid (RFC 6749 6).
    let refreshToken: Secret?
    /// Where the access token is to be used, when the server said.
    let instanceURL: String?
    /// The identity URL.
    let identityURL: String?
    /// Milliseconds since 1970 at which the token was issued.
    var issuedAtMilliseconds: Int64? { issuedAt.flatMap { Int64(outside: $0, in: .epochMilliseconds) } }
    /// How long the access token is good from now on, when the server said so.
    let lifetime: Duration?
    /// The granted scopes.
    let scopes: [String]
    /// Whose tokens they are, under each name that the answer gives the user.
    let users: [NamedUser]
    /// The team whose tokens they may be.
    let team: NamedUser?
    /// The ID token (OpenID Connect Core 3.1.3.3), unread.
    let idToken: String?
    private let issuedAt: String?
    private let signature: String?

    /// Reads a token response.
    ///
    /// A missing `token_type` is taken for Bearer, which is the only type there is a way to use.
    ///
    /// - Throws: ``OAuthError`` with the server's own code, or as ``OAuthAnswer`` says.
    init(reading answer: OAuthAnswer) throws(OAuthError) {
        let response = answer.response
        if response.body.isEmpty, [400, 401].contains(response.head.status) {
            // These two say that the request was refused (RFC 6749 5.2), also where the reason is missing.
            throw OAuthError(.refused, "\(answer.endpoint) answered \(response.head.status) without a reason")
        }
        let members = try answer.members()
        guard let token = members["access_token"]?.string, Self.isUsable(token) else {
            throw Self.refused("an answer without a usable access_token")
        }
        if let type = members["token_type"], type.string?.isEqualIgnoringASCIICase(to: "bearer") != true {
            throw Self.refused("a token of another type than Bearer")
        }
        let refresh = members["refresh_token"]?.string
        guard refresh.map(Self.isUsable) ?? true else { throw Self.refused("an unusable refresh_token") }
        accessToken = Secret(token)
        refreshToken = refresh.map { Secret($0) }
        instanceURL = members["instance_url"]?.string
        identityURL = members["id"]?.string
        users = NamedUser.all(in: members)
        team = NamedUser(reading: members["team_id"]?.string, as: "team_id")
        idToken = members["id_token"]?.string
        issuedAt = members["issued_at"].flatMap { $0.string ?? $0.numberText }
        // An empty signature is a wrong one.
        signature = members.object["signature"]?.string
        lifetime = members["expires_in"].flatMap(Self.lifetime(of:)) ?? JSONWebToken(token)?.lifetime
        scopes = members.words("scope")
    }

    /// Checks that the client's secret signed the identity URL and the time of issue, where the answer has all three.
    ///
    /// The platform signs `id` and `issued_at`, one behind the other, with HMAC-SHA-256. A `signature` without the two
    /// is something else of another server.
    func checkSignature(by secret: Secret) throws(OAuthError) {
        guard let signature, let identityURL, (try? HTTPURL(parsing: identityURL)) != nil, let issuedAt else { return }
        let signed = Array((identityURL + issuedAt).utf8)
        guard let expected = MessageDigest.hmacSHA256(key: Array(secret.reveal().utf8), signed) else {
            throw OAuthError(.cryptographyUnavailable, "the system makes no digests; the token was not used")
        }
        guard let given = Base64.decode(signature), MessageDigest.areEqual(given, expected) else {
            throw Self.refused("a signature that the client's secret did not make")
        }
    }

    private static func refused(_ what: String) -> OAuthError {
        OAuthError(.invalidResponse, "the token endpoint gave \(what); it was not used")
    }

    /// Seconds as a number, rounded down, or as digits.
    private static func lifetime(of value: JSONValue) -> Duration? { value.whole(in: .seconds).flatMap(lifetime) }

    /// A lifetime between one second and ten years; anything else says nothing.
    static func lifetime(_ seconds: Int64) -> Duration? {
        (1...315_360_000).contains(seconds) ? .seconds(seconds) : nil
    }

    /// Whether the text can stand in an `Authorization` field: visible ASCII, at most 16 KiB.
    static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= 16_384 && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// A user's id, and the name that the server's answer gives it.
struct NamedUser: Sendable, Hashable {
    /// The name, such as `sub`; `nil` where the app named the user.
    let claim: String?
    let id: String

    /// The members of token answers that servers name the user in, in the order of trust.
    ///
    /// A bare `id` is not among them: some servers give each token one.
    private static let members = ["sub", "user_id", "userid", "account_id", "uid"]
    /// No subject is longer (OpenID Connect Core 2).
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
    /// (OpenID Connect Core 3.1.3.7, 6).
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
    ///   - actsForItself: whether the client asked for tokens of its own (RFC 6749 4.4).
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
