// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Synchronization
import TestSupport
import Testing

@Suite("Downloads")
struct DownloadTests {
    private let script: ContentStub
    private var folder: TemporaryDirectory { script.folder }
    private let content = ContentStub.content

    init() throws {
        script = try ContentStub()
    }

    @Test("a file appears only when its content is complete and verified, and replaces an existing file")
    func whole() async throws {
        try folder.write("old", to: "a")
        script.respond(content)
        let download = script.download()
        #expect(script.stub.transport.requests.isEmpty)
        #expect(try await download.value.size == 12)
        #expect(folder.text(of: "a") == content)
        #expect(folder.names == ["a"])
    }

    @Test("a download resumes after every interruption, with the same revision")
    func rest() async throws {
        script.respond("some c")
        script.respond("onten", from: 6)
        script.respond("t", from: 11)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(folder.text(of: "a") == content)
        #expect(script.ranges == [nil, "bytes=6-", "bytes=11-"])
    }

    @Test(
        "the bytes of another revision are discarded, and a whole file from a server without ranges is cut to the rest")
    func otherRevision() async throws {
        script.respond("SOME C", rev: "000000001")
        script.respond("ontent", from: 6)
        script.respond("some con")
        script.respond(content)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(folder.text(of: "a") == content)
        #expect(script.ranges == [nil, "bytes=6-", nil, "bytes=8-"])
    }

    @Test("content with another hash is an error, and the existing file is kept")
    func otherContent() async throws {
        try folder.write("old", to: "a")
        script.respond("SOME CONTENT")
        #expect(try await ContentStub.failure(of: script.download()).rest.code == .contentHash)
        #expect(folder.text(of: "a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test("empty responses end the download after the policy's number of attempts, with delays between them")
    func nothing() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(25))
        var stub = script.stub
        stub.configuration.clock = clock
        for _ in 0..<8 { script.respond("") }
        let download = stub.user.download("/a", to: folder.path("a"))
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .transport, "\(error)")
        #expect(script.ranges.count == 8)
        #expect(clock.sleeps.count == 7 && clock.sleeps.allSatisfy { $0 <= .seconds(20) })
        #expect(folder.names.isEmpty)
    }

    @Test("a permanent error is not retried", arguments: [400, 404, 409])
    func final(status: Int) async throws {
        script.stub.transport.enqueue(status: status, "{}")
        let failure = try await ContentStub.failure(of: script.download(ContentStub.options(attempts: 5)))
        #expect(failure.rest.status == status)
        #expect(script.ranges.count == 1)
    }

    @Test("a server error is retried after the delay that the server requests")
    func trouble() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(25))
        var stub = script.stub
        stub.configuration.clock = clock
        script.respond("some c")
        stub.transport.enqueue(status: 429, fields: ["Retry-After": "7"], "<html>busy</html>")
        stub.transport.enqueue(status: 503, "")
        script.respond("ontent", from: 6)
        _ = try await stub.user.download("/a", to: folder.path("a")).value
        #expect(folder.text(of: "a") == content)
        #expect(clock.sleeps[1] >= .seconds(7))
    }

    @Test("an error response is the route's own error")
    func rejections() async throws {
        script.stub.transport.enqueue(status: 409, #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        guard case .route(.path(.notFound), _) = try await ContentStub.failure(of: script.download()) else {
            throw Unexpected("another failure")
        }
        #expect(folder.names.isEmpty)
    }

    @Test("a restart requests the whole file again, and the progress is that of the file")
    func restart() async throws {
        script.respond(content)
        let download = script.download()
        _ = try await download.value
        var updates = download.progress.makeAsyncIterator()
        let progress = await updates.next()?.progress
        #expect(progress == TransferProgress(received: 12, receivedTotal: 12))
        script.respond(content)
        download.restart()
        _ = try await download.value
        #expect(script.ranges == [nil, nil])
    }

    @Test("a failed or cancelled download leaves no file, also while it is still referenced")
    func nothingLeft() async throws {
        script.respond("some c")
        let failed = script.download()
        _ = try await ContentStub.failure(of: failed)
        #expect(folder.names.isEmpty)
        withExtendedLifetime(failed) {}
    }

    @Test("the response head has the client's timeout, and the content after it has no total time limit")
    func time() async throws {
        var stub = script.stub
        let watched = WatchedTransport(stub.transport)
        stub.configuration.transport = watched
        stub.configuration.timeout = .seconds(3)
        script.respond(content)
        let start = ContinuousClock.now
        _ = try await stub.user.download("/a", to: folder.path("a")).value
        let last = watched.last
        let deadline = try #require(last)
        #expect(deadline > start + .seconds(86_400))
        stub.configuration.clock = ManualClock()
        script.stub.transport.enqueue(.silence)
        let silent = stub.user.download("/a", to: folder.path("a"), ContentStub.options())
        #expect(try await ContentStub.failure(of: silent).rest.code == .timedOut)
    }

    private final class WatchedTransport: HTTPTransport {
        private let deadline = Mutex<ContinuousClock.Instant?>(nil)
        var last: ContinuousClock.Instant? { deadline.withLock(\.self) }
        private let inner: StubTransport

        init(_ inner: StubTransport) { self.inner = inner }

        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            self.deadline.withLock { $0 = deadline }
            return try await inner.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async { await inner.shutdown() }
    }
}

/// A stub of Dropbox with scripted responses, and a directory for downloads.
struct ContentStub {
    let stub = Stub()
    let folder: TemporaryDirectory
    static let content = "some content"

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Returns the metadata of a file at Dropbox with the content hash of `text`.
    static func file(_ rev: String = "0123456789", size: Int = 12, of text: String = content) -> String {
        """
        {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"\(rev)","size":\(size),"content_hash":"\(ContentHash(of: Array(text.utf8)).text ?? "")"}
        """
    }

