// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Whose token goes where")
struct SigningTests {
    private let transport = StubTransport()
    private let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#
    private let token = #"{"access_token":"a1","instance_url":"https://example.my.salesforce.com"}"#

    private func client() throws -> RestClient {
        try RestClient(
            loginURL: "https://login.salesforce.com", clientID: "id", clientSecret: "s",
            configuration: RestClient.Configuration(transport: transport))
    }

    private var sent: [String] {
        transport.requests.map { "\($0.url.origin.host) \($0.fields["Authorization"] ?? "-")" }
    }

    @Test("an authorization of the caller's stands, and renews nothing when it is refused")
    func ownAuthorization() async throws {
        transport.enqueue(token)
        transport.enqueue(status: 401, expired)
        let client = try client()
        let error = await #expect(throws: RestError.self) {
            try await client.send(.limits.field("authorization", "Bearer mine"))
        }
        #expect(error?.code == .unauthorized)
        #expect(sent == ["login.salesforce.com -", "example.my.salesforce.com Bearer mine"])
    }

    @Test("a request that chooses the login host is signed there, renewed there, and takes its token nowhere else")
    func loginHost() async throws {
        transport.enqueue(token)
        transport.enqueue(status: 401, expired)
        transport.enqueue(#"{"access_token":"a2","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue(#"{"user_id":"005"}"#)
        let user = try await client().send(.userInfo)
        #expect(user.payload["user_id"]?.string == "005")
        #expect(
            sent == [
                "login.salesforce.com -", "login.salesforce.com Bearer a1", "login.salesforce.com -",
                "login.salesforce.com Bearer a2",
            ])
        #expect(transport.requests[1].url.target == "/services/oauth2/userinfo")
    }

    @Test("a redirect from the login host to the instance is not followed: who the user is, the login host says")
    func redirected() async throws {
        transport.enqueue(token)
        transport.enqueue(
            status: 302, fields: ["Location": "https://example.my.salesforce.com/services/oauth2/userinfo"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.userInfo) }
        #expect(error?.code == .redirected)
        #expect(sent == ["login.salesforce.com -", "login.salesforce.com Bearer a1"])
    }

    @Test("a browser session is asked for with a form, at the instance")
    func singleAccess() async throws {
        transport.enqueue(token)
        transport.enqueue(#"{"frontdoor_uri":"https://example.my.salesforce.com/secur/frontdoor.jsp?otp=x"}"#)
        let answer = try await client().send(.singleAccess(to: "/lightning/o/Account?a=1&b=2"))
        #expect(answer.payload["frontdoor_uri"]?.string?.hasSuffix("otp=x") == true)
        let request = transport.requests[1]
        #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.body == .bytes(Array("redirect_uri=%2Flightning%2Fo%2FAccount%3Fa%3D1%26b%3D2".utf8)))
        #expect(sent[1] == "example.my.salesforce.com Bearer a1")
    }

    @Test("a renewal on demand changes the token; a token that came from elsewhere stays when there is no renewal")
    func refreshNow() async throws {
        transport.enqueue(token)
        transport.enqueue("{}")
        transport.enqueue(#"{"access_token":"a2","instance_url":"https://example.my.salesforce.com"}"#)
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.limits)
        #expect(try await client.refreshNow().accessToken == "a2")
        _ = try await client.send(.limits)
        #expect(sent.last == "example.my.salesforce.com Bearer a2")

        let fixed = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        let error = await #expect(throws: RestError.self) { try await fixed.refreshNow() }
        #expect(error?.code == .refreshFailed)
        transport.enqueue("{}")
        _ = try await fixed.send(.limits)
        #expect(sent.last == "example.my.salesforce.com Bearer t")
    }

    @Test("what an answer tells of the daily allowance is on the answer")
    func allowance() async throws {
        transport.enqueue(token)
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=18/5000"], "{}")
        transport.enqueue("{}")
        let client = try client()
        #expect(try await client.send(.limits).allowance == APIAllowance(used: 18, allowed: 5_000))
        #expect(try await client.send(.limits).allowance == nil)
    }
}
