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

    @Test("an upload has its content hash, so that the server can reject other content")
    func bytes() async throws {
        stub.transport.enqueue(file(hash))
        let upload = stub.user.upload(.bytes(content), to: "/a", mode: .overwrite)
        #expect(stub.transport.requests.isEmpty)
        #expect(try await upload.value.size == 12)
        let argument = try #require(stub.field("Dropbox-API-Arg", 0))
        #expect(argument.contains(#""content_hash":"\#(hash)""#))
        #expect(argument.contains(#""mode":{".tag":"overwrite"}"#))
    }

    @Test("a file is hashed before it is sent, and a missing file is named in the error and nothing is sent")
    func files() async throws {
        let folder = try TemporaryDirectory()
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

    @Test("stored content with another hash is an error, although the server accepted it")
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

    @Test("an error response is typed, and a restart sends the whole content again")
    func restart() async throws {
        stub.transport.enqueue(
            status: 409, #"{"error":{".tag":"content_hash_mismatch"},"error_summary":"content_hash_mismatch/"}"#)
        let upload = stub.user.upload(.bytes(content), to: "/a")
        do throws(CallError<Files.UploadError>) {
            _ = try await upload.value
            Issue.record("the upload succeeded")
        } catch {
            guard case .route(.contentHashMismatch, _) = error else { throw Unexpected("\(error)") }
        }
        stub.transport.enqueue(file(nil))
        upload.restart()
        #expect(try await upload.value.name == "a")
        #expect(stub.transport.requests.map(\.body) == [.bytes(content), .bytes(content)])
    }
}

#if canImport(EmbeddedBox)
import EmbeddedBox
import Foundation
import RestBase
import RestTransport

/// A test server, a client of its user, and files to upload.
struct UploadStage {
    let box: LocalBox
    let folder: TemporaryDirectory

    init(_ configuration: LocalBoxConfiguration = LocalBoxConfiguration()) async throws {
        box = try await LocalBox.start(configuration)
        folder = try TemporaryDirectory()
    }

    var app: DropboxApp {
        DropboxApp(hosts: DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: box.port)))
    }

    /// Returns a client whose delays between attempts take no time.
    func client(_ token: String? = nil) -> DropboxClient {
        var configuration = RestClient.Configuration()
        configuration.clock = ManualClock(alarmsBeyond: .seconds(100))
        return DropboxClient(accessToken: Secret(token ?? box.accessToken), app: app, configuration: configuration)
    }

    /// Writes a file with unique content.
    func file(_ name: String, size: Int, seed: UInt64 = 0) throws -> UploadFile {
        let path = folder.path(name)
        let writer = try FileWriter(path: path)
        var random = SplitMix64(seed: seed &+ UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
        var left = size
        while left > 0 {
            // All blocks differ, because the server may store equal blocks as one.
            let count = min(left, 1 << 16)
            var chunk = [UInt8](repeating: UInt8(truncatingIfNeeded: left), count: count)
            for place in 0..<min(64, count) { chunk[place] = UInt8(truncatingIfNeeded: random.next()) }
            try writer.write(chunk)
            left -= count
        }
        try writer.finish()
        return UploadFile(.file(path: path), to: "/" + name)
    }

    /// Returns the files on the server by their path in lower case.
    func contents() async throws -> [String: Files.FileMetadata] {
        var files: [String: Files.FileMetadata] = [:]
        for try await entry in client().files.listFolder(path: "", recursive: true).elements {
            if case .file(let file) = entry { files[file.pathLower ?? ""] = file }
        }
        return files
    }

    func revisions(_ path: String) async throws -> Int {
        try await client().files.listRevisions(path: path).value.entries.count
    }

    /// Returns the number of requests whose path contains `path`.
    func calls(_ path: String) -> Int { box.journal.entries.count { $0.target.contains(path) } }

    /// Waits until `count` requests have been received whose path contains `path`.
    func wait(for count: Int, of path: String) async throws {
        while calls(path) < count { try await Task.sleep(for: .milliseconds(2)) }
    }
}

@Suite("Uploads that are resumed later")
struct UploadResumeTests {
    private let box: UploadStage
    private var options = UploadOptions()

    init() async throws {
        box = try await UploadStage()
        options.chunkSize = 4 << 20
    }

    private var journal: UploadJournal { get throws { try UploadJournal(path: box.folder.path("journal")) } }

    /// Uploads with the journal, and closes it.
    private func upload(_ files: [UploadFile], by client: DropboxClient? = nil) async throws -> [UploadResult] {
        let journal = try journal
        defer { journal.close() }
        return await (client ?? box.client()).upload(files, options: options, journal: journal).results
    }

