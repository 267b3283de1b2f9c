// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Synchronization
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
            Issue.record("another failure")
            return
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

    /// Notes until when a stream may go on.
    private final class WatchedTransport: HTTPTransport {
        private let deadline = Mutex<ContinuousClock.Instant?>(nil)
        var last: ContinuousClock.Instant? { deadline.withLock(\.self) }
        private let inner: StubTransport

        init(_ inner: StubTransport) { self.inner = inner }

        func send(
            _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            self.deadline.withLock { $0 = deadline }
            return try await inner.send(request, deadline: deadline, progress: progress)
        }

        func shutdown() async { await inner.shutdown() }
    }
}
