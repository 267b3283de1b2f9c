// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("What is on the wire")
struct WireTests {
    @Test("an answer has a request id, a void argument is null, and a result is JSON")
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
        await client.box.stop()
    }

    @Test("an app calls with its key and secret, and nobody else with them")
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
        await client.box.stop()
    }

    @Test("a route's error is 409 with its tags in a summary")
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
        await client.box.stop()
    }

    @Test(
        "what is not understood is 400 with a text",
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
        let answer = try await client.call(route, argument, fields: ["Content-Type": type])
        #expect(answer.status == 400)
        #expect(answer.head.fields["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(answer.text.contains(route))
        await client.box.stop()
    }

    @Test("tokens: none, unknown, expired, and without the scope")
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
        await client.box.stop()
    }

    @Test("another root than the account's own is 422 with the right one")
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
        await client.box.stop()
    }
}
