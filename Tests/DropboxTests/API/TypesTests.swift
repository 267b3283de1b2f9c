// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Types of Dropbox that other SDKs read or write wrongly")
struct TypesTests {
    private static let file = """
        "name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"0123456789","size":18446744073709551615
        """

    private func read<Value: StoneType>(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }
    private func text(_ value: some StoneType) throws -> String { String(decoding: try value.json(), as: UTF8.self) }

    @Test("A tag without a value is written long, and read in both forms and with more beside it")
    func voidTags() throws {
        #expect(try text(Files.WriteMode.add) == #"{".tag":"add"}"#)
        for form in [#"{".tag":"add"}"#, #""add""#, #"{".tag":"add","more":1}"#] {
            #expect(try read(form) as Files.WriteMode == .add)
        }
        #expect(try text(Files.WriteMode.update("abc")) == #"{".tag":"update","update":"abc"}"#)
        #expect(throws: JSONDecodingError.self) { try read(#"{".tag":"new"}"#) as Files.WriteMode }
    }

    @Test("An open union that inherits its openness takes new tags, and gives them back")
    func inherited() throws {
        let new: Files.AddTagError = try read(#"{".tag":"brand_new","n":1}"#)
        guard case .other(let tag) = new else {
            Issue.record("\(new)")
            return
        }
        #expect(tag.tag == "brand_new")
        #expect(try text(new) == #"{".tag":"brand_new","n":1}"#)
    }

    @Test("A nullable struct of a tag stands beside it, or is not there")
    func nullable() throws {
        let flat = #"{".tag":"update","deadline":"2020-10-12T17:00:00Z"}"#
        let update: FileRequests.UpdateFileRequestDeadline = try read(flat)
        guard case .update(let deadline?) = update else {
            Issue.record("\(update)")
            return
        }
        #expect(deadline.allowLateUploads == nil)
        #expect(try text(update) == flat)
        let nothing: FileRequests.UpdateFileRequestDeadline = try read(#"{".tag":"update"}"#)
        #expect(nothing == .update(nil))
        let path: Files.LookupError = try read(#"{".tag":"malformed_path"}"#)
        #expect(path == .malformedPath(nil))
        #expect(try text(Files.LookupError.malformedPath("x")) == #"{".tag":"malformed_path","malformed_path":"x"}"#)
    }

    @Test("Subtypes are cases; a closed set refuses others, an open one keeps what they have in common")
    func subtypes() throws {
        guard case .file(let file) = try read(#"{".tag":"file",\#(Self.file)}"#) as Files.Metadata else {
            Issue.record("no file")
            return
        }
        #expect(file.size == .max)
        #expect(throws: JSONDecodingError.self) { try read(#"{".tag":"link","name":"a"}"#) as Files.Metadata }
        let alone: Files.FileMetadata = try read("{\(Self.file)}")
        #expect(try alone == read(#"{".tag":"file",\#(Self.file)}"#))
        let permissions = """
            {"can_revoke":false,"visibility_policies":[],"can_set_expiry":false,"can_remove_expiry":false,\
            "allow_download":true,"can_allow_download":true,"can_disallow_download":false,"allow_comments":true,\
            "team_restricts_comments":false}
            """
        let link: Sharing.SharedLinkMetadata = try read(
            #"{".tag":"album","url":"https://x","name":"a","link_permissions":\#(permissions)}"#)
        guard case .other(let tag, let base) = link else {
            Issue.record("\(link)")
            return
        }
        #expect(tag.tag == "album" && base.name == "a")
    }

    @Test("A result of a batch has its file beside the tag")
    func batch() throws {
        let entry: Files.UploadSessionFinishBatchResultEntry = try read(#"{".tag":"success",\#(Self.file)}"#)
        guard case .success(let file) = entry else {
            Issue.record("\(entry)")
            return
        }
        #expect(file.id == "id:1")
    }

    @Test("A value of another kind is an error that names its place, never a trap")
    func wrong() {
        for bad in [#""size":true"#, #""size":-1"#, #""size":"1""#, #""size":18446744073709551616"#] {
            let text = "{\(Self.file.replacing(#""size":18446744073709551615"#, with: bad))}"
            let error = #expect(throws: JSONDecodingError.self) { try read(text) as Files.FileMetadata }
            #expect(error.map { "\($0)".contains("size") } == true, "\(bad)")
        }
        let time = Self.file.replacing("2020-01-01T00:00:00Z", with: "2020-13-01")
        #expect(throws: JSONDecodingError.self) { try read("{\(time)}") as Files.FileMetadata }
    }

    @Test("What a pattern of the spec forbids is for the server to judge")
    func pattern() async {
        let stub = Stub()
        stub.transport.enqueue(status: 400, "no such path")
        await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await stub.user.files.getMetadata(path: "no slash").value
        }
        #expect(stub.transport.requests.count == 1)
    }
}
