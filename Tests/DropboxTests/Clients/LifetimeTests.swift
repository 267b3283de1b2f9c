// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("How long clients and calls live")
struct LifetimeTests {
    private let stub = Stub()

    @Test("Versions and slashes of a route stand in its address; no argument is null, no result is null or nothing")
    func addresses() async throws {
        for answer in [#"{"metadata":\#(Stub.folder)}"#, "null", "null", ""] { stub.transport.enqueue(answer) }
        _ = try await stub.user.files.deleteV2(path: "/f").value
        let cursor = Files.UploadSessionCursor(sessionID: "s", offset: 0)
        try await stub.user.files.uploadSessionAppendV2(body: .bytes([1]), cursor: cursor).value
        for _ in 0..<2 { try await stub.user.auth.tokenRevoke().value }
        #expect(stub.url(0).hasSuffix("/2/files/delete_v2"))
        #expect(stub.url(1).hasSuffix("/2/files/upload_session/append_v2"))
        #expect(stub.body(2) == "null" && stub.field("Content-Type", 2) == "application/json")
    }

    @Test("A call outlives the client it was made by")
    func client() async throws {
        stub.transport.enqueue(Stub.folder)
        let call = { stub.user.files.getMetadata(path: "/f") }()
        _ = try await call.value
    }

    @Test("After a shutdown calls and transfers fail at once and by their type")
    func shutdown() async throws {
        let box = stub.user
        box.routes.client.shutdown()
        await #expect { try await box.files.getMetadata(path: "/f").value } throws: { error in
            (error as? CallError<Files.GetMetadataError>)?.rest.code == .shutDown
        }
        let folder = try TemporaryFolder()
        let download = box.download("/a", to: folder.path("a"))
        #expect(try await ContentStub.failure(of: download).rest.code == .shutDown)
        #expect(stub.transport.requests.isEmpty)
    }

    @Test("A result that cannot be read keeps what came")
    func unreadable() async {
        stub.transport.enqueue("<html>")
        await #expect { try await stub.user.files.getMetadata(path: "/f").value } throws: { error in
            let rest = (error as? CallError<Files.GetMetadataError>)?.rest
            return rest?.code == .decoding && rest?.body == Array("<html>".utf8) && rest?.status == 200
        }
    }

    @Test("Cancelling the task that waits ends the call by its type")
    func cancelled() async {
        stub.transport.enqueue(.silence)
        let box = stub.user
        let waiting = Task { () -> RestError.Code? in
            do throws(CallError<Files.GetMetadataError>) {
                _ = try await box.files.getMetadata(path: "/f").value
                return nil
            } catch {
                return error.rest.code
            }
        }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }
}
