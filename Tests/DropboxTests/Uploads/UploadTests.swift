// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Uploads")
struct UploadTests {
    private let stub = Stub()
    private let content = Array("some content".utf8)

    private func file(_ hash: String?) -> String {
        """
        {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"0123456789","size":12\(hash.map { #","content_hash":"\#($0)""# } ?? "")}
        """
    }

    private var hash: String { ContentHash(of: content).text ?? "" }

    @Test("The hash goes along, so that the server can refuse other content")
    func bytes() async throws {
        stub.transport.enqueue(file(hash))
        let upload = stub.user.upload(.bytes(content), to: "/a", mode: .overwrite)
        #expect(stub.transport.requests.isEmpty)
        #expect(try await upload.value.size == 12)
        let argument = try #require(stub.field("Dropbox-API-Arg", 0))
        #expect(argument.contains(#""content_hash":"\#(hash)""#))
        #expect(argument.contains(#""mode":{".tag":"overwrite"}"#))
    }

    @Test("A file is hashed before; one that is not there is named and nothing is sent")
    func files() async throws {
        let folder = try TemporaryFolder()
        try folder.write("some content", to: "a")
        stub.transport.enqueue(file(hash))
        _ = try await stub.user.upload(.file(path: folder.path("a")), to: "/a").value
        #expect(stub.field("Dropbox-API-Arg", 0)?.contains(hash) == true)
        do throws(CallError<Files.UploadError>) {
            _ = try await stub.user.upload(.file(path: folder.path("b")), to: "/b").value
            Issue.record("there is no such file")
        } catch {
            #expect(error.rest.code == .file)
            #expect(error.rest.message.contains(folder.path("b")))
        }
        #expect(stub.transport.requests.count == 1)
    }

    @Test("Other content than was sent is an error, although the server took it")
    func changed() async throws {
        let other = ContentHash(of: [1]).text ?? ""
        stub.transport.enqueue(file(other))
        do throws(CallError<Files.UploadError>) {
            _ = try await stub.user.upload(.bytes(content), to: "/a").value
            Issue.record("other content was taken")
        } catch {
            #expect(error.rest.code == .contentHash)
            #expect(error.rest.outcome == .applied)
        }
    }

    @Test("A refusal is typed, and a restart sends all of it again")
    func restart() async throws {
        stub.transport.enqueue(
            status: 409, #"{"error":{".tag":"content_hash_mismatch"},"error_summary":"content_hash_mismatch/"}"#)
        let upload = stub.user.upload(.bytes(content), to: "/a")
        do throws(CallError<Files.UploadError>) {
            _ = try await upload.value
            Issue.record("the upload succeeded")
        } catch {
            guard case .route(.contentHashMismatch, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        stub.transport.enqueue(file(nil))
        upload.restart()
        #expect(try await upload.value.name == "a")
        #expect(stub.transport.requests.map(\.body) == [.bytes(content), .bytes(content)])
    }
}
