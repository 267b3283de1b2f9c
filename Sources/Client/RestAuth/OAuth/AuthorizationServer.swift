// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

/// The endpoints of an authorization server and its conventions.
///
/// The endpoints of Salesforce have fixed paths. Other servers publish theirs (``discovered(at:transport:deadline:)``),
/// or you set them.
public struct AuthorizationServer: Sendable, Hashable, Codable {
    /// The endpoint at which a device login begins, and its protocol.
    public enum DeviceEndpoint: Sendable, Hashable, Codable {
        /// A separate endpoint, as in RFC 8628.
        case standard(HTTPURL)
        /// Salesforce's older form, at the token endpoint.
        case platform(HTTPURL)
    }

    /// The form of a revocation request.
    public enum RevocationStyle: String, Sendable, Hashable, Codable {
        /// The revocation endpoint takes a form with a token (RFC 7009).
        case form
        /// The revocation endpoint revokes the login of the access token in the `Authorization` header, without a form.
        ///
        /// The token is the proof, so the client's id and secret are not sent.
        case bearer
    }

    /// The server's issuer identifier (RFC 8414 §2), exactly as the server writes it.
    public let issuer: String
    /// The server's origin.
    public let origin: Origin
    /// The page where the user logs in.
    public var authorizationEndpoint: HTTPURL
    /// The endpoint that exchanges grants for tokens.
    public var tokenEndpoint: HTTPURL
    /// The endpoint that revokes tokens (RFC 7009).
    public var revocationEndpoint: HTTPURL?
    /// The endpoint that returns the status of a token (RFC 7662).
    public var introspectionEndpoint: HTTPURL?
    /// The endpoint that returns the user of an access token, or `nil` for a path on the token's own instance.
    public var userInfoEndpoint: HTTPURL?
    /// The endpoint at which a device login begins.
    public var deviceEndpoint: DeviceEndpoint?
    /// Whether every redirect of the server names the issuer (RFC 9207), so that a redirect without one is rejected.
    public var announcesIssuer = false
    /// The authentication of a client with a secret at the token endpoint and the device endpoint.
    ///
    /// It is read from the server's metadata. Set it if the metadata is wrong or missing.
    public var clientAuthentication = OAuthClient.Authentication.post
    /// The authentication at the revocation endpoint, or `nil` for the same as at the token endpoint.
    public var revocationAuthentication: OAuthClient.Authentication?
    /// The authentication at the introspection endpoint, or `nil` for the same as at the token endpoint.
    public var introspectionAuthentication: OAuthClient.Authentication?
    /// The form of a revocation request.
    public var revocationStyle = RevocationStyle.form
    /// The algorithms of DPoP proofs that the server's metadata lists (RFC 9449 §5.1).
    ///
    /// The list is empty if the metadata does not mention DPoP, and `nil` without metadata, as at Salesforce's fixed
    /// paths. Such a server is asked.
    public var dpopAlgorithms: [String]?
    /// Additional fields of every token request, such as the language of error messages.
    public var tokenParameters: [String: String] = [:]
    /// Whether a token response with a `team_id` and without a user is the login of that team.
    ///
    /// On other servers, `team_id` can be the team of the user, whom the response leaves out.
    public var namesTeams = false
    /// Whether the `signature` in a token response is made with the client's secret, as by Salesforce, and must be
    /// right.
    ///
    /// Other servers may use this field for something else. It is checked only in a response with `id` and `issued_at`.
    public var signsTokens = false

    /// Creates Salesforce's server at `login`, with its fixed paths.
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

    /// Creates a server with these endpoints.
    ///
    /// Set its other endpoints as properties.
    ///
    /// - Parameters:
    ///   - issuer: the issuer identifier, usually the origin as a string.
    ///   - origin: the server's origin.
    ///   - authorizationEndpoint: the page where the user logs in.
    ///   - tokenEndpoint: the endpoint that exchanges grants for tokens.
    public init(issuer: String, origin: Origin, authorizationEndpoint: HTTPURL, tokenEndpoint: HTTPURL) {
        self.issuer = issuer
        self.origin = origin
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
    }
}

extension AuthorizationServer {
    /// Whether all endpoints are safe for tokens.
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
    /// Whether the URL is safe for tokens and redirects: https, or http to a literal loopback address.
    var isTrustworthy: Bool { origin.scheme == .https || origin.isLoopback }
}

