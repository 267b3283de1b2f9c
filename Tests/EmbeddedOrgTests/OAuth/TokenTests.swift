// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("OAuth endpoints")
struct TokenTests {
    @Test("client credentials are accepted in the body and as HTTP Basic")
    func clientCredentials() async throws {
        let client = try await OrgClient.start()
        let org = client.org
        let body = try client.grant("client_credentials")
        #expect(body.status == 200)
        let response = body.json
        #expect(response["token_type"]?.string == "Bearer")
        #expect(response["instance_url"]?.string == org.instanceURL)
        #expect(response["access_token"]?.string?.hasPrefix("00D") == true)
        #expect(response["refresh_token"] == nil && response["expires_in"] == nil)
        #expect(response["issued_at"]?.string.flatMap { Int($0) } != nil)
        #expect(response["signature"]?.string?.count == 44)
        let basic = Array("\(org.clientID):\(org.clientSecret)".utf8)
        let second = try client.form(
            [("grant_type", "client_credentials")], fields: ["Authorization: Basic \(basic.base64)"])
        #expect(second.status == 200)
        let token = second.json["access_token"]?.string
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: token).status == 200)
    }

    @Test("the password grant accepts a security token after the password, and returns a refresh token on request")
    func password() async throws {
        let client = try await OrgClient.start()
        let org = client.org
        let base = [("grant_type", "password")] + client.app
        let user = [("username", org.username)]
        #expect(try client.form(base + user + [("password", org.password)]).json["refresh_token"] == nil)
        #expect(try client.form(base + user + [("password", org.password + "abcDEF123")]).status == 200)
        let scoped = try client.form(base + user + [("password", org.password), ("scope", "api refresh_token")])
        #expect(scoped.json["refresh_token"]?.string != nil)
        #expect(try client.form(base + user + [("password", "x" + org.password)]).oauthError == "invalid_grant")
        #expect(try client.form(base + [("username", "x"), ("password", org.password)]).oauthError == "invalid_grant")
    }

    /// Forms and their errors, whose types are stated because the compiler infers them for 15 seconds otherwise.
    private static let rejected: [(form: [(String, String)], error: String)] = [
        (
            [("grant_type", "client_credentials"), ("client_id", "{id}"), ("client_secret", "wrong")],
            "invalid_client"
        ),
        (
            [("grant_type", "client_credentials"), ("client_id", "wrong"), ("client_secret", "{secret}")],
            "invalid_client_id"
        ),
        ([("grant_type", "client_credentials"), ("client_id", "{id}")], "invalid_client"),
        ([("grant_type", "magic"), ("client_id", "{id}")], "unsupported_grant_type"),
        ([("client_id", "{id}")], "unsupported_grant_type"),
        ([("grant_type", "refresh_token"), ("client_id", "{id}"), ("refresh_token", "none")], "invalid_client"),
        (
            [
                ("grant_type", "refresh_token"), ("client_id", "{id}"), ("client_secret", "{secret}"),
                ("refresh_token", "none"),
            ], "invalid_grant"
        ),
        ([("grant_type", "password"), ("grant_type", "password")], "invalid_request"),
    ]

    @Test("invalid requests are answered with Salesforce's errors", arguments: rejected)
    func rejections(form: [(String, String)], error: String) async throws {
        let client = try await SharedOrg.client
        let pairs = form.map { name, value in
            (name, value == "{id}" ? client.org.clientID : value == "{secret}" ? client.org.clientSecret : value)
        }
        let response = try client.form(pairs)
        #expect(response.status == 400)
        #expect(response.oauthError == error)
        #expect(response.json["error_description"]?.string?.isEmpty == false)
        #expect(response.field("Cache-Control") == "no-store")
    }

    @Test("strict rotation revokes all tokens of a login if a used refresh token is sent again")
    func strictRotation() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(refreshRotation: .strict))
        let first = client.org.issueCredential()
        let second = try refresh(client, first.refreshToken)
        let newToken = try #require(second.json["refresh_token"]?.string)
        #expect(newToken != first.refreshToken)
        #expect(try refresh(client, first.refreshToken).oauthError == "invalid_grant")
        #expect(try refresh(client, newToken).oauthError == "invalid_grant")
        let access = second.json["access_token"]?.string
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: access).errorCode == "INVALID_SESSION_ID")
    }

    @Test("graceful rotation returns the same new refresh token again until that token has been used")
    func gracefulRotation() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(refreshRotation: .grace))
        let first = client.org.issueCredential().refreshToken
        let second = try #require(try refresh(client, first).json["refresh_token"]?.string)
        #expect(try refresh(client, first).json["refresh_token"]?.string == second)
        #expect(try refresh(client, second).status == 200)
        #expect(try refresh(client, first).oauthError == "invalid_grant")
    }

    @Test("without rotation the refresh token is kept")
    func noRotation() async throws {
        let client = try await OrgClient.start()
        let token = client.org.issueCredential().refreshToken
        for _ in 0..<2 {
            let response = try refresh(client, token)
            #expect(response.status == 200)
            #expect(response.json["refresh_token"] == nil)
        }
    }

    @Test("a revoked access token is invalid, and a revoked refresh token invalidates all tokens of its login")
    func revocation() async throws {
        let client = try await OrgClient.start()
        #expect(try client.form([("token", client.token)], to: "revoke").status == 200)
        #expect(try client.get("/limits").errorCode == "INVALID_SESSION_ID")
        let pair = client.org.issueCredential()
        #expect(try client.form([("token", pair.refreshToken)], to: "revoke").status == 200)
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: pair.accessToken).status == 401)
    }

    @Test("only POST requests with a form are accepted")
    func methodAndType() async throws {
        let client = try await SharedOrg.client
        let response = try client.send("GET", "/services/oauth2/token", token: .some(nil))
        #expect(response.status == 405)
        #expect(response.field("Allow") == "POST")
        let json = try client.send("POST", "/services/oauth2/token", body: "{}", token: .some(nil))
        #expect(json.oauthError == "invalid_request")
    }

    @Test("missing, malformed, changed and expired tokens are rejected")
    func sessions() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(accessTokenLifetime: .seconds(3_600)))
        let path = "\(OrgClient.data)/limits"
        let good = client.token
        let tampered = good.dropLast() + (good.hasSuffix("A") ? "B" : "A")
        for value in [
            "", "Bearer", "Bearer ", "Basic \(good)", "Bearer \(tampered)", "Bearer \(good) x", "Bearer x y", good,
        ] {
            let response = try client.send("GET", path, fields: ["Authorization: \(value)"], token: .some(nil))
            #expect(response.status == 401)
            #expect(response.errorCode == "INVALID_SESSION_ID")
        }
        for value in ["bearer \(good)", "BEARER  \(good)", "OAuth \(good)"] {
            #expect(try client.send("GET", path, fields: ["Authorization: \(value)"], token: .some(nil)).status == 200)
        }
        #expect(try client.send("GET", "\(path)?access_token=\(good)", token: .some(nil)).status == 401)
        #expect(try client.send("GET", path, fields: ["Authorization: Bearer \(good)"]).status == 400)
        let expiring = try await OrgClient.start(LocalOrgConfiguration(accessTokenLifetime: .zero))
        #expect(try expiring.get("/limits").errorCode == "INVALID_SESSION_ID")
    }

    @Test("a stolen refresh token of an app with a secret is rejected without the secret, and stays valid for the app")
    func stolen() async throws {
        let client = try await OrgClient.start()
        let token = client.org.issueCredential().refreshToken
        let form = [("grant_type", "refresh_token"), ("client_id", client.org.clientID), ("refresh_token", token)]
        #expect(try client.form(form).oauthError == "invalid_client")
        #expect(try client.form(form + [("client_secret", "guess")]).oauthError == "invalid_client")
        #expect(try refresh(client, token).status == 200)
    }

    private func refresh(_ client: OrgClient, _ token: String) throws -> RawClient.Response {
        try client.grant("refresh_token", [("refresh_token", token)])
    }
}

