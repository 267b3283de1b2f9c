// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

/// Where an authorization server's endpoints are.
///
/// The platform's are at fixed paths; other servers say where theirs are (``discovered(at:transport:deadline:)``), or
/// you do.
public struct AuthorizationServer: Sendable, Hashable, Codable {
    /// Where a device login begins, and in which words.
    public enum DeviceEndpoint: Sendable, Hashable, Codable {
        /// An endpoint of its own, by RFC 8628.
        case standard(HTTPURL)
        /// The platform's older form, at the token endpoint.
        case platform(HTTPURL)
    }

    /// How a server is told to end a login.
    public enum RevocationStyle: String, Sendable, Hashable, Codable {
        /// The revocation endpoint takes a form with a token (RFC 7009).
        case form
        /// The revocation endpoint ends the login of the access token that a request carries, and takes no form: the
        /// token is the proof, and client and secret are not asked for.
        case bearer
    }

    /// The server's name for itself (RFC 8414 2), exactly as it writes it.
    public let issuer: String
    /// The server's origin.
    public let origin: Origin
    /// The page where the user logs in.
    public var authorizationEndpoint: HTTPURL
    /// Where grants are exchanged for tokens.
    public var tokenEndpoint: HTTPURL
    /// Where tokens are revoked (RFC 7009).
    public var revocationEndpoint: HTTPURL?
    /// Where one can ask what a token is good for (RFC 7662).
    public var introspectionEndpoint: HTTPURL?
    /// Where one can ask whose an access token is; `nil` for a path on the token's own instance.
    public var userInfoEndpoint: HTTPURL?
    /// Where a device login begins.
    public var deviceEndpoint: DeviceEndpoint?
    /// Whether every redirect of the server names it (RFC 9207), so that one that does not is refused.
    public var announcesIssuer = false
    /// How a client with a secret authenticates at the token endpoint, and where a device login begins.
    ///
    /// The server's metadata decides; set it for a server whose metadata are wrong or missing.
    public var clientAuthentication = OAuthClient.Authentication.post
    /// How it authenticates at the revocation endpoint; `nil` the same as at the token endpoint.
    public var revocationAuthentication: OAuthClient.Authentication?
    /// How it authenticates at the introspection endpoint; `nil` the same as at the token endpoint.
    public var introspectionAuthentication: OAuthClient.Authentication?
    /// How the server is told to end a login.
    public var revocationStyle = RevocationStyle.form
    /// What every form to the token endpoint carries beside the grant and the client, such as the language of its
    /// texts.
    public var tokenParameters: [String: String] = [:]
    /// Whether a token answer that names no user, but a `team_id`, is the login of that team.
    ///
    /// Of another server it may name the team of users that the answer leaves out.
    public var namesTeams = false
    /// Whether a `signature` in a token answer is the platform's, made with the client's secret, so that a wrong one is
    /// refused.
    ///
    /// Other servers may mean something else by it. It is looked at only in an answer with `id` and `issued_at`.
    public var signsTokens = false

    /// The platform's server at `login`, with its fixed paths.
    public init(login: Origin) {
        let tokenEndpoint = HTTPURL(origin: login, path: "/services/oauth2/token")
        self.init(
            issuer: login.description, origin: login,
            authorizationEndpoint: HTTPURL(origin: login, path: "/services/oauth2/authorize"),
            tokenEndpoint: tokenEndpoint)
        revocationEndpoint = HTTPURL(origin: login, path: "/services/oauth2/revoke")
        introspectionEndpoint = HTTPURL(origin: login, path: "/services/oauth2/introspect")
        deviceEndpoint = .platform(tokenEndpoint)
        signsTokens = true
    }

    /// A server that has these endpoints; set the others where it has them.
    ///
    /// - Parameters:
    ///   - issuer: its name for itself, usually its origin as text.
    ///   - origin: its origin.
    ///   - authorizationEndpoint: the page where the user logs in.
    ///   - tokenEndpoint: where grants are exchanged for tokens.
    public init(issuer: String, origin: Origin, authorizationEndpoint: HTTPURL, tokenEndpoint: HTTPURL) {
        self.issuer = issuer
        self.origin = origin
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
    }
}

extension AuthorizationServer {
    /// Whether tokens may travel to every endpoint.
    var isTrustworthy: Bool {
        let device: HTTPURL? =
            switch deviceEndpoint {
            case .standard(let url), .platform(let url): url
            case nil: nil
            }
        return [tokenEndpoint, revocationEndpoint, introspectionEndpoint, userInfoEndpoint, device]
            .allSatisfy { $0?.isTrustworthy != false }
    }
}

extension HTTPURL {
    /// Whether tokens may travel to it and browsers be sent to it: https, or http to a literal loopback address.
    var isTrustworthy: Bool { origin.scheme == .https || origin.isLoopback }
}

