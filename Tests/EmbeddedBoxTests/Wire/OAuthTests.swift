// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("Logins at a box")
struct OAuthTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test("a code with PKCE becomes short-lived tokens once, and a refresh token further ones")
    func code() async throws {
        var client = try await BoxClient.start()
        let key = client.box.appKey
        let page = try await client.send(
            .get,
            "/oauth2/authorize?response_type=code&client_id=\(key)&token_access_type=offline"
                + "&scope=account_info.read&code_challenge=\(Self.challenge)&code_challenge_method=S256", [:])
        #expect(page.status == 200)
        let form = [
            ("grant_type", "authorization_code"), ("code", page.text), ("client_id", key),
            ("code_verifier", Self.verifier),
        ]
        let tokens = try await client.form(form).json
        #expect(tokens["token_type"]?.string == "bearer" && tokens["expires_in"]?.int == 14_400)
        #expect(tokens["account_id"]?.string == client.box.accountID && tokens["uid"]?.string != nil)
        #expect(tokens["scope"]?.string == "account_info.read")
        client.token = tokens["access_token"]?.string ?? ""
        #expect(try await client.call("users/get_current_account").status == 200)
        let further = try await client.form([
            ("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.string ?? ""),
            ("client_id", key),
        ]).json
        #expect(further["access_token"]?.string != nil && further["refresh_token"] == nil)
        let second = try await client.form(form)
        #expect(second.status == 400 && second.json["error"]?.string == "invalid_grant")
        // A code that comes twice was stolen: what it gave is worth nothing now.
        #expect(try await client.call("users/get_current_account").status == 401)
        await client.box.stop()
    }

    @Test("a browser is sent back with code and state, and only to this machine")
    func redirect() async throws {
        let client = try await BoxClient.start()
        let start = "/oauth2/authorize?response_type=code&client_id=\(client.box.appKey)&state=a%26b&redirect_uri="
        let back = try await client.send(.get, start + "http%3A%2F%2F127.0.0.1%3A9%2Fcallback", [:])
        #expect(back.status == 302)
        let place = back.head.fields["Location"] ?? ""
        #expect(place.hasPrefix("http://127.0.0.1:9/callback?code=") && place.hasSuffix("&state=a%26b"))
        let away = try await client.send(.get, start + "https%3A%2F%2Fexample.com%2F", [:])
        #expect(away.status == 400)
        await client.box.stop()
    }

    @Test("revoking a token ends its login")
    func revoke() async throws {
        let client = try await BoxClient.start()
        #expect(try await client.call("auth/token/revoke").text == "null")
        #expect(try await client.call("users/get_current_account").summary == "invalid_access_token/..")
        let refreshed = try await client.form([
            ("grant_type", "refresh_token"), ("refresh_token", client.box.refreshToken),
            ("client_id", client.box.appKey),
        ])
        #expect(refreshed.json["error"]?.string == "invalid_grant")
        await client.box.stop()
    }

    @Test("a box in a folder that is given its tokens takes them again after a restart")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-tokens-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = LocalBoxConfiguration(storage: .folder(folder))
        (configuration.appKey, configuration.appSecret) = ("key", "secret")
        (configuration.accessToken, configuration.refreshToken) = ("sl.kept", "refresh")
        let first = try await LocalBox.start(configuration)
        let client = BoxClient(first)
        #expect(client.token == "sl.kept")
        try await client.put("/a", "1")
        await first.stop()
        let second = BoxClient(try await LocalBox.start(configuration))
        #expect(try await second.download("/a").text == "1")
        let further = try await second.form([
            ("grant_type", "refresh_token"), ("refresh_token", "refresh"), ("client_id", "key"),
            ("client_secret", "secret"),
        ])
        #expect(further.status == 200)
        await second.box.stop()
    }

    @Test("another user logs in by the hint of an address")
    func hint() async throws {
        var client = try await BoxClient.start {
            $0.members = [.init("grace@example.com", displayName: "Grace Example")]
        }
        let key = client.box.appKey
        func page(_ hint: String) async throws -> HTTPResponse {
            let query =
                "response_type=code&client_id=\(key)&code_challenge=\(Self.challenge)&code_challenge_method=S256"
            return try await client.send(.get, "/oauth2/authorize?\(query)&login_hint=\(hint)", [:])
        }
        #expect(try await page("nobody%40example.com").status == 400)
        let tokens = try await client.form([
            ("grant_type", "authorization_code"), ("code", page("grace%40example.com").text), ("client_id", key),
            ("code_verifier", Self.verifier),
        ]).json
        #expect(tokens["account_id"]?.string == client.box.users[1].accountID)
        client.token = tokens["access_token"]?.string ?? ""
        let account = try await client.call("users/get_current_account").json
        #expect(account["email"]?.string == "grace@example.com" && account["root_info"]?[".tag"]?.string == "team")
        await client.box.stop()
    }
}