@Suite("Tokens that the org stores")
struct TokenIssuerTests {
    private func issuer(_ rotation: RefreshRotation = .strict) -> TokenIssuer {
        var rules = TokenRules(
            clock: ServerClock(ContinuousClock()), lifetime: .seconds(60),
            makeAccessToken: { RandomText.make(22) }, makeRefreshToken: { RandomText.make(22) })
        (rules.rotation, rules.capacity) = (rotation, 100)
        return TokenIssuer(rules)
    }

    private func login(_ issuer: TokenIssuer) throws -> (grant: TokenIssuer.Grant, refresh: String) {
        let grant = issuer.login("c", subject: "", scopes: [], isLasting: true)
        return (grant, try #require(grant.refreshToken))
    }

    @Test("a client that renews repeatedly does not make the org store more, and its current tokens stay valid")
    func renewals() throws {
        let issuer = issuer()
        var (last, current) = ("", try login(issuer).refresh)
        var access = ""
        for _ in 1...2_000 {
            let grant = try #require(issuer.refresh(current, of: "c"))
            (last, current, access) = (current, try #require(grant.refreshToken), grant.accessToken)
            #expect(issuer.count <= 210)
        }
        #expect(issuer.access(access) != nil && issuer.refresh(current) != nil)
        #expect(issuer.refresh(last, of: "c") == nil, "a spent token was taken")
        #expect(issuer.refresh(current) == nil && issuer.access(access) == nil)
    }

    @Test("revoked logins are removed, and their tokens stay invalid")
    func deadFamilies() throws {
        let issuer = issuer()
        for _ in 0..<2_000 {
            let (grant, refresh) = try login(issuer)
            issuer.revoke(grant.login)
            #expect(issuer.count == 0)
            #expect(issuer.access(grant.accessToken) == nil && issuer.refresh(refresh, of: "c") == nil)
        }
    }

    @Test("above the limit of logins, the least recently used ones end")
    func manyLogins() throws {
        let issuer = issuer(.off)
        let first = try login(issuer).refresh
        var refreshes: [String] = []
        for _ in 0..<500 {
            refreshes.append(try login(issuer).refresh)
            #expect(issuer.refresh(first, of: "c") != nil, "the login in use has ended")
        }
        #expect(issuer.refresh(refreshes[0]) == nil && issuer.refresh(refreshes[499]) != nil)
    }

    @Test("assertions are remembered until they expire, and when the memory is full new ones are rejected")
    func assertions() throws {
        var spent = SpentAssertions(capacity: 3)
        for number in 0..<3 { try spent.spend("\(number)", of: "c", until: 100, now: 0) }
        #expect(throws: OAuthRejection.self) { try spent.spend("0", of: "c", until: 100, now: 0) }
        let full = #expect(throws: OAuthRejection.self) { try spent.spend("9", of: "c", until: 100, now: 100) }
        #expect(full?.status == 429)
        try spent.spend("0", of: "c", until: 300, now: 101)
        try spent.spend("0", of: "other", until: 300, now: 101)
    }
}
