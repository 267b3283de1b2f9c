// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

extension AuthorizationServer {
    /// Asks a server where its endpoints are (RFC 8414 §3, OpenID Connect Discovery §4).
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
        // An empty address is no missing one (RFC 8414 §3.2).
        guard let value = metadata.object[name], !value.isNull else { return nil }
        guard let url = value.string.flatMap({ try? HTTPURL(parsing: $0) }), url.origin == origin, url.isTrustworthy
        else { throw fault("its \(name) is not on \(origin)") }
        return url
    }

    private static func fault(_ reason: String) -> OAuthError {
        OAuthError(.invalidMetadata, "the server's metadata is not believed: \(reason)")
    }
}
