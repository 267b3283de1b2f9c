// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Starting and finishing a login")
struct PendingLoginTests {
    private let transport = StubTransport()
    private let redirectURI = "com.example.app:/done"
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(announcesIssuer: Bool = false) -> OAuthClient {
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.announcesIssuer = announcesIssuer
        return OAuthClient(server: server, clientID: "client id", clientSecret: nil, transport: transport)
    }

    private func rejection(_ login: PendingLogin, _ url: String) -> OAuthError? {
        #expect(throws: OAuthError.self) { try login.code(from: url) }
    }

    private func redirect(_ login: PendingLogin, _ query: String) -> String {
        "\(redirectURI)?state=\(login.state.reveal())&\(query)"
    }

    @Test("the challenge equals that of RFC 7636 appendix B")
    func challenge() throws {
        let verifier = try PendingLogin.CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(try verifier.challenge() == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("the page's URL requests a code with PKCE S256 and a state")
    func begin() throws {
        let login = try client().beginLogin(
            redirectURI: redirectURI, scopes: ["api", "refresh_token"], parameters: [("login_hint", "a&b")])
        let pairs = try PercentEncoding.formPairs(#require(login.url.query))
        let fields = Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) })
        #expect(login.url.origin == Credential.usualInstance && login.url.path == "/services/oauth2/authorize")
        #expect(fields["response_type"] == "code" && fields["code_challenge_method"] == "S256")
        #expect(fields["client_id"] == "client id" && fields["redirect_uri"] == redirectURI)
        #expect(fields["scope"] == "api refresh_token" && fields["login_hint"] == "a&b")
        #expect(fields["state"]?.count == 43)
        #expect(try fields["code_challenge"] == login.verifier.challenge())
        #expect(try login.state != client().beginLogin(redirectURI: redirectURI).state)
    }

    @Test("a login continues after a restart between its start and its end")
    func restart() async throws {
        let begun = try client().beginLogin(redirectURI: redirectURI, scopes: ["api"])
        let url = redirect(begun, "code=c%2B1")
        let saved = try JSONEncoder().encode(begun)
        let login = try JSONDecoder().decode(PendingLogin.self, from: saved)
        #expect(login == begun)
        transport.enqueue(#"{"access_token":"a1","refresh_token":"r1","token_type":"Bearer"}"#)
        let credential = try await client().finishLogin(login, redirectURL: url, deadline: soon)
        #expect(credential.refreshToken == "r1" && credential.scopes == ["api"])
        let form = try #require(transport.requests.first?.form)
        #expect(form["grant_type"] == "authorization_code" && form["code"] == "c+1")
        #expect(form["redirect_uri"] == redirectURI && form["code_verifier"] == begun.verifier.secret.reveal())
    }

    @Test("A1: a redirect without a state is rejected, and no token is requested")
    func stateMissing() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        await expect(OAuthError.self, .stateMissing) {
            try await client().finishLogin(login, redirectURL: "\(redirectURI)?code=c", deadline: soon)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A2: a redirect with another state is rejected, and no token is requested")
    func stateMismatch() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        let right = login.state.reveal()
        for state in ["x", String(right.dropLast()), right + "A", right.uppercased(), String(right.reversed())] {
            #expect(rejection(login, "\(redirectURI)?code=c&state=\(state)")?.code == .stateMismatch)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A4: a code of another login is rejected by the token endpoint, which gets our verifier")
    func injected() async throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        transport.enqueue(status: 400, #"{"error":"invalid_grant","error_description":"invalid code verifier"}"#)
        let (url, deadline) = (redirect(login, "code=stolen"), soon)
        let error = await expect(OAuthError.self, .invalidGrant) {
            try await client().finishLogin(login, redirectURL: url, deadline: deadline)
        }
        #expect(error?.message == "invalid code verifier")
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.form["code_verifier"] == login.verifier.secret.reveal())
    }

    @Test("A5: another issuer is rejected")
    func foreignIssuer() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        for issuer in ["https%3A%2F%2Fevil.com", "", "https%3A%2F%2Fexample.my.salesforce.com%2F"] {
            #expect(rejection(login, redirect(login, "code=c&iss=\(issuer)"))?.code == .issuerMismatch)
        }
        #expect(try login.code(from: redirect(login, "code=c&iss=https%3A%2F%2Fexample.my.salesforce.com")) == "c")
    }

    @Test("A6: if the server announces the parameter iss, a redirect without it is rejected")
    func issuerMissing() throws {
        let login = try client(announcesIssuer: true).beginLogin(redirectURI: redirectURI)
        #expect(rejection(login, redirect(login, "code=c"))?.code == .issuerMismatch)
        #expect(rejection(login, redirect(login, "error=access_denied"))?.code == .issuerMismatch)
    }

    @Test("A7: a redirect to another URL is rejected, and so is finishing the login at another server")
    func mixUp() async throws {
        let login = try client().beginLogin(redirectURI: "http://127.0.0.1:4000/a")
        let query = "?code=c&state=\(login.state.reveal())"
        for address in ["http://127.0.0.1:4000/b", "http://127.0.0.1:4001/a", "https://127.0.0.1:4000/a"] {
            #expect(rejection(login, address + query)?.code == .invalidCallback)
        }
        let other = OAuthClient(
            login: Origin(scheme: .https, host: "login.salesforce.com"), clientID: "client id", clientSecret: nil,
            transport: transport)
        await expect(OAuthError.self, .issuerMismatch) {
            try await other.finishLogin(login, redirectURL: "http://127.0.0.1:4000/a" + query, deadline: soon)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("A8: a specific error reports that the user denied access")
    func denied() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        let error = rejection(login, redirect(login, "error=access_denied&error_description=end-user+denied%0Dx"))
        #expect(error?.code == .userDenied)
        #expect(error?.message == "end-user denied x")
    }

    @Test("A9: a redirect with a code and an error is an error")
    func both() throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(rejection(login, redirect(login, "code=c&error=server_error"))?.code.rawValue == "server_error")
    }

    @Test(
        "A10: a repeated parameter is rejected",
        arguments: ["code=c&code=d", "code=c&state=x", "code=c&iss=a&iss=a", "error=a&error=b"])
    func duplicates(query: String) throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(rejection(login, redirect(login, query))?.code == .invalidCallback)
    }

