// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import RestJSON
import RestTransport
import Testing

@Suite("Faults and the journal")
struct FaultTests {
    @Test("rate limits have a wait in the field and in the body")
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
        await client.box.stop()
    }

    @Test("an expired token, a reset cursor, another offset, 5xx and cut connections")
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
        faults.add(.status(503, "busy"), matching: "get_current_account")
        #expect(try await client.call("users/get_current_account").status == 503)
        faults.add(.routeError(#"{".tag":"reset"}"#, summary: "reset/", userMessage: "\"Again\""), matching: "continue")
        let answer = try await client.call("files/list_folder/continue", "{}")
        #expect(answer.summary == "reset/" && answer.json["user_message"]?["text"]?.string == "\"Again\"")
        faults.add(.incorrectOffset(correct: 42), matching: "append_v2")
        let offset = try await client.upload("files/upload_session/append_v2", "{}", .bytes([1]))
        #expect(offset.json["error"]?["correct_offset"]?.int == 42)
        let page = try await client.call("files/list_folder", #"{"path":""}"#).json
        faults.resetCursors()
        let reset = try await client.call(
            "files/list_folder/continue", #"{"cursor":"\#(page["cursor"]?.string ?? "")"}"#)
        #expect(reset.summary == "reset/..")
        try await client.put("/a", "0123456789")
        faults.add(.truncate(after: 4), matching: "/files/download")
        await #expect(throws: TransportError.self) { try await client.download("/a") }
        faults.add(.closeAfterHandling, matching: "/files/delete_v2")
        await #expect(throws: TransportError.self) { try await client.call("files/delete_v2", #"{"path":"/a"}"#) }
        #expect(try await client.call("files/get_metadata", #"{"path":"/a"}"#).status == 409)
        await client.box.stop()
    }

    @Test("the journal keeps requests without their secrets")
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
        await client.box.stop()
    }
}