extension AuthorizationServer {
    /// Requests the server's metadata, which lists its endpoints (RFC 8414 §3, OpenID Connect Discovery §4).
    ///
    /// Metadata that could send tokens elsewhere is rejected: its `issuer` must be the requested URL, and every
    /// endpoint must be on the same host and port, over https. Both well-known paths are requested until one returns a
    /// usable document.
    ///
    /// - Parameters:
    ///   - issuer: the server's URL, such as `https://login.salesforce.com`.
    ///   - transport: the transport that sends the requests.
    ///   - deadline: the time at which the requests fail with `.timedOut`.
    /// - Returns: the server with its endpoints.
    /// - Throws: ``OAuthError``: `.serverUnavailable` if one path is temporarily unavailable and the other has no
    ///   document, `.invalidMetadata` for untrusted metadata, `.proofKeyUnsupported` for a server without S256.
    public static func discovered(
        at issuer: String, transport: any HTTPTransport, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> AuthorizationServer {
        guard let url = try? HTTPURL(parsing: issuer), url.isTrustworthy, url.query == nil else {
            throw OAuthError(.invalidRequest, "the issuer must be an https URL without a query")
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

    /// The document at a well-known path, if the status is 200.
    private static func document(in response: HTTPResponse, from place: String) throws(OAuthError) -> OAuthMembers {
        let reply = OAuthResponse(response, from: place)
        if let unavailable = reply.unavailable { throw unavailable }
        guard response.head.status == 200 else {
            throw OAuthError(missing, "\(place) responded with status \(response.head.status)")
        }
        return try reply.members()
    }

    /// The error if no path has a document, preferably of an unavailable server, which may have one.
    private static func verdict(_ faults: [OAuthError], of origin: Origin) -> OAuthError {
        faults.first { $0.code == .serverUnavailable } ?? faults.first { $0.code != missing }
            ?? OAuthError(
                .invalidMetadata,
                "\(origin) does not publish its endpoints: \(faults.map(\.message).joined(separator: ", "))")
    }

    /// Marks a path without a document, and is never reported.
    private static let missing = OAuthError.Code(rawValue: "missing")

    init(metadata: OAuthMembers, of issuer: String) throws(OAuthError) {
        guard let url = try? HTTPURL(parsing: issuer), metadata["issuer"]?.string == issuer else {
            throw Self.fault("its issuer is not the requested URL \(issuer)")
        }
        let endpoint = { (name: String) throws(OAuthError) in
            try Self.endpoint(name, in: metadata, at: url.origin)
        }
        guard let authorization = try endpoint("authorization_endpoint"), let token = try endpoint("token_endpoint")
        else { throw Self.fault("authorization_endpoint or token_endpoint is missing") }
        let methods = metadata["code_challenge_methods_supported"]?.array?.compactMap(\.string)
        if let methods, !methods.contains("S256") {
            throw OAuthError(
                .proofKeyUnsupported,
                "the server does not support PKCE with S256, which this login requires; use another grant")
        }
        self.init(issuer: issuer, origin: url.origin, authorizationEndpoint: authorization, tokenEndpoint: token)
        revocationEndpoint = try endpoint("revocation_endpoint")
        introspectionEndpoint = try endpoint("introspection_endpoint")
        userInfoEndpoint = try endpoint("userinfo_endpoint")
        deviceEndpoint = try endpoint("device_authorization_endpoint").map { DeviceEndpoint.standard($0) }
        announcesIssuer = metadata["authorization_response_iss_parameter_supported"]?.bool ?? false
        signsTokens = OAuthClient.InstancePolicy.platform.isAllowed(url.origin)
        dpopAlgorithms = metadata.words("dpop_signing_alg_values_supported")
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
        // An empty URL is an error, and a missing URL is not (RFC 8414 §3.2).
        guard let value = metadata.object[name], !value.isNull else { return nil }
        guard let url = value.string.flatMap({ try? HTTPURL(parsing: $0) }), url.origin == origin, url.isTrustworthy
        else { throw fault("its \(name) is not on \(origin)") }
        return url
    }

    private static func fault(_ reason: String) -> OAuthError {
        OAuthError(.invalidMetadata, "the server's metadata was rejected: \(reason)")
    }
}