    @Test(
        "a redirect without code and error, or with a malformed query, is rejected",
        arguments: ["x=1", "code=", "code=%zz"])
    func empty(query: String) throws {
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(rejection(login, redirect(login, query))?.code == .invalidCallback)
    }

    @Test("changes that browsers make to a URL are ignored")
    func normalised() throws {
        let login = try client().beginLogin(redirectURI: "http://127.0.0.1:4000")
        let url = "http://127.0.0.1:4000/?code=c&state=\(login.state.reveal())#_=_"
        #expect(try login.code(from: url) == "c")
    }

    @Test(
        "A22: a verifier that is too short or too long, or has other characters, is rejected before anything is sent",
        arguments: [
            String(repeating: "a", count: 42), String(repeating: "a", count: 129), String(repeating: "+", count: 43),
            "",
        ])
    func badVerifier(text: String) {
        let error = expect(OAuthError.self, .invalidRequest) { try PendingLogin.CodeVerifier(text) }
        #expect(error?.message.contains("+++") == false)
    }

    @Test("A23: without random numbers no login starts, and no weaker source is used")
    func noRandomNumbers() {
        for source in [RandomSource { _ in nil }, RandomSource { Array(repeating: 7, count: $0 - 1) }] {
            expect(OAuthError.self, .cryptographyUnavailable) {
                try client().beginLogin(redirectURI: redirectURI, random: source)
            }
        }
    }

    @Test(
        "a redirect URI must lead to https, to this machine or to a program",
        arguments: [
            ("https://example.com/done", true), ("http://127.0.0.1:4000/done", true), ("http://[::1]:4000/x", true),
            ("http://localhost:1717/OauthRedirect", true), ("com.example.app:/done", true), ("http://evil.com/", false),
            ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://a.com/#f", false), ("", false),
            ("done", false), ("https://u:p@a.com/", false), ("1abc:/x", false), ("a b:/x", false),
        ])
    func redirectURIs(text: String, isGood: Bool) {
        #expect((try? client().beginLogin(redirectURI: text)) != nil || !isGood)
        #expect((try? client().beginLogin(redirectURI: text)) == nil || isGood)
    }