    /// Uploads until `count` requests to a route have been received, and cancels.
    private func begin(_ files: [UploadFile], until count: Int, of route: String) async throws {
        let before = box.calls(route)
        box.box.faults.add(.delay(.seconds(30)), next: 100, matching: route, skipping: count)
        let journal = try journal
        defer { journal.close() }
        let batch = box.client().upload(files, options: options, journal: journal)
        batch.resume()
        try await box.wait(for: before + count + 1, of: route)
        batch.cancel()
        _ = await batch.results
        box.box.faults.clear()
    }

    private func finish(_ files: [UploadFile]) async throws {
        let results = try await upload(files)
        let there = try await box.contents()
        #expect(there.count == files.count)
        for (file, result) in zip(files, results) {
            guard case .file(let content) = file.content else { continue }
            let stored = try result.value.get()
            #expect(stored.contentHash == (try await ContentHash.ofFile(at: content.path).text))
            #expect(try await box.revisions(stored.pathLower ?? "") == 1)
        }
    }

    @Test("bytes and files that the server has are not sent again", arguments: ["append_v2", "finish_batch_v2"])
    func goesOn(_ route: String) async throws {
        var files = try (0..<3).map { try box.file("large \($0)", size: (17 << 20) + $0) }
        files += try (0..<30).map { try box.file("small \($0)", size: 1_000 + $0) }
        files.append(try box.file("middle", size: 9 << 20))
        try await begin(files, until: route == "append_v2" ? 7 : 0, of: route)
        let calls = box.calls("append")
        try await finish(files)
        let parts = 3 * 5 + 3 + 1
        #expect(calls > 3)
        // One part of each request that was in flight may be sent twice.
        #expect(box.calls("append") <= parts + 4 + 2)
        // A third run has nothing to send.
        let before = box.calls("upload_session")
        try await finish(files)
        #expect(box.calls("upload_session") == before)
    }

    @Test("a finish request whose response was lost is not repeated", arguments: [false, true])
    func finished(isRenamed: Bool) async throws {
        var files = try (0..<10).map { try box.file("f\($0)", size: 1_000 + $0) }
        if isRenamed {
            _ = await box.client().upload((0..<10).map { UploadFile(.bytes([UInt8($0)]), to: "/f\($0)") }).results
            for number in files.indices { files[number].commit.autorename = true }
        }
        // The server processes the request, and the process dies before the response arrives.
        try await begin(files, until: 0, of: "finish_batch_v2")
        let appended = box.calls("append")
        let results = try await upload(files)
        #expect(try await box.contents().count == (isRenamed ? 20 : 10))
        for result in results { #expect(try result.value.get().name.contains(isRenamed ? " (1)" : "f")) }
        #expect(box.calls("append") == appended)
    }

    @Test("a file that has changed is sent with its new content")
    func changed() async throws {
        let files = try (0..<3).map { try box.file("f\($0)", size: (9 << 20) + $0) }
        try await begin(files, until: 4, of: "append_v2")
        _ = try box.file("f0", size: 9 << 20, seed: 7)
        _ = try box.file("f2", size: 100, seed: 8)
        try await finish(files)
    }

    @Test("a process without the list of files reads it from the journal")
    func unknownFiles() async throws {
        let files = try (0..<3).map { try box.file("f\($0)", size: (9 << 20) + $0) }
        try await begin(files, until: 4, of: "append_v2")
        let journal = try journal
        let known = journal.files
        journal.close()
        #expect(known.map(\.id) == files.map(\.id))
        try await finish(known)
    }

    @Test("a journal is readable only by its owner, and contains no token")
    func secrets() async throws {
        let file = try box.file("f", size: 100)
        _ = try await upload([file])
        let text = try #require(box.folder.text(of: "journal"))
        #expect(text.contains(box.folder.path("f")))
        #expect(!text.contains(box.box.accessToken))
        let attributes = try FileManager.default.attributesOfItem(atPath: box.folder.path("journal"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("the journal of one user is rejected for another user, and nothing is sent")
    func anotherUser() async throws {
        let file = try box.file("f", size: 100)
        _ = try await upload([file])
        var configuration = LocalBoxConfiguration()
        configuration.seed = 7
        let other = try await UploadStage(configuration)
        let results = try await upload([file], by: other.client())
        guard case .failure(.rest(let error)) = results[0].value else { throw Unexpected("\(results)") }
        #expect(error.code == .journal)
        #expect(other.calls("upload") == 0)
    }

    @Test("a session that has expired is started again")
    func ended() async throws {
        let file = try box.file("f", size: 17 << 20)
        try await begin([file], until: 2, of: "append_v2")
        box.box.faults.add(
            .routeError(#"{".tag":"not_found"}"#, summary: "not_found/"), next: 2, matching: "append_v2")
        try await finish([file])
    }
}
#endif
