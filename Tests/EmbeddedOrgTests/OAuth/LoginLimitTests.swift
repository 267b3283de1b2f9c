// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Limits of logins")
struct LoginLimitTests {
    private let clock = ManualClock()

    private func start(_ change: (inout LocalOrgConfiguration) -> Void = { _ in }) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        configuration.clock = clock
        change(&configuration)
        return try await OrgClient.start(configuration)
    }

    private func logIn(_ client: OrgClient, _ username: String? = nil, _ password: String? = nil) throws
        -> RawClient.Answer
    {
        try client.form([
            ("grant_type", "password"), ("client_id", client.org.clientID), ("client_secret", client.org.clientSecret),
            ("username", username ?? client.org.username), ("password", password ?? client.org.password),
        ])
    }

    private func credentials(_ client: OrgClient, _ secret: String? = nil) throws -> RawClient.Answer {
        try client.form([
            ("grant_type", "client_credentials"), ("client_id", client.org.clientID),
            ("client_secret", secret ?? client.org.clientSecret),
        ])
    }

    @Test("ten wrong passwords lock the user out of their way in; the right one is refused alike (B77)")
    func lockout() async throws {
        let client = try await start()
        for _ in 0..<10 { #expect(try logIn(client, nil, "wrong").oauthError == "invalid_grant") }
        let locked = try logIn(client)
        #expect(locked.status == 429)
        #expect(locked.oauthError == "rate_limit_exceeded")
        #expect(locked.field("Retry-After") == "900")
        let browser = Browser(client)
        try open(browser, client)
        #expect(try browser.logIn().text.contains("Allow"))
        clock.advance(by: .seconds(899))
        #expect(try logIn(client).status == 429)
        clock.advance(by: .seconds(1))
        #expect(try logIn(client).status == 200)
        await client.org.stop()
    }

    private func open(_ browser: Browser, _ client: OrgClient) throws {
        try browser.open(
            "/services/oauth2/authorize?response_type=code&client_id=\(client.org.clientID)&prompt=login"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback")
    }

    @Test("who guesses in a browser locks out strange browsers, and neither apps nor browsers that are in use")
    func guessing() async throws {
        let client = try await start()
        let (own, strange) = (Browser(client), Browser(client))
        try open(own, client)
        try own.logIn()
        try open(strange, client)
        for _ in 0..<10 {
            try strange.submit(["username": client.org.username, "password": "wrong"], pressing: "login")
        }
        strange.forgetCookies()
        try open(strange, client)
        let page = try strange.logIn()
        #expect(page.status == 429 && page.text.contains("locked out"))
        #expect(try logIn(client).status == 200)
        try open(own, client)
        #expect(try own.logIn().text.contains("Allow"))
        await client.org.stop()
    }

    @Test("a name that nobody has is locked out like one that exists, and a right password resets the count")
    func unknownNames() async throws {
        let client = try await start { $0.passwordAttempts = 3 }
        for _ in 0..<2 { #expect(try logIn(client, nil, "wrong").status == 400) }
        #expect(try logIn(client).status == 200)
        for _ in 0..<2 { #expect(try logIn(client, nil, "wrong").status == 400) }
        for number in 0..<3 { #expect(try logIn(client, "nobody\(number)").status == 400) }
        #expect(try logIn(client, "nobody9").status == 429)
        #expect(try logIn(client).status == 200)
        for _ in 0..<3 { #expect(try logIn(client, nil, "wrong").status == 400) }
        #expect(try logIn(client).status == 429)
        client.org.faults.unlockLogins()
        #expect(try logIn(client).status == 200)
        await client.org.stop()
    }

    @Test("a client may ask for tokens so often in a minute; others are not held up")
    func requests() async throws {
        let client = try await start { $0.tokenRequestsPerMinute = 3 }
        for _ in 0..<3 { #expect(try credentials(client).status == 200) }
        let refused = try credentials(client)
        #expect(refused.status == 429)
        #expect(refused.json["error_description"]?.string == "rate limit exceeded")
        #expect(refused.field("Retry-After") == "60")
        #expect(client.org.journal.entries.last?.oauth?.outcome == "rate_limit_exceeded")
        let other = try client.form([("grant_type", "device"), ("code", "x"), ("client_id", LocalOrg.publicClientID)])
        #expect(other.oauthError == "invalid_grant")
        clock.advance(by: .seconds(60))
        #expect(try credentials(client).status == 200)
        await client.org.stop()
    }

    @Test("a hundred wrong secrets in a minute are followed by refusals of every request (B77)")
    func guesses() async throws {
        let client = try await start()
        for _ in 0..<100 { #expect(try credentials(client, "wrong").oauthError == "invalid_client") }
        #expect(try credentials(client).status == 429)
        clock.advance(by: .seconds(61))
        #expect(try credentials(client).status == 200)
        for number in 0..<100 {
            let answer = try client.form([
                ("grant_type", "authorization_code"), ("client_id", LocalOrg.publicClientID), ("code", "\(number)"),
            ])
            #expect(answer.oauthError == "invalid_grant")
        }
        #expect(try client.form([("grant_type", "device"), ("client_id", LocalOrg.publicClientID)]).status == 429)
        await client.org.stop()
    }

    @Test("faults speak the words of the OAuth endpoints, and forgotten codes are worthless")
    func faults() async throws {
        let client = try await start()
        client.org.faults.add(
            .oauth("invalid_grant", description: "token request is already being processed"), matching: "/token")
        let busy = try credentials(client)
        #expect(busy.status == 400 && busy.oauthError == "invalid_grant")
        #expect(busy.json["error_description"]?.string == "token request is already being processed")
        client.org.faults.add(.oauth("server_error", status: 503, fields: ["Retry-After": "2"]), matching: "/authorize")
        let down = try client.send("GET", "/services/oauth2/authorize", token: .some(nil))
        #expect(down.status == 503 && down.field("Retry-After") == "2")
        let codes = try client.form([("client_id", LocalOrg.publicClientID)], to: "device_authorization").json
        client.org.faults.forgetCodes()
        let poll = try client.form([
            ("grant_type", "device"), ("client_id", LocalOrg.publicClientID),
            ("code", codes["device_code"]?.string ?? ""),
        ])
        #expect(poll.oauthError == "invalid_grant")
        await client.org.stop()
    }

    @Test("a client says who it is once: by HTTP Basic or in the body; a public one has no secret")
    func clientAuthentication() async throws {
        let client = try await SharedOrg.client
        let basic = "Authorization: Basic " + Array("\(client.org.clientID):\(client.org.clientSecret)".utf8).base64
        let twice = try client.form(
            [("grant_type", "client_credentials"), ("client_secret", client.org.clientSecret)], fields: [basic])
        #expect(twice.oauthError == "invalid_request")
        let none = try client.form([("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID)])
        #expect(none.oauthError == "unauthorized_client")
        let invented = try client.form([
            ("grant_type", "client_credentials"), ("client_id", LocalOrg.publicClientID), ("client_secret", "x"),
        ])
        #expect(invented.oauthError == "invalid_client")
        let long = String(repeating: "x", count: 70_000)
        #expect(try client.form([("grant_type", "refresh_token"), ("x", long)]).oauthError == "invalid_request")
    }
}
