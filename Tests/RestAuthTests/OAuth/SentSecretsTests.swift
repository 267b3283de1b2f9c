// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("What a server quotes of a request")
struct SentSecretsTests {
    private let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJyb2JvdCJ9.c2lnbmF0dXJlLW9mLXRoZS1hc3NlcnRpb24"

    @Test("a secret is hidden whole, in pieces, percent-encoded, and again and again")
    func hidden() {
        let secrets = SentSecrets([Secret(token), "p@ss w/rd+long"])
        for piece in [token, String(token.prefix(20)), String(token.suffix(30)), String(token.dropFirst(9).prefix(13))]
        {
            #expect(secrets.line("bad '\(piece)' and '\(piece)'") == "bad '«redacted»' and '«redacted»'")
        }
        #expect(secrets.line("no p%40ss%20w%2Frd%2Blong here") == "no «redacted» here")
        #expect(secrets.line("p@ss w/rd+long") == "«redacted»")
        #expect(SentSecrets([]).line("nothing is hidden") == "nothing is hidden")
        #expect(SentSecrets([""]).line("nothing is hidden") == "nothing is hidden")
    }

    @Test("a short secret is hidden as a word, and tears up no other word")
    func short() {
        let secrets = SentSecrets(["d", "s3cret"])
        #expect(secrets.line("device code 'd' is bad") == "device code '«redacted»' is bad")
        #expect(secrets.line("s3cret? no such thing as s3crets") == "«redacted»? no such thing as s3crets")
        #expect(SentSecrets(["longer-one"]).line("xlonger-oney") == "x«redacted»y")
    }

    @Test("a text is one line of at most 300 characters, and what was cut off does not matter")
    func line() {
        let secrets = SentSecrets([Secret(token)])
        #expect(secrets.line("a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}") == "a [2Jb  c d ")
        #expect(secrets.line(String(repeating: "x", count: 301)) == String(repeating: "x", count: 300) + "…")
        let cut = secrets.line(String(repeating: "x", count: 295) + token)
        #expect(cut.count == 301 && !cut.contains("eyJ"))
        let large = secrets.line(String(repeating: "x", count: 10_000_000))
        #expect(large.count == 301)
    }

    @Test(
        "no message and no code quotes what was sent: token, code, verifier, password, secret or the whole field",
        arguments: OAuthClient.Authentication.allCases)
    func everyGrant(way: OAuthClient.Authentication) async throws {
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.clientAuthentication = way
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let grants: [(any OAuthGrant, [String])] = [
            (RefreshTokenGrant(refreshToken: "5Aep861canary"), ["5Aep861canary"]),
            (PasswordGrant(username: "u", password: "hunter2canary"), ["hunter2canary"]),
            (
                AuthorizationCodeGrant(
                    code: "aPrxCanary", redirectURI: "http://127.0.0.1:1/c",
                    verifier: try PendingLogin.CodeVerifier(verifier)),
                ["aPrxCanary", verifier]
            ),
            (DeviceCodeGrant(deviceCode: "devicecanary", isPlatform: false), ["devicecanary"]),
        ]
        for (grant, canaries) in grants {
            let transport = StubTransport()
            let client = OAuthClient(server: server, clientID: "id", clientSecret: "cs-canary", transport: transport)
            for status in [400, 503] {
                transport.enqueue(.response(HTTPResponse(head: HTTPResponse.Head(status: status), body: [])))
                _ = try? await client.token(for: grant, deadline: .now + .seconds(9))
                let sent = try #require(transport.requests.last)
                let quoted = sent.form.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
                let all = "\(quoted) \(sent.fields["Authorization"] ?? "")"
                transport.enqueue(status: status, #"{"error":"e \#(all)","error_description":"d \#(all)"}"#)
                let error = await #expect(throws: OAuthError.self) {
                    try await client.token(for: grant, deadline: .now + .seconds(9))
                }
                let told = "\(error?.code.rawValue ?? "") \(error?.message ?? "")"
                for canary in canaries + ["cs-canary", "aWQ6Y3MtY2FuYXJ5"] { #expect(!told.contains(canary)) }
                #expect(told.contains("«redacted»"))
            }
        }
    }
}
