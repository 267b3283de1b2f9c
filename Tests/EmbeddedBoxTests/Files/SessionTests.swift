// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("Upload sessions")
struct SessionTests {
    private func start(_ client: BoxClient, _ argument: String = "{}", _ body: String = "") async throws -> String {
        let answer = try await client.upload(
            "files/upload_session/start", argument, body.isEmpty ? .empty : .bytes(Array(body.utf8)))
        return answer.json["session_id"]?.string ?? ""
    }

    private func append(
        _ client: BoxClient, _ id: String, _ offset: Int, _ body: [UInt8], close: Bool = false
    ) async throws -> HTTPResponse {
        try await client.upload(
            "files/upload_session/append_v2",
            #"{"cursor":{"session_id":"\#(id)","offset":\#(offset)},"close":\#(close)}"#, .bytes(body))
    }

    private func finish(
        _ client: BoxClient, _ id: String, _ offset: Int, _ path: String, _ body: String = ""
    ) async throws -> HTTPResponse {
        try await client.upload(
            "files/upload_session/finish",
            #"{"cursor":{"session_id":"\#(id)","offset":\#(offset)},"commit":{"path":"\#(path)"}}"#,
            body.isEmpty ? .empty : .bytes(Array(body.utf8)))
    }

    @Test("parts in order become a file; a wrong offset is told the right one (B82)")
    func sequential() async throws {
        let client = try await BoxClient.start()
        let id = try await start(client, "{}", "one ")
        let appended = try await append(client, id, 4, Array("two ".utf8))
        #expect(appended.status == 200 && appended.text == "null")
        let again = try await append(client, id, 4, Array("two ".utf8))
        #expect(again.summary == "incorrect_offset/..")
        #expect(again.json["error"]?["correct_offset"]?.int == 8)
        let early = try await finish(client, id, 4, "/a")
        #expect(early.summary == "lookup_failed/incorrect_offset/..")
        #expect(early.json["error"]?["lookup_failed"]?["correct_offset"]?.int == 8)
        let file = try await finish(client, id, 8, "/a", "three")
        #expect(file.json["size"]?.int == 13)
        #expect(try await client.download("/a").text == "one two three")
        #expect(try await finish(client, id, 13, "/a").summary == "lookup_failed/not_found/..")
        await client.box.stop()
    }

    @Test("a closed session takes no more, and a batch needs closed ones (B82)")
    func closing() async throws {
        let client = try await BoxClient.start()
        let closed = try await start(client, #"{"close":true}"#, "closed")
        #expect(try await append(client, closed, 6, [1]).summary == "closed/..")
        let open = try await start(client, "{}", "open")
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
        await client.box.stop()
    }

    @Test("parts of a concurrent session come in any order, and make a file when none is missing")
    func concurrent() async throws {
        let client = try await BoxClient.start()
        let kind = #""session_type":{".tag":"concurrent"}"#
        #expect(
            try await client.upload("files/upload_session/start", "{\(kind)}", .bytes([1])).summary
                == "concurrent_session_data_not_allowed/..")
        let id = try await start(client, "{\(kind)}")
        let block = 4 << 20
        let blocks = (0..<2).map { [UInt8](repeating: UInt8($0), count: block) }
        #expect(try await append(client, id, 1, blocks[1]).summary == "concurrent_session_invalid_offset/..")
        #expect(try await append(client, id, 0, [1]).summary == "concurrent_session_invalid_data_size/..")
        #expect(try await append(client, id, 2 * block, [7, 7], close: true).status == 200)
        #expect(try await append(client, id, block, blocks[1]).status == 200)
        let size = 2 * block + 2
        #expect(try await finish(client, id, size, "/c").summary == "concurrent_session_missing_data/..")
        #expect(try await append(client, id, 0, blocks[0]).status == 200)
        #expect(try await finish(client, id, size, "/c").json["size"]?.int == size)
        let edge = try await client.download("/c", range: "bytes=\(block - 1)-\(block)")
        #expect(edge.body == [0, 1])
        await client.box.stop()
    }

    @Test("a body of a gibibyte goes to the disk and not into memory")
    func large() async throws {
        let client = try await BoxClient.start { $0.uploadLimit = 2 << 30 }
        let size = 1 << 30
        let path = FileManager.default.temporaryDirectory.path + "/localbox-large-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A file of one hole takes no room.
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(size))
        let before = try Self.peakMemory()
        let file = try await client.upload("files/upload", #"{"path":"/large"}"#, .file(path: path))
        #expect(file.json["size"]?.int == size)
        #expect(try Self.peakMemory() - before < 128 << 20)
        await client.box.stop()
    }

    /// The most memory that this process has had, in bytes.
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
