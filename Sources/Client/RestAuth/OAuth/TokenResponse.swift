// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// A parsed and checked response of the token endpoint (RFC 6749 §5.1).
struct TokenResponse: Sendable, Hashable {
    let accessToken: Secret
    /// The new refresh token, or `nil` if the current one stays valid (RFC 6749 §6).
    let refreshToken: Secret?
    /// The instance at which to use the access token, if the server named one.
    let instanceURL: String?
    let identityURL: String?
    /// The time of issue, in milliseconds since 1970.
    var issuedAtMilliseconds: Int64? { issuedAt.flatMap { Int64(outside: $0, in: .epochMilliseconds) } }
    /// The lifetime of the access token from now on, if the server sent one.
    let lifetime: Duration?
    let scopes: [String]
    /// The user of the tokens, once for each name in the response.
    let users: [NamedUser]
    /// The team that the tokens may belong to.
    let team: NamedUser?
    /// The ID token (OpenID Connect Core §3.1.3.3), not decoded.
    let idToken: String?
    private let issuedAt: String?
    private let signature: String?

    /// Reads a token response.
    ///
    /// A missing `token_type` means Bearer. A bound token must have the type DPoP, and another token the type Bearer.
    ///
    /// - Throws: ``OAuthError`` with the server's own code, or as ``OAuthResponse`` throws.
    init(reading reply: OAuthResponse, isBound: Bool = false) throws(OAuthError) {
        let response = reply.response
        if response.body.isEmpty, [400, 401].contains(response.head.status) {
            // These two mean that the request was rejected (RFC 6749 §5.2), even without a reason.
            throw OAuthError(.refused, "\(reply.endpoint) responded with status \(response.head.status) and no reason")
        }
        let members = try reply.members()
        guard let token = members["access_token"]?.string, Self.isUsable(token) else {
            throw Self.refused("a response without a usable access_token")
        }
        let type = members["token_type"].map { $0.string?.lowercased() ?? "" } ?? "bearer"
        if isBound, type == "bearer" {
            throw OAuthError(
                .dpopUnsupported,
                "the server returned a Bearer token instead of a token that is bound with DPoP; it was not used; check "
                    + "the client's settings at the server, or log in without DPoP")
        }
        guard type == (isBound ? "dpop" : "bearer") else {
            throw Self.refused("a token whose type is not \(isBound ? "DPoP" : "Bearer")")
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
        // An empty signature is a wrong signature.
        signature = members.object["signature"]?.string
        lifetime = members["expires_in"].flatMap(Self.lifetime(of:)) ?? JSONWebToken(token)?.lifetime
        scopes = members.words("scope")
    }

    /// Checks that the client's secret signed the identity URL and the time of issue, if the response has all three.
    ///
    /// Salesforce signs the concatenation of `id` and `issued_at` with HMAC-SHA-256. Without these two, a `signature`
    /// is something else of another server.
    func checkSignature(by secret: Secret) throws(OAuthError) {
        guard let signature, let identityURL, (try? HTTPURL(parsing: identityURL)) != nil, let issuedAt else { return }
        let signed = Array((identityURL + issuedAt).utf8)
        guard let expected = MessageDigest.hmacSHA256(key: Array(secret.reveal().utf8), signed) else {
            throw OAuthError(
                .cryptographyUnavailable, "SHA-256 is not available on this system; the token was not used")
        }
        guard let given = Base64.decode(signature), MessageDigest.areEqual(given, expected) else {
            throw Self.refused("a signature that does not match the client secret")
        }
    }

    private static func refused(_ what: String) -> OAuthError {
        OAuthError(.invalidResponse, "the token endpoint returned \(what); it was not used")
    }

    /// A lifetime in seconds, as a number (rounded down) or as digits.
    private static func lifetime(of value: JSONValue) -> Duration? { value.whole(in: .seconds).flatMap(lifetime) }

    /// A lifetime from one second to ten years, or `nil` for any other value.
    static func lifetime(_ seconds: Int64) -> Duration? {
        (1...315_360_000).contains(seconds) ? .seconds(seconds) : nil
    }

    /// Whether the token is valid in an `Authorization` header: visible ASCII, at most 16 KiB.
    static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= 16_384 && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// A user's id, and the name of the id in the server's response.
struct NamedUser: Sendable, Hashable {
    /// The name, such as `sub`, or `nil` if the app named the user.
    let claim: String?
    let id: String

    /// The members of token responses that can name the user, the most trusted first.
    ///
    /// `id` is not included, because some servers give each token an id.
    private static let members = ["sub", "user_id", "userid", "account_id", "uid"]
    /// The maximum length of a subject (OpenID Connect Core §2).
    private static let greatestLength = 255

    /// All ids of the user in a response.
    static func all(in reply: OAuthMembers) -> [NamedUser] {
        members.compactMap { member in
            let value = reply[member]
            return NamedUser(reading: value?.string ?? value?.numberText, as: member)
        }
    }

    /// Returns `nil` if the id cannot be shown or is too long.
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

    /// The subject of an ID token, or `nil` if it is malformed or belongs to another server or client.
    ///
    /// The signature is not checked: the token came directly from the token endpoint, whose TLS certificate was checked
    /// (OpenID Connect Core §3.1.3.7, §6).
    init?(idToken: String, of server: Origin, for clientID: String) {
        guard let claims = JSONWebToken(idToken)?.claims, let issuer = claims["iss"]?.string,
            (try? HTTPURL(parsing: issuer))?.origin == server
        else { return nil }
        let audience = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard audience.contains(clientID) else { return nil }
        self.init(reading: claims["sub"]?.string, as: "sub")
    }

    /// Whether two ids can be compared, because different kinds of ids can belong to the same user.
    func isComparable(with other: NamedUser) -> Bool { claim == other.claim || id == other.id }
}

extension TokenResponse {
    /// The user in the response, with the same kind of id as before for a renewal.
    ///
    /// If the client acts for itself (RFC 6749 §4.4) and the response names no user, it is the client.
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