    @Test("a saved login with a changed page or verifier is rejected")
    func tampered() throws {
        let saved = String(
            decoding: try JSONEncoder().encode(client().beginLogin(redirectURI: redirectURI)), as: UTF8.self)
        let login = try client().beginLogin(redirectURI: redirectURI)
        #expect(!"\(login)".contains(login.state.reveal()) && !"\(login)".contains(login.verifier.secret.reveal()))
        let changed = saved.replacingOccurrences(of: #"https:\/\/"#, with: #"http:\/\/"#)
        #expect(changed != saved)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(PendingLogin.self, from: Data(changed.utf8)) }
    }
}

extension HTTPRequest {
    var form: [String: String] {
        guard case .bytes(let bytes) = body,
            let pairs = try? PercentEncoding.formPairs(String(decoding: bytes, as: UTF8.self))
        else { return [:] }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

@Suite("Logging in with a browser")
struct LoginPresenterTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(_ server: ScriptServer) -> OAuthClient {
        OAuthClient(
            login: server.url().origin, clientID: "id", clientSecret: nil, transport: PlatformTransport.shared)
    }

    /// Immediately requests the redirect URI of the page with this query and the state.
    private static func comeBack(_ url: HTTPURL, _ query: String) {
        let pairs = (try? PercentEncoding.formPairs(url.query ?? "")) ?? []
        let value = { (name: String) in pairs.first { $0.name == name }?.value ?? "" }
        guard let back = try? HTTPURL(parsing: "\(value("redirect_uri"))?\(query)&state=\(value("state"))") else {
            return
        }
        Task { try? await PlatformTransport.shared.send(HTTPRequest(url: back), deadline: .now + .seconds(9)) }
    }

    @Test("a login works over real sockets, with its page, the redirect and the token exchange")
    func whole() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(#"{"access_token":"a1","refresh_token":"r1","token_type":"Bearer","scope":"api"}"#),
        ])
        let presenter = LoopbackPresenter { url in Self.comeBack(url, "code=c1") }
        let credential = try await client(server).login(with: presenter, scopes: ["api", "full"], deadline: soon)
        #expect(credential.accessToken == "a1" && credential.refreshToken == "r1")
        let request = try #require(await server.stop().requests.first)
        #expect(request.hasPrefix("POST /services/oauth2/token HTTP/1.1\r\n"))
        #expect(request.contains("grant_type=authorization_code&code=c1&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect(credential.scopes == ["api"])
    }

    @Test("A8: a specific error reports that the user denied access, and no token is requested")
    func denied() async throws {
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let presenter = LoopbackPresenter { url in Self.comeBack(url, "error=access_denied") }
        await expect(OAuthError.self, .userDenied) { try await client(server).login(with: presenter, deadline: soon) }
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("a page that cannot be opened ends the login")
    func noBrowser() async throws {
        let server = try ScriptServer([])
        let presenter = LoopbackPresenter { (url) throws(OAuthError) in
            try LoopbackPresenter.openBrowser(url, with: [["/nonexistent/browser"], ["also-not-there-5e3"]])
        }
        let error = await expect(OAuthError.self, .browserUnavailable) {
            try await client(server).login(with: presenter, deadline: soon)
        }
        #expect(error?.message.contains("/services/oauth2/authorize?") == true)
    }

    @Test("the system's browser gets exactly the URL, as one argument and without a shell")
    func opened() async throws {
        let folder = try TemporaryStore()
        let script =
            "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" > '\(folder.path)/new' && mv '\(folder.path)/new' '\(folder.path)/seen'\n"
        try folder.write(Array(script.utf8), "browser")
        try folder.setMode(0o700, "browser")
        let url = try HTTPURL(parsing: "https://example.com/a?b=$(id)&c='d;e")
        try LoopbackPresenter.openBrowser(
            url, with: [["/nonexistent/browser"], ["/bin/false"], [folder.path(of: "browser"), "open"]])
        let limit = ContinuousClock.now + .seconds(10)
        while (try? folder.bytes("seen")) == nil, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(String(decoding: try folder.bytes("seen"), as: UTF8.self) == "2|open|\(url)|")
    }

    @Test(
        "if every browser reports an error, the login fails with an error that contains the URL",
        arguments: [
            [["/bin/false"]], [["/bin/false"], ["/nonexistent/browser"]],
            [["/bin/sh", "-c", "exit 4"], ["/bin/false"]],
        ])
    func failed(programs: [[String]]) async throws {
        let url = try HTTPURL(parsing: "https://example.com/authorize")
        let (errors, continuation) = AsyncStream.makeStream(of: OAuthError.self)
        try LoopbackPresenter.openBrowser(url, with: programs) { continuation.yield($0) }
        var iterator = errors.makeAsyncIterator()
        let error = await iterator.next()
        #expect(error?.code == .browserUnavailable && error?.message.contains("\(url)") == true)
    }

    @Test("A18: a URL that is neither https nor http to this machine is never opened")
    func unsafePage() {
        let plain = HTTPURL(origin: Origin(scheme: .http, host: "example.com"), path: "/")
        let injected = HTTPURL(origin: Origin(scheme: .https, host: "a.com"), path: "/ --flag\n")
        for url in [plain, injected] {
            expect(OAuthError.self, .invalidRequest) { try LoopbackPresenter.openBrowser(url, with: [["/bin/true"]]) }
        }
        for text in ["javascript:alert(1)", "com.example:/x", "file:///etc/passwd", "data:text/html,x"] {
            #expect(throws: HTTPURL.ParsingError.self) { try HTTPURL(parsing: text) }
        }
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.authorizationEndpoint = plain
        let client = OAuthClient(server: server, clientID: "id", clientSecret: nil, transport: StubTransport())
        expect(OAuthError.self, .invalidRequest) { try client.beginLogin(redirectURI: "com.example:/x") }
    }
}
