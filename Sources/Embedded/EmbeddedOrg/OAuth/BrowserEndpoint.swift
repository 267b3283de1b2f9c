// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import SOQLStore
import Synchronization

/// `/services/oauth2/authorize` and `/setup/connect`: the user logs in and answers in a browser.
///
/// Each form has a ticket for one request and one answer. Another page cannot answer for the user, because it cannot
/// read a ticket, and the request guard rejects its posts.
final class BrowserEndpoint: Sendable {
    private struct Ticket {
        let request: LoginRequest
        let expiry: ContinuousClock.Instant
        /// The ID of the user who entered the password.
        var user: String?
    }

    private let tokens: TokenService
    private let clients: RegisteredClients
    private let users: UserLogin
    private let tickets = Mutex<[String: Ticket]>([:])
    private static let (capacity, lifetime) = (1_000, Duration.seconds(600))

    init(tokens: TokenService, clients: RegisteredClients, users: UserLogin) {
        (self.tokens, self.clients, self.users) = (tokens, clients, users)
    }

    func authorize(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "authorize"
        var response: ServerResponse
        if request.method == "POST" {
            response = step(request, &note)
        } else {
            do throws(AuthorizationRequest.Rejection) {
                note.clientID = path.parameter("client_id")
                let asked = try AuthorizationRequest(path.query, request, clients)
                guard !asked.prompt.contains("none") else {
                    let rejection = OAuthRejection("login_required", "the user must be asked")
                    throw .redirect(
                        .init(redirectURI: asked.redirectURI, state: asked.state, result: .failure(rejection)))
                }
                response = begin(.redirect(asked), &note)
            } catch {
                switch error {
                case .page(let reason):
                    note.outcome = "refused"
                    response = LoginPages.failure(reason).response(400)
                case .redirect(let reply):
                    if case .failure(let rejection) = reply.result { note.refuse(rejection) }
                    response = reply.response(issuer: tokens.identity.instanceURL)
                }
            }
        }
        response.oauth = note
        return response
    }

    /// Returns the page for a device's code, or the login after the code was entered.
    func device(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        guard let given = path.parameter("user_code"), !given.isEmpty else { return LoginPages.deviceCode().response() }
        var note = JournalEntry.OAuth()
        note.grantType = "device"
        var response: ServerResponse
        if let code = UserCode.normalized(given), let asked = tokens.device(userCode: code) {
            response = begin(.device(asked), &note)
        } else {
            note.outcome = "unknown code"
            response = LoginPages.deviceCode(alert: "This code is wrong, was used or has expired.").response(400)
        }
        response.oauth = note
        return response
    }

    private func begin(_ asked: LoginRequest, _ note: inout JournalEntry.OAuth) -> ServerResponse {
        let (name, now) = (RandomText.make(43), tokens.clock.now)
        tickets.withLock { tickets in
            tickets = tickets.filter { $0.value.expiry > now }
            if tickets.count >= Self.capacity { tickets.removeAll() }
            tickets[name] = Ticket(request: asked, expiry: now + Self.lifetime)
        }
        note.clientID = asked.clientID
        note.outcome = "login page"
        return LoginPages.login(name, username: asked.loginHint).response()
    }

    /// Handles a posted form: the password or the user's answer.
    private func step(_ request: ServerRequest, _ note: inout JournalEntry.OAuth) -> ServerResponse {
        let form = try? OAuthForm(request)
        let (name, action) = (form?["ticket"] ?? "", form?["action"] ?? "")
        let ticket = tickets.withLock { tickets -> Ticket? in
            guard let ticket = tickets[name], ticket.expiry > tokens.clock.now else { return nil }
            // A ticket takes only one answer.
            if ticket.user != nil, action != "login" { tickets[name] = nil }
            return ticket
        }
        note.clientID = ticket?.request.clientID
        switch (action, ticket, ticket?.user) {
        case ("login", let ticket?, _):
            let username = form?["username"] ?? ""
            do throws(OAuthRejection) {
                let user = try users.check(username, form?["password"] ?? "")
                tickets.withLock { $0[name]?.user = user }
                note.outcome = "logged in"
                return LoginPages.consent(name, ticket.request, username: users.username(of: user)).response()
            } catch {
                note.refuse(error)
                let alert = "The username or the password is wrong."
                return LoginPages.login(name, username: username, alert: alert).response()
            }
        case ("allow", let ticket?, let user?), ("deny", let ticket?, let user?):
            return conclude(ticket.request, by: user, isAllowed: action == "allow", &note)
        default:
            note.outcome = "refused"
            return LoginPages.failure("This form was used or has expired. Start again in your program.").response(400)
        }
    }

