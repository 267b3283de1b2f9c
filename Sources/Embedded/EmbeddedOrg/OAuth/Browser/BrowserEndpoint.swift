// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

/// `/services/oauth2/authorize` and `/setup/connect`: the user logs in and answers, in a browser.
final class BrowserEndpoint: Sendable {
    private let tokens: TokenService
    private let clients: ClientRegistry
    private let users: UserLogin
    private let logins = Mutex(BrowserLogins())
    private let cookieName: String

    init(tokens: TokenService, clients: ClientRegistry, users: UserLogin, port: Int) {
        self.tokens = tokens
        self.clients = clients
        self.users = users
        // Browsers share cookies between the ports of a host.
        cookieName = "localorg_\(port)"
    }

    // MARK: Beginning

    func authorize(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        if request.method == "POST" { return step(request) }
        var note = JournalEntry.OAuth()
        note.grantType = "authorize"
        var response: ServerResponse
        do throws(AuthorizationRequest.Refusal) {
            note.clientID = path.parameter("client_id")
            response = try begin(try AuthorizationRequest(path.query, request, clients), request, &note)
        } catch {
            response = refuse(error, &note)
        }
        response.oauth = note
        return response
    }

    private func refuse(
        _ refusal: AuthorizationRequest.Refusal, _ note: inout JournalEntry.OAuth
    ) -> ServerResponse {
        switch refusal {
        case .page(let reason):
            note.outcome = "refused"
            return LoginPages.failure(reason).response(400)
        case .redirect(let answer):
            if case .failure(let refusal) = answer.result { note.refuse(refusal) }
            return answer.response(issuer: tokens.identity.instanceURL)
        }
    }

    private func begin(
        _ asked: AuthorizationRequest, _ request: ServerRequest, _ note: inout JournalEntry.OAuth
    ) throws(AuthorizationRequest.Refusal) -> ServerResponse {
        if asked.prompt.contains("none") {
            // Consent is always asked for, because any program on this machine could ask (RFC 8252 §8.6).
            let isLoggedIn = logins.withLock { $0.user(cookie(of: request), now: tokens.clock.now) != nil }
            let refusal = OAuthRefusal(isLoggedIn ? "consent_required" : "login_required", "the user must be asked")
            throw .redirect(.init(redirectURI: asked.redirectURI, state: asked.state, result: .failure(refusal)))
        }
        let forcesLogin = !asked.prompt.isDisjoint(with: ["login", "select_account"])
        return begin(.redirect(asked), request, forcesLogin: forcesLogin, &note)
    }

    private func begin(
        _ asked: LoginRequest, _ request: ServerRequest, forcesLogin: Bool, _ note: inout JournalEntry.OAuth
    ) -> ServerResponse {
        let cookie = cookie(of: request)
        let now = tokens.clock.now
        let (beginning, user) = logins.withLock {
            ($0.begin(asked, cookie: cookie, forcesLogin: forcesLogin, now: now), $0.user(cookie, now: now))
        }
        note.clientID = asked.clientID
        note.outcome = beginning.needsLogin ? "login page" : "consent page"
        let page =
            beginning.needsLogin
            ? LoginPages.login(beginning.ticket, username: asked.loginHint)
            : LoginPages.consent(beginning.ticket, asked, username: users.username(of: user ?? ""))
        return setting(beginning.cookie, in: page.response())
    }

    /// The page for the code of a device, and what follows once it was typed.
    func device(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        guard let given = path.parameter("user_code"), !given.isEmpty else { return LoginPages.deviceCode().response() }
        var note = JournalEntry.OAuth()
        note.grantType = "device"
        var response: ServerResponse
        if let code = UserCode.normalized(given), let asked = tokens.deviceRequest(userCode: code) {
            response = begin(.device(userCode: code, asked), request, forcesLogin: false, &note)
        } else {
            note.outcome = "unknown code"
            response = LoginPages.deviceCode(alert: "This code is wrong, was used, or has expired.").response(400)
        }
        response.oauth = note
        return response
    }

    // MARK: Steps

    /// Answers a posted form: the password, or the user's answer.
    private func step(_ request: ServerRequest) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "authorize"
        let cookie = cookie(of: request)
        let now = tokens.clock.now
        var response = LoginPages.failure(
            "This form was used, has expired, or came from another browser. Begin again in your program."
        ).response(400)
        note.outcome = "refused"
        if let form = try? OAuthForm(request), let ticket = form["ticket"] {
            if form["action"] == "login",
                let asked = logins.withLock({ $0.request(ticket, cookie: cookie, now: now) })
            {
                response = logIn(form, ticket, asked, &note)
            } else if let action = form["action"], ["allow", "deny"].contains(action),
                let (asked, user) = logins.withLock({ $0.finish(ticket, cookie: cookie, now: now) })
            {
                response = conclude(asked, by: user, isAllowed: action == "allow", &note)
            }
        }
        response.oauth = note
        return response
    }

    private func logIn(
        _ form: OAuthForm, _ ticket: String, _ asked: LoginRequest, _ note: inout JournalEntry.OAuth
    ) -> ServerResponse {
        note.clientID = asked.clientID
        let username = form["username"] ?? ""
        let user: String
        do throws(OAuthRefusal) {
            user = try users.check(username, form["password"] ?? "")
        } catch {
            note.refuse(error)
            let alert = "The username or the password is wrong."
            return LoginPages.login(ticket, username: username, alert: alert).response()
        }
        note.outcome = "logged in"
        let cookie = logins.withLock { $0.logIn(ticket, user: user, now: tokens.clock.now) }
        let page = LoginPages.consent(ticket, asked, username: users.username(of: user))
        return setting(cookie, in: page.response())
    }

    private func conclude(
        _ asked: LoginRequest, by user: String, isAllowed: Bool, _ note: inout JournalEntry.OAuth
    ) -> ServerResponse {
        note.clientID = asked.clientID
        note.outcome = isAllowed ? "allowed" : "access_denied"
        switch asked {
        case .redirect(let request):
            let denial = OAuthRefusal("access_denied", "end-user denied authorization")
            let result: Result<String, OAuthRefusal> =
                isAllowed ? .success(tokens.makeCode(for: request, user: user)) : .failure(denial)
            return AuthorizationAnswer(redirectURI: request.redirectURI, state: request.state, result: result)
                .response(issuer: tokens.identity.instanceURL)
        case .device(let code, _):
            guard tokens.answerDevice(code, by: user, isAllowed: isAllowed) else {
                note.outcome = "unknown code"
                return LoginPages.failure("The device's code has expired.").response(400)
            }
            return LoginPages.deviceDone(isAllowed: isAllowed).response()
        }
    }

    // MARK: Cookies

    private func cookie(of request: ServerRequest) -> String? {
        let pairs = request.fields.values(of: "Cookie").flatMap { $0.split(byte: ";") }
        for pair in pairs {
            let sides = pair.split(byte: "=", maxSplits: 1).map { $0.without(" ") }
            if sides.count == 2, sides[0] == cookieName { return sides[1] }
        }
        return nil
    }

    private func setting(_ cookie: String?, in response: ServerResponse) -> ServerResponse {
        var response = response
        if let cookie {
            response.fields.append(("Set-Cookie", "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Lax"))
        }
        return response
    }
}