    /// Adds a response with status 200, or with the range of the 12 bytes from `start`.
    func respond(_ body: String, from start: Int? = nil, rev: String = "0123456789", fields: HTTPFields = [:]) {
        var fields = fields
        fields["Dropbox-API-Result"] = fields["Dropbox-API-Result"] ?? Self.file(rev)
        if let start { fields["Content-Range"] = fields["Content-Range"] ?? "bytes \(start)-11/12" }
        stub.transport.enqueue(status: start == nil ? 200 : 206, fields: fields, body)
    }

    /// Returns options without delays.
    static func options(attempts: Int = 1) -> DownloadOptions {
        var options = DownloadOptions()
        options.retryPolicy.maximumAttempts = attempts
        options.retryPolicy.transientScale = .zero
        return options
    }

    func download(
        _ options: DownloadOptions = options(), to name: String = "a"
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        stub.user.download("/a", to: folder.path(name), options)
    }

    static func failure<Output, Failure>(of transfer: Transfer<Output, Failure>) async throws -> CallError<Failure> {
        do throws(CallError<Failure>) {
            _ = try await transfer.value
        } catch {
            return error
        }
        throw Succeeded()
    }

    struct Succeeded: Error {}

    var ranges: [String?] { stub.transport.requests.map { $0.fields["Range"] } }
}

#if canImport(Glibc)
import Glibc
import RestTesting
import Testing

@testable import Dropbox

@Suite("Downloads onto a full disk")
struct FullDiskTests {
    @Test("a full disk is a typed error that names the file, keeps the existing file and leaves no other")
    func fullDisk() async {
        // In a separate process, which limits the size of its files to simulate a full disk.
        await #expect(processExitsWith: .success) {
            let script = try ContentStub()
            try script.folder.write("mine", to: "a")
            script.respond(ContentStub.content)
            let error = try await FullDisk.during(after: 5) {
                try await ContentStub.failure(of: script.download()).rest
            }
            guard error.code == .file, error.message.contains(script.folder.path("a")) else { exit(3) }
            guard error.systemErrors.contains(where: { $0.number == Int(EFBIG) }) else { exit(4) }
            guard script.folder.names == ["a"], script.folder.text(of: "a") == "mine" else { exit(5) }
        }
    }

    @Test("bytes of a failed write are not part of a resumed download", arguments: [true, false])
    func goesOn(keepsPart: Bool) async {
        await #expect(processExitsWith: .success) { [keepsPart] in
            let folder = try TemporaryDirectory()
            let target = ContentTarget.file(path: folder.path("a"), overwrites: true, makesFolders: false)
            let identity = ContentIdentity(
                revision: "0123456789", size: 12, hash: ContentHash(of: Array(ContentStub.content.utf8)).text)
            let content = try PartialContent(0, identity, nil, at: (0, 12), into: target, keepsPart: keepsPart)
            try content.add(Array("some c".utf8))
            await FullDisk.during(after: 8) {
                guard (try? content.add(Array("ontent".utf8))) == nil else { exit(2) }
            }
            // Before `goOn()` the content accepts no bytes.
            guard (try? content.add(Array("ontent".utf8))) == nil, content.count == 6 else { exit(3) }
            try content.goOn()
            try content.add(Array("ontent".utf8))
            guard try content.finish().isEmpty, folder.names == ["a"] else { exit(4) }
            guard folder.text(of: "a") == ContentStub.content else { exit(5) }
        }
    }
}
#endif

@Suite("Downloads into memory, and those of other routes")
struct MemoryTests {
    private let script: ContentStub
    private let content = ContentStub.content

    init() throws {
        script = try ContentStub()
    }

    @Test("content is downloaded into memory up to a limit, and resumes after an interruption")
    func memory() async throws {
        script.respond("some")
        script.respond(" content", from: 4)
        let got = try await script.stub.user.download("/a", limit: 12, ContentStub.options(attempts: 2)).value
        #expect(got.value.size == 12 && got.bytes == Array(content.utf8))
        #expect(script.ranges == [nil, "bytes=4-"])
    }

    @Test("content above the limit is an error, whether the server sends its length or not")
    func limit() async throws {
        script.respond(content)
        let known = script.stub.user.download("/a", limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: known).rest.code == .tooLarge)
        script.respond(content)
        let unknown = script.stub.user.files.getPreview(path: "/a").download(limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: unknown).rest.code == .tooLarge)
    }

    @Test("the content hash is also verified in memory")
    func hash() async throws {
        script.respond("SOME CONTENT")
        let download = script.stub.user.download("/a", limit: 100, ContentStub.options())
        #expect(try await ContentStub.failure(of: download).rest.code == .contentHash)
    }

    @Test("an interrupted download of another route starts again, and its result does not describe the content")
    func otherRoutes() async throws {
        // The result describes the file, but the content is a preview of it.
        let call = script.stub.user.files.getPreview(path: "/a")
        script.respond("picture", fields: ["Content-Length": "7"])
        let file = try await call.download(to: script.folder.path("p"), ContentStub.options()).value
        #expect(file.size == 12)
        #expect(script.folder.text(of: "p") == "picture")
        script.respond("picture")
        let bytes = try await call.download(limit: 7, ContentStub.options()).value.bytes
        #expect(bytes == Array("picture".utf8))
        script.respond("picture")
        let small = call.download(limit: 6, ContentStub.options())
        #expect(try await ContentStub.failure(of: small).rest.code == .tooLarge)
        try script.folder.write("mine", to: "q")
        var options = ContentStub.options()
        options.overwrites = false
        let refused = call.download(to: script.folder.path("q"), options)
        #expect(try await ContentStub.failure(of: refused).rest.code == .fileExists)
    }
}