    private func conclude(
        _ asked: LoginRequest, by user: String, isAllowed: Bool, _ note: inout JournalEntry.OAuth
    ) -> ServerResponse {
        note.outcome = isAllowed ? "allowed" : "access_denied"
        switch asked {
        case .redirect(let request):
            let denial = OAuthRejection("access_denied", "end-user denied authorization")
            let result: Result<String, OAuthRejection> =
                isAllowed ? .success(tokens.makeCode(for: request, user: user)) : .failure(denial)
            return AuthorizationResponse(redirectURI: request.redirectURI, state: request.state, result: result)
                .response(issuer: tokens.identity.instanceURL)
        case .device(let login):
            guard tokens.answerDevice(login.userCode, by: user, isAllowed: isAllowed) else {
                note.outcome = "unknown code"
                return LoginPages.failure("The device's code has expired.").response(400)
            }
            return LoginPages.deviceDone(isAllowed: isAllowed).response()
        }
    }
}

/// An authorization request by the browser (RFC 6749 §4.1.1, RFC 7636 §4.3).
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let state: String?
    let scopes: [String]
    let challenge: String?
    /// The thumbprint of the key that the code will be bound to (RFC 9449 §10).
    let key: String?
    let loginHint: String
    let prompt: Set<String>

    /// The values of `prompt` (OpenID Connect Core §3.1.2.1).
    static let prompts = ["none", "login", "consent", "select_account"]

    /// The reason why a request is not shown to the user.
    enum Rejection: Error {
        /// The client or the redirect URI is not trusted, so only the user gets the error (RFC 6749 §4.1.2.1).
        case page(String)
        /// The client gets the error.
        case redirect(AuthorizationResponse)
    }

    init(
        _ query: [(name: String, value: String)], _ request: ServerRequest, _ clients: RegisteredClients
    ) throws(Rejection) {
        guard let form = try? OAuthForm(query, request) else {
            throw .page("error=invalid_request: a parameter is repeated")
        }
        guard let client = try? clients.client(form["client_id"]) else {
            throw .page("error=invalid_client_id: client identifier invalid")
        }
        guard let redirectURI = form["redirect_uri"], client.allows(redirectURI)
        else { throw .page("error=redirect_uri_mismatch: redirect_uri must match configuration") }
        clientID = client.id
        self.redirectURI = redirectURI
        state = form["state"]
        loginHint = form["login_hint"] ?? ""
        key = form["dpop_jkt"]
        prompt = Set(form.words("prompt"))
        do throws(OAuthRejection) {
            scopes = try OAuthScope.granted(form.words("scope"))
            challenge = try form.challenge()
            guard challenge != nil || client.secret != nil else {
                throw .invalidRequest("missing required code challenge")
            }
            guard prompt.isSubset(of: Self.prompts), !prompt.contains("none") || prompt.count == 1 else {
                throw .invalidRequest("invalid prompt")
            }
        } catch {
            throw .redirect(
                AuthorizationResponse(redirectURI: redirectURI, state: form["state"], result: .failure(error)))
        }
    }
}

/// A request for the user's consent.
enum LoginRequest: Sendable {
    /// A request of a client that waits for the redirect.
    case redirect(AuthorizationRequest)
    /// A request of a device elsewhere.
    case device(DeviceLogin)

    var clientID: String {
        switch self {
        case .redirect(let request): request.clientID
        case .device(let login): login.clientID
        }
    }

    var scopes: [String] {
        switch self {
        case .redirect(let request): request.scopes
        case .device(let login): login.scopes
        }
    }

    var redirectURI: String? {
        if case .redirect(let request) = self { request.redirectURI } else { nil }
    }

    var loginHint: String {
        if case .redirect(let request) = self { request.loginHint } else { "" }
    }
}
