// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Synchronization
import TestSupport
import Testing

@Suite("Downloads")
struct DownloadTests {
    private let script: ContentStub
    private var folder: TemporaryFolder { script.folder }
    private let content = ContentStub.content

    init() throws {
        script = try ContentStub()
    }

    @Test("A file appears when its content is whole and right, in place of one that was there")
    func whole() async throws {
        try folder.write("old", to: "a")
        script.answer(content)
        let download = script.download()
        #expect(script.stub.transport.requests.isEmpty)
        #expect(try await download.value.size == 12)
        #expect(folder.text(of: "a") == content)
        #expect(folder.names == ["a"])
    }

    @Test("A content that breaks off goes on where it broke, of the same revision, as often as it takes")
    func rest() async throws {
        script.answer("some c")
        script.answer("onten", from: 6)
        script.answer("t", from: 11)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(folder.text(of: "a") == content)
        #expect(script.ranges == [nil, "bytes=6-", "bytes=11-"])
    }

    @Test("The rest of another revision is thrown away; out of the whole that a server without ranges gives it is cut")
    func otherRevision() async throws {
        script.answer("SOME C", rev: "000000001")
        script.answer("ontent", from: 6)
        script.answer("some con")
        script.answer(content)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(folder.text(of: "a") == content)
        #expect(script.ranges == [nil, "bytes=6-", nil, "bytes=8-"])
    }

