// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// What a client asks the user for, by way of the browser (RFC 6749 §4.1.1, RFC 7636 §4.3).
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let state: String?
    let scopes: [String]
    let challenge: String?
    let loginHint: String
    let prompt: Set<String>

    /// The values of `prompt` (OpenID Connect Core §3.1.2.1).
    static let prompts = ["none", "login", "consent", "select_account"]

    /// Why a request is not shown to the user.
    enum Refusal: Error {
        /// The client or the redirect URI cannot be trusted, so only the user is told (RFC 6749 §4.1.2.1).
        case page(String)
        /// The client is told.
        case redirect(AuthorizationAnswer)
    }

    /// Checks the parameters of a request.
    init(
        _ query: [(name: String, value: String)], _ request: ServerRequest, _ clients: ClientRegistry
    ) throws(Refusal) {
        guard let form = try? OAuthForm(query, request) else {
            throw .page("error=invalid_request: a parameter is repeated")
        }
        guard let client = form["client_id"].flatMap(clients.client) else {
            throw .page("error=invalid_client_id: client identifier invalid")
        }
        guard let redirectURI = form["redirect_uri"], client.redirects.contains(where: { $0.allows(redirectURI) })
        else { throw .page("error=redirect_uri_mismatch: redirect_uri must match configuration") }
        clientID = client.id
        self.redirectURI = redirectURI
        state = form["state"]
        loginHint = form["login_hint"] ?? ""
        prompt = Set(form.words("prompt"))
        challenge = form["code_challenge"]
        do throws(OAuthRefusal) {
            scopes = try OAuthScope.granted(form.words("scope"))
            try Self.check(form, challenge, isPublic: client.secret == nil)
        } catch {
            throw .redirect(
                AuthorizationAnswer(redirectURI: redirectURI, state: form["state"], result: .failure(error)))
        }
    }

    private static func check(_ form: OAuthForm, _ challenge: String?, isPublic: Bool) throws(OAuthRefusal) {
        guard form["response_type"] == "code" else {
            throw OAuthRefusal("unsupported_response_type", "response type not supported")
        }
        // The platform has never known another method and takes S256 when none is named.
        guard ["S256", nil].contains(form["code_challenge_method"]) else {
            throw .invalidRequest("code_challenge_method must be S256")
        }
        guard challenge != nil || !isPublic else { throw .invalidRequest("missing required code challenge") }
        guard challenge.map(ProofKey.isChallenge) ?? true else { throw .invalidRequest("invalid code challenge") }
        let prompt = form.words("prompt")
        guard prompt.allSatisfy(prompts.contains), !prompt.contains("none") || prompt.count == 1 else {
            throw .invalidRequest("invalid prompt")
        }
    }
}

/// What the browser is sent back with.
struct AuthorizationAnswer {
    let redirectURI: String
    let state: String?
    /// The code, or the error.
    let result: Result<String, OAuthRefusal>

    /// The redirect; it names the org, so that a client of several servers knows who answers (RFC 9207).
    ///
    /// Status 303, because a form with a password must not be sent on (RFC 9700 §4.12).
    func response(issuer: String) -> ServerResponse {
        var pairs: [(String, String)] = []
        switch result {
        case .success(let code): pairs.append(("code", code))
        case .failure(let refusal):
            pairs += [("error", refusal.error), ("error_description", refusal.description)]
        }
        if let state { pairs.append(("state", state)) }
        pairs.append(("iss", issuer))
        let query = pairs.map { "\($0)=\(PercentEncoding.queryComponent($1))" }.joined(separator: "&")
        var response = ServerResponse.empty(303)
        response.fields = [
            ("Location", redirectURI + (redirectURI.hasBytes("?") ? "&" : "?") + query),
            ("Referrer-Policy", "no-referrer"),
        ]
        return .unstored(response)
    }
}

/// What a user is asked to agree to.
enum LoginRequest: Sendable {
    /// A client that waits for the browser to come back.
    case redirect(AuthorizationRequest)
    /// A device that waits somewhere else, by the code it shows.
    case device(userCode: String, DeviceLogins.Request)

    var clientID: String {
        switch self {
        case .redirect(let request): request.clientID
        case .device(_, let request): request.clientID
        }
    }

    var scopes: [String] {
        switch self {
        case .redirect(let request): request.scopes
        case .device(_, let request): request.scopes
        }
    }

    var redirectURI: String? {
        if case .redirect(let request) = self { request.redirectURI } else { nil }
    }

    var loginHint: String {
        if case .redirect(let request) = self { request.loginHint } else { "" }
    }
}
