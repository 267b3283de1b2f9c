// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import RestJSON
import RestTransport
import Testing

@Suite("Revisions and batches")
struct BatchTests {
    @Test("revisions are listed and one is restored, also after the file was deleted")
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
        await client.box.stop()
    }

    /// Begins a job, sees it in progress once, and gives its end.
    private func job(_ client: BoxClient, _ route: String, _ check: String, _ argument: String) async throws
        -> JSONValue
    {
        let begun = try await client.call("files/" + route, argument).json
        #expect(begun[".tag"]?.string == "async_job_id")
        let poll = #"{"async_job_id":"\#(begun["async_job_id"]?.string ?? "")"}"#
        #expect(try await client.call("files/" + check, poll).json[".tag"]?.string == "in_progress")
        return try await client.call("files/" + check, poll).json
    }

    @Test("entries of a batch succeed and fail by themselves, and its job is asked for them")
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
        await client.box.stop()
    }
}
