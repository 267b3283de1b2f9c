// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("Listings, cursors and long polls")
struct ListTests {
    @Test("a listing has pages, and then changes")
    func pages() async throws {
        let client = try await BoxClient.start()
        for number in 0..<7 { try await client.put("/f/\(number).txt", "\(number)") }
        var page = try await client.call("files/list_folder", #"{"path":"/F","limit":3}"#).json
        var names = page["entries"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(names.count == 3 && page["has_more"]?.bool == true)
        while page["has_more"]?.bool == true {
            page = try await proceed(client, page)
            names += page["entries"]?.array?.compactMap { $0["name"]?.string } ?? []
        }
        #expect(names == (0..<7).map { "\($0).txt" })
        try await client.call("files/delete_v2", #"{"path":"/f/1.txt"}"#)
        try await client.put("/f/new.txt", "new")
        try await client.put("/elsewhere.txt", "no")
        page = try await proceed(client, page)
        let changes = page["entries"]?.array?.map { "\($0[".tag"]?.string ?? "") \($0["name"]?.string ?? "")" }
        #expect(changes == ["deleted 1.txt", "file new.txt"])
        page = try await proceed(client, page)
        #expect(page["entries"]?.array?.isEmpty == true)
        await client.box.stop()
    }

    private func proceed(_ client: BoxClient, _ page: JSONValue) async throws -> JSONValue {
        try await client.call(
            "files/list_folder/continue", #"{"cursor":"\#(page["cursor"]?.string ?? "")"}"#
        ).json
    }

    @Test("a recursive listing has parents first, and one with what is deleted has that too")
    func recursive() async throws {
        let client = try await BoxClient.start()
        try await client.put("/a/b/c.txt", "1")
        try await client.put("/a b.txt", "2")
        try await client.put("/gone.txt", "3")
        try await client.call("files/delete_v2", #"{"path":"/gone.txt"}"#)
        let page = try await client.call(
            "files/list_folder", #"{"path":"","recursive":true,"include_deleted":true}"#
        ).json
        let paths = page["entries"]?.array?.compactMap { $0["path_lower"]?.string }
        #expect(paths == ["/a", "/a b.txt", "/a/b", "/a/b/c.txt", "/gone.txt"])
        let file = try await client.call("files/list_folder", #"{"path":"/a b.txt"}"#)
        #expect(file.summary == "path/not_folder/..")
        #expect(try await client.call("files/list_folder", #"{"path":"/none"}"#).summary == "path/not_found/..")
        await client.box.stop()
    }

    @Test("a long poll waits for a change of its folder, and ends without one")
    func longpoll() async throws {
        let client = try await BoxClient.start { $0.longpollSecond = .milliseconds(400) }
        try await client.put("/f/1", "1")
        let cursor = try await client.call("files/list_folder/get_latest_cursor", #"{"path":"/f"}"#).json["cursor"]
        func poll(_ timeout: Int) async throws -> JSONValue {
            let argument = #"{"cursor":"\#(cursor?.string ?? "")","timeout":\#(timeout)}"#
            return try await client.call("files/list_folder/longpoll", argument).json
        }
        async let waiting = poll(480)
        // A change elsewhere wakes nobody; both come after the poll, or the answer is the same.
        try await client.put("/other", "1")
        try await client.put("/f/2", "2")
        #expect(try await waiting["changes"]?.bool == true)
        client.box.faults.resetCursors()
        let reset = try await client.call(
            "files/list_folder/longpoll", #"{"cursor":"\#(cursor?.string ?? "")"}"#)
        #expect(reset.status == 409 && reset.summary == "reset/..")
        await client.box.stop()
    }

    @Test("a long poll without a change ends when its time is over")
    func quietLongpoll() async throws {
        let client = try await BoxClient.start { $0.longpollSecond = .milliseconds(1) }
        let cursor = try await client.call("files/list_folder/get_latest_cursor", #"{"path":""}"#).json["cursor"]
        let answer = try await client.call(
            "files/list_folder/longpoll", #"{"cursor":"\#(cursor?.string ?? "")","timeout":30}"#)
        #expect(answer.status == 200 && answer.json["changes"]?.bool == false)
        await client.box.stop()
    }

    @Test("a cursor outlives a restart of a box in a folder")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var client = try await BoxClient.start { $0.storage = .folder(folder) }
        try await client.put("/a", "1")
        let page = try await client.call("files/list_folder", #"{"path":""}"#).json
        await client.box.stop()
        client = try await BoxClient.start { $0.storage = .folder(folder) }
        #expect(try await client.download("/a").text == "1")
        try await client.put("/b", "2")
        let changes = try await proceed(client, page)["entries"]?.array?.compactMap { $0["name"]?.string }
        #expect(changes == ["b"])
        await client.box.stop()
    }
}