    @Test("Other content is an error, and what was there stays")
    func otherContent() async throws {
        try folder.write("old", to: "a")
        script.answer("SOME CONTENT")
        #expect(try await ContentStub.failure(of: script.download()).rest.code == .contentHash)
        #expect(folder.text(of: "a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test("Answers that bring nothing end it after as many as the policy has, with waits in between")
    func nothing() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(25))
        var stub = script.stub
        stub.configuration.clock = clock
        for _ in 0..<8 { script.answer("") }
        let download = stub.user.download("/a", to: folder.path("a"))
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .transport, "\(error)")
        #expect(script.ranges.count == 8)
        #expect(clock.sleeps.count == 7 && clock.sleeps.allSatisfy { $0 <= .seconds(20) })
        #expect(folder.names.isEmpty)
    }

    @Test("What does not pass is not tried again", arguments: [400, 404, 409])
    func final(status: Int) async throws {
        script.stub.transport.enqueue(status: status, "{}")
        let failure = try await ContentStub.failure(of: script.download(ContentStub.options(attempts: 5)))
        #expect(failure.rest.status == status)
        #expect(script.ranges.count == 1)
    }

    @Test("A server in trouble is asked again, after the wait that it asks for")
    func trouble() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(25))
        var stub = script.stub
        stub.configuration.clock = clock
        script.answer("some c")
        stub.transport.enqueue(status: 429, fields: ["Retry-After": "7"], "<html>busy</html>")
        stub.transport.enqueue(status: 503, "")
        script.answer("ontent", from: 6)
        _ = try await stub.user.download("/a", to: folder.path("a")).value
        #expect(folder.text(of: "a") == content)
        #expect(clock.sleeps[1] >= .seconds(7))
    }

    @Test("A refusal is the route's own")
    func refusals() async throws {
        script.stub.transport.enqueue(status: 409, #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        guard case .route(.path(.notFound), _) = try await ContentStub.failure(of: script.download()) else {
            throw Unexpected("another failure")
        }
        #expect(folder.names.isEmpty)
    }

    @Test("A restart asks for the whole again; progress is that of the file")
    func restart() async throws {
        script.answer(content)
        let download = script.download()
        _ = try await download.value
        var updates = download.progress.makeAsyncIterator()
        let progress = await updates.next()?.progress
        #expect(progress == TransferProgress(received: 12, receivedTotal: 12))
        script.answer(content)
        download.restart()
        _ = try await download.value
        #expect(script.ranges == [nil, nil])
    }

    @Test("A download that failed or was cancelled leaves nothing, also while somebody holds it")
    func nothingLeft() async throws {
        script.answer("some c")
        let failed = script.download()
        _ = try await ContentStub.failure(of: failed)
        #expect(folder.names.isEmpty)
        withExtendedLifetime(failed) {}
    }

    @Test("The head has the client's time; the content after it has as long as it comes")
    func time() async throws {
        var stub = script.stub
        let watched = WatchedTransport(stub.transport)
        stub.configuration.transport = watched
        stub.configuration.timeout = .seconds(3)
        script.answer(content)
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

/// Dropbox as a script of answers with content, and a folder for what is downloaded.
struct ContentStub {
    let stub = Stub()
    let folder: TemporaryFolder
    static let content = "some content"

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a file at Dropbox is, by the content hash of a text.
    static func file(_ rev: String = "0123456789", size: Int = 12, of text: String = content) -> String {
        """
        {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"\(rev)","size":\(size),"content_hash":"\(ContentHash(of: Array(text.utf8)).text ?? "")"}
        """
    }

    /// An answer of status 200, or the part of 12 bytes that begins at a place.
    func answer(_ body: String, from start: Int? = nil, rev: String = "0123456789", fields: HTTPFields = [:]) {
        var fields = fields
        fields["Dropbox-API-Result"] = fields["Dropbox-API-Result"] ?? Self.file(rev)
        if let start { fields["Content-Range"] = fields["Content-Range"] ?? "bytes \(start)-11/12" }
        stub.transport.enqueue(status: start == nil ? 200 : 206, fields: fields, body)
    }

    /// Options that wait for nothing.
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
    @Test("A disk that takes no more is a typed error that names the file; what was there stays, and nothing else does")
    func fullDisk() async {
        // In a process of its own: there no file may become longer than this, as on a disk that is full.
        await #expect(processExitsWith: .success) {
            let script = try ContentStub()
            try script.folder.write("mine", to: "a")
            script.answer(ContentStub.content)
            let error = try await FullDisk.during(after: 5) {
                try await ContentStub.failure(of: script.download()).rest
            }
            guard error.code == .file, error.message.contains(script.folder.path("a")) else { exit(3) }
            guard error.systemErrors.contains(where: { $0.number == Int(EFBIG) }) else { exit(4) }
            guard script.folder.names == ["a"], script.folder.text(of: "a") == "mine" else { exit(5) }
        }
    }

    @Test("What a write that failed left in a file is not in the content that goes on", arguments: [true, false])
    func goesOn(keepsPart: Bool) async {
        await #expect(processExitsWith: .success) { [keepsPart] in
            let folder = try TemporaryFolder()
            let target = ContentTarget.file(path: folder.path("a"), overwrites: true, makesFolders: false)
            let identity = ContentIdentity(
                revision: "0123456789", size: 12, hash: ContentHash(of: Array(ContentStub.content.utf8)).text)
            let content = try PartialContent(0, identity, nil, at: (0, 12), into: target, keepsPart: keepsPart)
            try content.add(Array("some c".utf8))
            await FullDisk.during(after: 8) {
                guard (try? content.add(Array("ontent".utf8))) == nil else { exit(2) }
            }
            // Without a word about where it goes on, nothing is taken.
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

    @Test("Content comes into memory up to a limit, going on where it broke")
    func memory() async throws {
        script.answer("some")
        script.answer(" content", from: 4)
        let got = try await script.stub.user.download("/a", limit: 12, ContentStub.options(attempts: 2)).value
        #expect(got.value.size == 12 && got.bytes == Array(content.utf8))
        #expect(script.ranges == [nil, "bytes=4-"])
    }

    @Test("More than the limit is an error, whether the server says how much or not")
    func limit() async throws {
        script.answer(content)
        let known = script.stub.user.download("/a", limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: known).rest.code == .tooLarge)
        script.answer(content)
        let unknown = script.stub.user.files.getPreview(path: "/a").download(limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: unknown).rest.code == .tooLarge)
    }

    @Test("The content hash is compared in memory as well")
    func hash() async throws {
        script.answer("SOME CONTENT")
        let download = script.stub.user.download("/a", limit: 100, ContentStub.options())
        #expect(try await ContentStub.failure(of: download).rest.code == .contentHash)
    }

    @Test("What another route gives is begun anew when it breaks off, and its result is no content's identity")
    func otherRoutes() async throws {
        // The result is the file's, the content is a picture of it.
        let call = script.stub.user.files.getPreview(path: "/a")
        script.answer("picture", fields: ["Content-Length": "7"])
        let file = try await call.download(to: script.folder.path("p"), ContentStub.options()).value
        #expect(file.size == 12)
        #expect(script.folder.text(of: "p") == "picture")
        script.answer("picture")
        let bytes = try await call.download(limit: 7, ContentStub.options()).value.bytes
        #expect(bytes == Array("picture".utf8))
        script.answer("picture")
        let small = call.download(limit: 6, ContentStub.options())
        #expect(try await ContentStub.failure(of: small).rest.code == .tooLarge)
        try script.folder.write("mine", to: "q")
        var options = ContentStub.options()
        options.overwrites = false
        let refused = call.download(to: script.folder.path("q"), options)
        #expect(try await ContentStub.failure(of: refused).rest.code == .fileExists)
    }
}
