// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("The HTTP interface")
struct WireTests {
    @Test("a response has a request id, an absent argument is null, and a result is JSON")
    func results() async throws {
        let client = try await BoxClient.start()
        let account = try await client.call("users/get_current_account")
        #expect(account.status == 200)
        #expect(account.json["account_id"]?.string == client.box.accountID)
        #expect(account.json["root_info"]?[".tag"]?.string == "user")
        #expect(account.head.fields["X-Dropbox-Request-Id"]?.count == 32)
        #expect(account.head.fields["Content-Type"] == "application/json")
        let echo = try await client.call("check/user", #"{"query":"über"}"#)
        #expect(echo.json["result"]?.string == "über")
        let space = try await client.call("users/get_space_usage")
        #expect(space.json["used"]?.int == 0 && space.json["allocation"]?[".tag"]?.string == "individual")
    }

    @Test("a route for apps accepts only the app's key and secret")
    func app() async throws {
        let client = try await BoxClient.start()
        func basic(_ secret: String) -> String {
            "Basic " + Data("\(client.box.appKey):\(secret)".utf8).base64EncodedString()
        }
        let right = try await client.call(
            "check/app", #"{"query":"a"}"#, fields: ["Authorization": basic(client.box.appSecret)])
        #expect(right.status == 200 && right.json["result"]?.string == "a")
        let wrong = try await client.call("check/app", "{}", fields: ["Authorization": basic("guess")])
        #expect(wrong.status == 401)
        #expect(try await client.call("check/app", "{}").status == 400)
    }

    @Test("a route's error is a response with status 409 and a summary of its tags")
    func routeErrors() async throws {
        let client = try await BoxClient.start()
        let missing = try await client.call("files/get_metadata", #"{"path":"/none"}"#)
        #expect(missing.status == 409)
        #expect(missing.summary == "path/not_found/..")
        #expect(missing.json["error"]?[".tag"]?.string == "path")
        #expect(missing.json["error"]?["path"]?[".tag"]?.string == "not_found")
        try await client.put("/file", "1")
        let conflict = try await client.upload("files/upload", #"{"path":"/file"}"#, .bytes([0x32]))
        #expect(conflict.summary == "path/conflict/file/..")
        #expect(conflict.json["error"]?["reason"]?["conflict"]?[".tag"]?.string == "file")
    }

    @Test(
        "an invalid request is answered with status 400 and a text",
        arguments: [
            ("files/get_metadata", "{}", "application/json"),
            ("files/get_metadata", #"{"path":"none"}"#, "application/json"),
            ("files/get_metadata", #"{"path":5}"#, "application/json"), ("files/get_metadata", "{", "application/json"),
            ("files/get_metadata", #"{"path":"/a"}"#, "text/html"), ("files/nothing", "{}", "application/json"),
            ("files/list_folder", #"{"path":"/"}"#, "application/json"),
            ("files/list_folder/continue", #"{"cursor":"guess"}"#, "application/json"),
        ])
    func badInput(route: String, argument: String, type: String) async throws {
        let client = try await BoxClient.start()
        let response = try await client.call(route, argument, fields: ["Content-Type": type])
        #expect(response.status == 400)
        #expect(response.head.fields["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(response.text.contains(route))
    }

    @Test("a missing, unknown or expired token, and a token without the scope, are rejected")
    func tokens() async throws {
        var client = try await BoxClient.start()
        let good = client.token
        client.token = "unknown"
        let unknown = try await client.call("users/get_current_account")
        #expect(unknown.status == 401 && unknown.summary == "invalid_access_token/..")
        client.token = client.box.issueAccessToken(scopes: ["files.metadata.read"])
        let narrow = try await client.call("users/get_current_account")
        #expect(narrow.status == 401 && narrow.json["error"]?["required_scope"]?.string == "account_info.read")
        client.box.faults.expireAccessTokens()
        client.token = good
        let expired = try await client.call("users/get_current_account")
        #expect(expired.status == 401 && expired.summary == "expired_access_token/..")
        let none = try await client.send(.post, "/2/users/get_current_account", [:])
        #expect(none.status == 400)
    }

    @Test("a path root other than the account's own is answered with status 422 and the correct root")
    func roots() async throws {
        let client = try await BoxClient.start()
        let account = try await client.call("users/get_current_account").json
        let root = account["root_info"]?["root_namespace_id"]?.string ?? ""
        let own = try await client.call(
            "files/list_folder", #"{"path":""}"#,
            fields: ["Dropbox-API-Path-Root": #"{".tag":"root","root":"\#(root)"}"#])
        #expect(own.status == 200)
        let other = try await client.call(
            "files/list_folder", #"{"path":""}"#, fields: ["Dropbox-API-Path-Root": #"{".tag":"root","root":"1"}"#])
        #expect(other.status == 422)
        #expect(other.json["error"]?["invalid_root"]?["root_namespace_id"]?.string == root)
    }
}

@Suite("Logins at a test server")
struct OAuthTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test("a code with PKCE is exchanged for short-lived tokens once, and a refresh token for further tokens")
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
        // A code that is used twice may have been stolen, so its tokens are revoked.
        #expect(try await client.call("users/get_current_account").status == 401)
    }

    @Test("a browser is redirected with code and state, and only to this machine")
    func redirect() async throws {
        let client = try await BoxClient.start()
        let start = "/oauth2/authorize?response_type=code&client_id=\(client.box.appKey)&state=a%26b&redirect_uri="
        let back = try await client.send(.get, start + "http%3A%2F%2F127.0.0.1%3A9%2Fcallback", [:])
        #expect(back.status == 303)
        let place = back.head.fields["Location"] ?? ""
        #expect(place.hasPrefix("http://127.0.0.1:9/callback?code=") && place.hasSuffix("&state=a%26b"))
        let away = try await client.send(.get, start + "https%3A%2F%2Fexample.com%2F", [:])
        #expect(away.status == 400)
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
    }

    @Test("a test server with a directory accepts its tokens again after a restart")
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
    }

    @Test("another user logs in with an e-mail address as the hint")
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
    }
}

@Suite("Injected errors and the journal")
struct FaultTests {
    @Test("rate limits have a delay in the header and in the body")
    func rateLimits() async throws {
        let client = try await BoxClient.start()
        client.box.faults.add(.rateLimited(retryAfter: 7), matching: "/files/list_folder")
        client.box.faults.add(.tooManyWriteOperations(), matching: "/files/upload")
        let limited = try await client.call("files/list_folder", #"{"path":""}"#)
        #expect(limited.status == 429 && limited.head.fields["Retry-After"] == "7")
        #expect(limited.json["error"]?["reason"]?[".tag"]?.string == "too_many_requests")
        #expect(limited.json["error"]?["retry_after"]?.int == 7)
        let busy = try await client.upload("files/upload", #"{"path":"/a"}"#, .bytes([1]))
        #expect(busy.json["error"]?["reason"]?[".tag"]?.string == "too_many_write_operations")
        #expect(try await client.upload("files/upload", #"{"path":"/a"}"#, .bytes([1])).status == 200)
    }

    @Test("expired tokens, reset cursors, wrong offsets, server errors and cut connections can be injected")
    func others() async throws {
        let client = try await BoxClient.start()
        let faults = client.box.faults
        faults.add(.expiredAccessToken, matching: "get_current_account")
        #expect(try await client.call("users/get_current_account").summary == "expired_access_token/..")
        faults.add(.userSuspended, matching: "get_current_account")
        #expect(try await client.call("users/get_current_account").summary == "user_suspended/..")
        faults.add(.accessDenied, matching: "get_current_account")
        let denied = try await client.call("users/get_current_account")
        #expect(denied.status == 403 && denied.summary == "invalid_account_type/feature/..")
        faults.add(.body("busy", status: 503), matching: "get_current_account")
        #expect(try await client.call("users/get_current_account").status == 503)
        faults.add(.routeError(#"{".tag":"reset"}"#, summary: "reset/", userMessage: "\"Again\""), matching: "continue")
        let response = try await client.call("files/list_folder/continue", "{}")
        #expect(response.summary == "reset/" && response.json["user_message"]?["text"]?.string == "\"Again\"")
        faults.add(.incorrectOffset(correct: 42), matching: "append_v2")
        let offset = try await client.upload("files/upload_session/append_v2", "{}", .bytes([1]))
        #expect(offset.json["error"]?["correct_offset"]?.int == 42)
        let page = try await client.call("files/list_folder", #"{"path":""}"#).json
        faults.forgetCursors()
        let reset = try await client.call(
            "files/list_folder/continue", #"{"cursor":"\#(page["cursor"]?.string ?? "")"}"#)
        #expect(reset.summary == "reset/..")
        try await client.put("/a", "0123456789")
        faults.add(.truncate(after: 4), matching: "/files/download")
        await #expect(throws: TransportError.self) { try await client.download("/a") }
        faults.add(.closeAfterHandling, matching: "/files/delete_v2")
        await #expect(throws: TransportError.self) { try await client.call("files/delete_v2", #"{"path":"/a"}"#) }
        #expect(try await client.call("files/get_metadata", #"{"path":"/a"}"#).status == 409)
    }

    @Test("the journal records requests without their secrets")
    func journal() async throws {
        let client = try await BoxClient.start()
        try await client.call("files/get_metadata", #"{"path":"/none"}"#)
        _ = try await client.form([
            ("grant_type", "refresh_token"), ("refresh_token", client.box.refreshToken),
            ("client_id", client.box.appKey), ("client_secret", client.box.appSecret),
        ])
        try await client.put("/a", "five5")
        let entries = client.box.journal.entries
        #expect(entries.last?.bodySize == 5 && entries.last?.body.isEmpty == true)
        #expect(entries.map(\.target) == ["/2/files/get_metadata", "/oauth2/token", "/2/files/upload"])
        #expect(entries.map(\.status) == [409, 200, 200])
        #expect(entries[1].oauth?.grantType == "refresh_token" && entries[1].oauth?.outcome == "granted")
        let text = entries.map { "\($0.fields) " + String(decoding: $0.body, as: UTF8.self) }.joined()
        for secret in [client.token, client.box.refreshToken, client.box.appSecret] { #expect(!text.contains(secret)) }
    }
}
