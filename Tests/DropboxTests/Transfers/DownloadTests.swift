// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Downloads")
struct DownloadTests {
    private let stub = Stub()
    private let folder: TemporaryFolder
    private let content = "some content"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func answer(_ body: String, status: Int = 200, rev: String = "0123456789", hash: String? = nil) {
        let hash = hash ?? ContentHash(of: Array(content.utf8)).text ?? ""
        let file = """
            {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
            "rev":"\(rev)","size":12,"content_hash":"\(hash)"}
            """
        stub.transport.enqueue(status: status, fields: ["Dropbox-API-Result": file], body)
    }

    private var download: Transfer<Files.FileMetadata, Files.DownloadError> {
        stub.user.download("/a", to: folder.path("a"))
    }

    private func failure() async throws -> CallError<Files.DownloadError> {
        do throws(CallError<Files.DownloadError>) {
            _ = try await download.value
        } catch {
            return error
        }
        throw CancellationError()
    }

    @Test("A file appears when its content is whole and right, in place of one that was there")
    func whole() async throws {
        try folder.write("old", to: "a")
        answer(content)
        let download = download
        #expect(stub.transport.requests.isEmpty)
        #expect(try await download.value.size == 12)
        #expect(folder.text(of: "a") == content)
        #expect(folder.names == ["a"])
    }

    @Test("A content that breaks off goes on where it broke, of the same revision")
    func rest() async throws {
        answer("some c")
        answer("onten", status: 206)
        answer("t", status: 206)
        _ = try await download.value
        #expect(folder.text(of: "a") == content)
        #expect((0..<3).map { stub.field("Range", $0) } == [nil, "bytes=6-", "bytes=11-"])
    }

    @Test("The rest of another revision is thrown away, and so is what a server without ranges gave before")
    func otherRevision() async throws {
        answer("SOME C", rev: "000000001")
        answer("ontent", status: 206)
        answer("some con")
        answer(content)
        _ = try await download.value
        #expect(folder.text(of: "a") == content)
        #expect((0..<4).map { stub.field("Range", $0) } == [nil, "bytes=6-", nil, "bytes=8-"])
    }

    @Test("Other content is an error, and what was there stays")
    func otherContent() async throws {
        try folder.write("old", to: "a")
        answer("SOME CONTENT")
        #expect(try await failure().rest.code == .contentHash)
        #expect(folder.text(of: "a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test("An answer that brings nothing ends it, and so does a part that nobody asked for")
    func nothing() async throws {
        answer("")
        #expect(try await failure().rest.code == .transport)
        answer("x", status: 206)
        #expect(try await failure().rest.code == .decoding)
        #expect(folder.names.isEmpty)
    }

    @Test("A refusal is the route's own, and a folder that is not there is named")
    func refusals() async throws {
        stub.transport.enqueue(status: 409, #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        guard case .route(.path(.notFound), _) = try await failure() else {
            Issue.record("another failure")
            return
        }
        answer(content)
        let lost = stub.user.download("/a", to: folder.path("no/a"))
        do throws(CallError<Files.DownloadError>) {
            _ = try await lost.value
            Issue.record("the file was written")
        } catch {
            #expect(error.rest.code == .file)
            #expect(error.rest.message.contains(folder.path("no/a")))
        }
    }

    @Test("A restart asks for the whole again; progress is that of the file")
    func restart() async throws {
        answer(content)
        let download = download
        _ = try await download.value
        var updates = download.progress.makeAsyncIterator()
        let progress = await updates.next()?.progress
        #expect(progress == TransferProgress(received: 12, receivedTotal: 12))
        answer(content)
        download.restart()
        _ = try await download.value
        #expect(stub.field("Range", 1) == nil)
    }
}
