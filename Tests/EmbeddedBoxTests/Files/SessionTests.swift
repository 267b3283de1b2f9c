// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("Upload sessions")
struct SessionTests {
    @Test("parts in order become a file, and a wrong offset is answered with the correct one (B82)")
    func sequential() async throws {
        let client = try await BoxClient.start()
        let id = try await client.start("{}", "one ")
        let appended = try await client.append(id, 4, Array("two ".utf8))
        #expect(appended.status == 200 && appended.text == "null")
        let again = try await client.append(id, 4, Array("two ".utf8))
        #expect(again.summary == "incorrect_offset/..")
        #expect(again.json["error"]?["correct_offset"]?.int == 8)
        let early = try await client.finish(id, 4, "/a")
        #expect(early.summary == "lookup_failed/incorrect_offset/..")
        #expect(early.json["error"]?["lookup_failed"]?["correct_offset"]?.int == 8)
        let file = try await client.finish(id, 8, "/a", Array("three".utf8))
        #expect(file.json["size"]?.int == 13)
        #expect(try await client.download("/a").text == "one two three")
        #expect(try await client.finish(id, 13, "/a").summary == "lookup_failed/not_found/..")
    }

    @Test("a closed session accepts no more parts, and a batch needs closed sessions (B82)")
    func closing() async throws {
        let client = try await BoxClient.start()
        let closed = try await client.start(#"{"close":true}"#, "closed")
        #expect(try await client.append(closed, 6, [1]).summary == "closed/..")
        let open = try await client.start("{}", "open")
        let entries = [(closed, 6, "/closed"), (open, 4, "/open"), ("none", 0, "/none")].map { id, offset, path in
            #"{"cursor":{"session_id":"\#(id)","offset":\#(offset)},"commit":{"path":"\#(path)"}}"#
        }
        let batch = try await client.call(
            "files/upload_session/finish_batch_v2", #"{"entries":[\#(entries.joined(separator: ","))]}"#
        ).json
        let results = batch["entries"]?.array ?? []
        #expect(results.compactMap { $0[".tag"]?.string } == ["success", "failure", "failure"])
        #expect(results.first?["path_lower"]?.string == "/closed")
        #expect(results[1]["failure"]?["lookup_failed"]?[".tag"]?.string == "not_closed")
        let many = Array(repeating: entries[0], count: 1_001).joined(separator: ",")
        let tooMany = try await client.call("files/upload_session/finish_batch_v2", #"{"entries":[\#(many)]}"#)
        #expect(tooMany.status == 400)
    }

    @Test("parts of a concurrent session arrive in any order, and become a file when none is missing")
    func concurrent() async throws {
        let client = try await BoxClient.start()
        let kind = #""session_type":{".tag":"concurrent"}"#
        #expect(
            try await client.upload("files/upload_session/start", "{\(kind)}", .bytes([1])).summary
                == "concurrent_session_data_not_allowed/..")
        let id = try await client.start("{\(kind)}")
        let block = 4 << 20
        let blocks = (0..<2).map { [UInt8](repeating: UInt8($0), count: block) }
        #expect(try await client.append(id, 1, blocks[1]).summary == "concurrent_session_invalid_offset/..")
        #expect(try await client.append(id, 0, [1]).summary == "concurrent_session_invalid_data_size/..")
        #expect(try await client.append(id, 2 * block, [7, 7], #","close":true"#).status == 200)
        #expect(try await client.append(id, block, blocks[1]).status == 200)
        let size = 2 * block + 2
        #expect(try await client.finish(id, size, "/c").summary == "concurrent_session_missing_data/..")
        #expect(try await client.append(id, 0, blocks[0]).status == 200)
        #expect(try await client.finish(id, size, "/c").json["size"]?.int == size)
        let edge = try await client.download("/c", range: "bytes=\(block - 1)-\(block)")
        #expect(edge.body == [0, 1])
    }

    @Test("a body of one gibibyte is written to the disk and not held in memory")
    func large() async throws {
        let client = try await BoxClient.start { $0.uploadLimit = 2 << 30 }
        let size = 1 << 30
        let path = FileManager.default.temporaryDirectory.path + "/localbox-large-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A sparse file uses no disk space.
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(size))
        let before = try Self.peakMemory()
        let file = try await client.upload("files/upload", #"{"path":"/large"}"#, .file(path: path))
        #expect(file.json["size"]?.int == size)
        #expect(try Self.peakMemory() - before < 128 << 20)
    }

    private static func peakMemory() throws -> Int {
        var usage = rusage()
        #if canImport(Darwin)
        let (who, unit) = (RUSAGE_SELF, 1)
        #else
        let (who, unit) = (__rusage_who_t(RUSAGE_SELF.rawValue), 1 << 10)
        #endif
        guard unsafe getrusage(who, &usage) == 0 else { throw POSIXError(.EINVAL) }
        return usage.ru_maxrss * unit
    }
}

@Suite("Revisions and batches")
struct BatchTests {
    @Test("revisions are listed and can be restored, also after the file was deleted")
    func revisions() async throws {
        let client = try await BoxClient.start()
        let first = try await client.put("/a", "first")["rev"]?.string ?? ""
        let second = try await client.put("/a", "second")["rev"]?.string ?? ""
        let list = try await client.call("files/list_revisions", #"{"path":"/a"}"#).json
        #expect(list["entries"]?.array?.compactMap { $0["rev"]?.string } == [second, first])
        #expect(list["is_deleted"]?.bool == false)
        try await client.call("files/delete_v2", #"{"path":"/a"}"#)
        let deleted = try await client.call("files/list_revisions", #"{"path":"/a","limit":1}"#).json
        #expect(deleted["is_deleted"]?.bool == true && deleted["server_deleted"]?.string != nil)
        #expect(deleted["entries"]?.array?.count == 1 && deleted["has_more"]?.bool == true)
        let restored = try await client.call("files/restore", #"{"path":"/a","rev":"\#(first)"}"#)
        #expect(restored.json["size"]?.int == 5)
        #expect(try await client.download("/a").text == "first")
        let unknown = try await client.call("files/restore", #"{"path":"/a","rev":"0123456789"}"#)
        #expect(unknown.summary == "invalid_revision/..")
        #expect(
            try await client.call("files/list_revisions", #"{"path":"/none"}"#).summary == "path/not_found/..")
    }

    /// Starts a job, checks once that it is in progress, and returns its result.
    private func job(_ client: BoxClient, _ route: String, _ check: String, _ argument: String) async throws
        -> JSONValue
    {
        let begun = try await client.call("files/" + route, argument).json
        #expect(begun[".tag"]?.string == "async_job_id")
        let poll = #"{"async_job_id":"\#(begun["async_job_id"]?.string ?? "")"}"#
        #expect(try await client.call("files/" + check, poll).json[".tag"]?.string == "in_progress")
        return try await client.call("files/" + check, poll).json
    }

    @Test("entries of a batch succeed or fail independently, and its job returns their results")
    func batches() async throws {
        let client = try await BoxClient.start()
        for name in ["a", "b", "c"] { try await client.put("/" + name, name) }
        let moves = #"{"entries":[{"from_path":"/a","to_path":"/x/a"},{"from_path":"/none","to_path":"/x/b"}]}"#
        let moved = try await job(client, "move_batch_v2", "move_batch/check_v2", moves)
        #expect(moved["entries"]?[0]?["success"]?["path_lower"]?.string == "/x/a")
        #expect(
            moved["entries"]?[1]?["failure"]?["relocation_error"]?["from_lookup"]?[".tag"]?.string == "not_found")
        let copied = try await job(
            client, "copy_batch_v2", "copy_batch/check_v2", #"{"entries":[{"from_path":"/x","to_path":"/y"}]}"#)
        #expect(copied["entries"]?[0]?["success"]?[".tag"]?.string == "folder")
        let deleted = try await job(
            client, "delete_batch", "delete_batch/check", #"{"entries":[{"path":"/b"},{"path":"/none"}]}"#)
        #expect(deleted["entries"]?[0]?["metadata"]?["name"]?.string == "b")
        #expect(deleted["entries"]?[1]?["failure"]?["path_lookup"]?[".tag"]?.string == "not_found")
        let folders = try await client.call("files/create_folder_batch", #"{"paths":["/f","/c"]}"#).json
        #expect(folders[".tag"]?.string == "complete")
        #expect(folders["entries"]?[0]?["metadata"]?["path_lower"]?.string == "/f")
        #expect(folders["entries"]?[1]?["failure"]?["path"]?["conflict"]?[".tag"]?.string == "file")
        let unknown = try await client.call("files/delete_batch/check", #"{"async_job_id":"guess"}"#)
        #expect(unknown.summary == "invalid_async_job_id/..")
    }
}

@Suite("Listings, cursors and long polls")
struct ListTests {
    @Test("a listing returns pages, and then changes")
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
    }

    private func proceed(_ client: BoxClient, _ page: JSONValue) async throws -> JSONValue {
        try await client.call(
            "files/list_folder/continue", #"{"cursor":"\#(page["cursor"]?.string ?? "")"}"#
        ).json
    }

    @Test("a recursive listing returns parents first, and deleted entries on request")
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
    }

    @Test("a long poll returns when its folder changes")
    func longpoll() async throws {
        let client = try await BoxClient.start { $0.longpollSecond = .milliseconds(400) }
        try await client.put("/f/1", "1")
        let cursor = try await client.call("files/list_folder/get_latest_cursor", #"{"path":"/f"}"#).json["cursor"]
        func poll(_ timeout: Int) async throws -> JSONValue {
            let argument = #"{"cursor":"\#(cursor?.string ?? "")","timeout":\#(timeout)}"#
            return try await client.call("files/list_folder/longpoll", argument).json
        }
        async let waiting = poll(480)
        // A change elsewhere does not end the poll. If the changes precede the poll, the response is the same.
        try await client.put("/other", "1")
        try await client.put("/f/2", "2")
        #expect(try await waiting["changes"]?.bool == true)
        client.box.faults.forgetCursors()
        let reset = try await client.call(
            "files/list_folder/longpoll", #"{"cursor":"\#(cursor?.string ?? "")"}"#)
        #expect(reset.status == 409 && reset.summary == "reset/..")
    }

    @Test("a long poll without a change returns at its timeout")
    func quietLongpoll() async throws {
        let client = try await BoxClient.start { $0.longpollSecond = .milliseconds(1) }
        let cursor = try await client.call("files/list_folder/get_latest_cursor", #"{"path":""}"#).json["cursor"]
        let response = try await client.call(
            "files/list_folder/longpoll", #"{"cursor":"\#(cursor?.string ?? "")","timeout":30}"#)
        #expect(response.status == 200 && response.json["changes"]?.bool == false)
    }

    @Test("a cursor is valid after a restart of a test server with a directory")
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
    }
}