extension AuthorizationServer {
    /// Asks a server where its endpoints are (RFC 8414 3, OpenID Connect Discovery 4).
    ///
    /// Nothing of the answer is believed that could send tokens elsewhere: the `issuer` in it must be the address that
    /// was asked, and every endpoint must be on the same host and port, over https. Both well-known places are asked
    /// until one has a document that can be used.
    ///
    /// - Parameters:
    ///   - issuer: the server's address, such as `https://login.salesforce.com`.
    ///   - transport: what sends the requests.
    ///   - deadline: when to give up.
    /// - Returns: the server with its endpoints.
    /// - Throws: ``OAuthError``; `.serverUnavailable` when a place could not answer now and the other has no document,
    ///   `.invalidMetadata` for an answer that is not believed, `.proofKeyUnsupported` for a server without S256.
    public static func discovered(
        at issuer: String, transport: any HTTPTransport, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> AuthorizationServer {
        guard let url = try? HTTPURL(parsing: issuer), url.isTrustworthy, url.query == nil else {
            throw OAuthError(.invalidRequest, "the issuer must be an https address without a query")
        }
        let path = url.path == "/" ? "" : url.path
        var faults: [OAuthError] = []
        for place in ["/.well-known/oauth-authorization-server\(path)", "\(path)/.well-known/openid-configuration"] {
            let request = HTTPRequest(
                url: HTTPURL(origin: url.origin, path: place), fields: ["Accept": "application/json"])
            let response: HTTPResponse
            do { response = try await transport.send(request, deadline: deadline) } catch {
                throw OAuthError(error, at: place)
            }
            do throws(OAuthError) {
                return try AuthorizationServer(metadata: try document(in: response, from: place), of: issuer)
            } catch {
                faults.append(error)
            }
        }
        throw verdict(faults, of: url.origin)
    }

    /// The document of a well-known place; what stands behind another status than 200 is none.
    private static func document(in response: HTTPResponse, from place: String) throws(OAuthError) -> OAuthMembers {
        let answer = OAuthAnswer(response, from: place)
        if let unavailable = answer.unavailable { throw unavailable }
        guard response.head.status == 200 else {
            throw OAuthError(missing, "\(place) answered \(response.head.status)")
        }
        return try answer.members()
    }

    /// What is told when no place has a document: a server that could not answer now may have one.
    private static func verdict(_ faults: [OAuthError], of origin: Origin) -> OAuthError {
        faults.first { $0.code == .serverUnavailable } ?? faults.first { $0.code != missing }
            ?? OAuthError(
                .invalidMetadata,
                "\(origin) does not say where its endpoints are: \(faults.map(\.message).joined(separator: ", "))")
    }

    /// Says that a place has no document; never told.
    private static let missing = OAuthError.Code(rawValue: "missing")

    /// Reads a metadata document.
    init(metadata: OAuthMembers, of issuer: String) throws(OAuthError) {
        guard let url = try? HTTPURL(parsing: issuer), metadata["issuer"]?.string == issuer else {
            throw Self.fault("its issuer is not the address that was asked, \(issuer)")
        }
        let endpoint = { (name: String) throws(OAuthError) in
            try Self.endpoint(name, in: metadata, at: url.origin)
        }
        guard let authorization = try endpoint("authorization_endpoint"), let token = try endpoint("token_endpoint")
        else { throw Self.fault("authorization_endpoint or token_endpoint is missing") }
        let methods = metadata["code_challenge_methods_supported"]?.array?.compactMap(\.string)
        if let methods, !methods.contains("S256") {
            throw OAuthError(.proofKeyUnsupported, "the server does not offer PKCE with S256; nothing weaker is used")
        }
        self.init(issuer: issuer, origin: url.origin, authorizationEndpoint: authorization, tokenEndpoint: token)
        revocationEndpoint = try endpoint("revocation_endpoint")
        introspectionEndpoint = try endpoint("introspection_endpoint")
        userInfoEndpoint = try endpoint("userinfo_endpoint")
        deviceEndpoint = try endpoint("device_authorization_endpoint").map { DeviceEndpoint.standard($0) }
        announcesIssuer = metadata["authorization_response_iss_parameter_supported"]?.bool ?? false
        signsTokens = OAuthClient.InstancePolicy.platform.isAllowed(url.origin)
        readAuthentication(metadata)
    }

    private mutating func readAuthentication(_ metadata: OAuthMembers) {
        clientAuthentication = OAuthClient.Authentication(offered: metadata["token_endpoint_auth_methods_supported"])
        revocationAuthentication = metadata["revocation_endpoint_auth_methods_supported"]
            .map { OAuthClient.Authentication(offered: $0) }
        introspectionAuthentication = metadata["introspection_endpoint_auth_methods_supported"]
            .map { OAuthClient.Authentication(offered: $0) }
    }

    private static func endpoint(
        _ name: String, in metadata: OAuthMembers, at origin: Origin
    ) throws(OAuthError) -> HTTPURL? {
        // An empty address is no missing one (RFC 8414 3.2).
        guard let value = metadata.object[name], !value.isNull else { return nil }
        guard let url = value.string.flatMap({ try? HTTPURL(parsing: $0) }), url.origin == origin, url.isTrustworthy
        else { throw fault("its \(name) is not on \(origin)") }
        return url
    }

    private static func fault(_ reason: String) -> OAuthError {
        OAuthError(.invalidMetadata, "the server's metadata is not believed: \(reason)")
    }
}
