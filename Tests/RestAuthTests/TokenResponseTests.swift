// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Testing

@testable import RestAuth

@Suite("Reading token responses")
struct TokenResponseTests {
    private func read(_ status: Int, _ body: String) throws(OAuthError) -> TokenResponse {
        let response = HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))
        return try TokenResponse(reading: OAuthAnswer(response, from: "/token"))
    }

    @Test("every field of a full answer is read")
    func full() throws {
        let response = try read(
            200,
            #"{"access_token":"00D!x","refresh_token":"5Aep","instance_url":"https://a.my.salesforce.com","id":"https://i","#
                + #""token_type":"bearer","issued_at":"1278448832702","scope":"api refresh_token"}"#)
        #expect(response.accessToken.reveal() == "00D!x")
        #expect(response.refreshToken?.reveal() == "5Aep")
        #expect(response.issuedAtMilliseconds == 1_278_448_832_702)
        #expect(response.scopes == ["api", "refresh_token"])
    }

    @Test(
        "an access token that says when it was made and when it ends has a lifetime; the answer's own word comes first",
        arguments: [
            (#"{"iat":1000,"exp":8200}"#, "", 7_200), (#"{"iat":1000.5,"exp":8200.9}"#, "", 7_199),
            (#"{"iat":1000,"exp":8200}"#, #","expires_in":60"#, 60), (#"{"exp":8200}"#, "", nil),
            (#"{"iat":8200,"exp":1000}"#, "", nil), (#"{"iat":-1,"exp":1e400}"#, "", nil),
            (#"{"iat":0,"exp":9223372036854775807}"#, "", nil), (#"[1]"#, "", nil), ("{", "", nil),
        ] as [(String, String, Int?)])
    func lifetimeOfToken(claims: String, members: String, seconds: Int?) throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.\(Base64.encodeForURL(Array(claims.utf8))).c2ln"
        let response = try read(200, #"{"access_token":"\#(token)"\#(members)}"#)
        #expect(response.lifetime == seconds.map { .seconds($0) })
    }

    @Test("members that are null or blank are members that are missing, and a false error is none")
    func nothings() throws {
        let names = [
            "error", "error_description", "refresh_token", "instance_url", "id", "token_type", "issued_at", "scope",
            "expires_in", "id_token", "sub", "user_id", "team_id", "unknown",
        ]
        let bare = try read(200, #"{"access_token":"a"}"#)
        for nothing in ["null", #""""#, #"" ""#] {
            let members = names.map { #","\#($0)":\#(nothing)"# }
            for member in members + [members.joined()] {
                #expect(try read(200, #"{"access_token":"a"\#(member)}"#) == bare, "\(member)")
            }
        }
        #expect(try read(200, #"{"access_token":"a","error":false}"#) == bare)
        // The last of two members of one name counts.
        #expect(throws: OAuthError.self) { try read(200, #"{"access_token":"a","error":null,"error":"x"}"#) }
        #expect(try read(200, #"{"access_token":"a","error":"x","error":null}"#) == bare)
    }

    @Test("numbers in place of digits, and lists in place of words, are read too")
    func otherTypes() throws {
        let response = try read(200, #"{"access_token":"a","issued_at":1278448832702,"scope":["api","id"]}"#)
        #expect(response.issuedAtMilliseconds == 1_278_448_832_702)
        #expect(response.scopes == ["api", "id"])
    }

    @Test(
        "what is no usable answer has its code",
        arguments: [
            (400, #"{"error":"invalid_grant","error_description":"authentication failure"}"#, "invalid_grant"),
            (200, #"{"error":"invalid_grant"}"#, "invalid_grant"),
            (401, #"{"error":"invalid_client"}"#, "invalid_client"),
            (400, "", "refused"), (401, "", "refused"), (400, "<html>", "unexpectedContentType"),
            (400, "no", "invalidResponse"), (302, "", "unexpectedContentType"), (400, "{}", "invalidResponse"),
            (403, "", "invalidResponse"),
            (200, "<html>captive portal</html>", "unexpectedContentType"), (200, "{}", "invalidResponse"),
            (200, #"{"access_token":""}"#, "invalidResponse"), (200, #"{"access_token":7}"#, "invalidResponse"),
            (200, #"{"access_token":"a\r\nX: y"}"#, "invalidResponse"), (200, "", "invalidResponse"),
            (200, #"{"access_token":"a","token_type":"mac"}"#, "invalidResponse"), (200, "[]", "invalidResponse"),
            (503, "<html></html>", "serverUnavailable"), (500, "{}", "serverUnavailable"),
            (429, "", "serverUnavailable"),
        ])
    func refused(status: Int, body: String, code: String) {
        let error = #expect(throws: OAuthError.self) { try read(status, body) }
        #expect(error?.code.rawValue == code)
    }

    @Test("an empty or blank description is none, and a blank name is none", arguments: ["", " ", "\\n\\u0007"])
    func blankTexts(text: String) {
        let refused = #expect(throws: OAuthError.self) {
            try read(400, #"{"error":"invalid_grant","error_description":"\#(text)"}"#)
        }
        #expect(refused?.code == .invalidGrant && refused?.message == "no description given")
        let unnamed = #expect(throws: OAuthError.self) { try read(400, #"{"error":"\#(text)"}"#) }
        #expect(unnamed?.code == .invalidResponse)
    }

    @Test(
        "a server in trouble gives no verdict: its status counts before its body, and its code is in the message only",
        arguments: [
            (503, "temporarily_unavailable"), (500, "server_error"), (503, "invalid_grant"), (429, "invalid_client"),
            (502, "unauthorized_client"), (599, "invalid_scope"), (400, "temporarily_unavailable"),
            (200, "server_error"),
        ])
    func trouble(status: Int, name: String) {
        let error = #expect(throws: OAuthError.self) { try read(status, #"{"error":"\#(name)","access_token":"a"}"#) }
        #expect(error?.code == .serverUnavailable && error?.isFinal == false)
        #expect(error?.message == "/token answered \(status) (\(name)); try again later")
    }

    @Test("an answer larger than any honest one is not read")
    func large() {
        let blanks = String(repeating: " ", count: 1 << 20)
        let error = #expect(throws: OAuthError.self) { try read(200, blanks + #"{"access_token":"a"}"#) }
        #expect(error?.code == .invalidResponse)
    }

    @Test("a server error never ends a login, a refused grant does, a clash of two renewals does not")
    func finality() {
        #expect(OAuthError(.invalidGrant, "expired access/refresh token").isFinal)
        #expect(OAuthError(.invalidClient, "").isFinal)
        #expect(!OAuthError(.invalidGrant, "token request is already being processed").isFinal)
        #expect(!OAuthError(.serverUnavailable, "").isFinal)
        #expect(!OAuthError(.unreachable, "").isFinal)
    }
}

@Suite("Which instance is believed")
struct InstancePolicyTests {
    private let login = Origin(scheme: .https, host: "login.salesforce.com")

    @Test(
        "platform hosts over https and the login host itself",
        arguments: ["https://a.my.salesforce.com", "https://login.salesforce.com/", "https://a.b.force.com"])
    func believed(url: String) throws {
        #expect(try OAuthClient.InstancePolicy.platform.instance(named: url, login: login).scheme == .https)
    }

    @Test(
        "everything else is refused",
        arguments: [
            "https://evil.com", "http://a.my.salesforce.com", "https://evil.com#.salesforce.com",
            "https://salesforce.com.evil.com",
            "https://u:p@a.my.salesforce.com", "https://a.my.salesforce.com:444", "https://evilsalesforce.com", "",
            "https://a.my.salesforce.com/path", "https://127.0.0.1", "javascript:alert(1)",
            "https://xn--slesforce-26a.com",
        ])
    func refused(url: String) {
        #expect(throws: OAuthError.self) { try OAuthClient.InstancePolicy.platform.instance(named: url, login: login) }
    }

    @Test("an embedded org on loopback names itself")
    func loopback() throws {
        let local = Origin(scheme: .http, host: "127.0.0.1", port: 4_000)
        #expect(try OAuthClient.InstancePolicy.platform.instance(named: "http://127.0.0.1:4000", login: local) == local)
        #expect(throws: OAuthError.self) {
            try OAuthClient.InstancePolicy.platform.instance(named: "http://127.0.0.1:4001", login: local)
        }
    }
}
