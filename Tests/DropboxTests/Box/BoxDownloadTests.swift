// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import Dropbox
import EmbeddedBox
import RestTesting
import Synchronization
import Testing

@Suite("Downloads from a box over a bad network")
struct BoxDownloadTests {
    private static let content = BoxStage.content(1_000_000)

    @Test("A connection that breaks again and again costs nothing but the rest")
    func cuts() async throws {
        let cuts = (0..<6).map { _ in NetworkFault.byteLimit(150_000, .answer) }
        let stage = try await BoxStage(cuts)
        try await stage.put(Self.content)
        _ = try await stage.download(BoxStage.options(attempts: 2)).value
        #expect(stage.bytes == Self.content)
        #expect(stage.folder.names == ["a"])
        let passed = stage.proxy.journal.exchanges.map(\.answerBytes).reduce(0, +)
        #expect(passed < 1_020_000, "\(passed)")
        await stage.stop()
    }

    @Test(
        "Resets, lost answers, silence and connections that end at once pass",
        arguments: [
            [NetworkFault.reset, .reset, .byteLimit(0, .answer)], [.droppedResponse, .byteLimit(5_000, .answer)],
            [.byteLimit(100, .answer), .byteLimit(400_000, .answer), .reset],
            [.byteLimit(400_000, .answer), .blackhole(.answer)], [.slices(bytes: 1_000, pause: .zero)],
        ])
    func faults(script: [NetworkFault]) async throws {
        var stage = try await BoxStage(script)
        stage.configuration.retryPolicy = .never
        stage.configuration.transportLimits.firstByteTimeout = .milliseconds(500)
        try await stage.put(Self.content)
        _ = try await stage.download().value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    @Test("A byte that changed on the way is never a file", arguments: [100_000, 999_000])
    func corrupted(place: Int) async throws {
        let stage = try await BoxStage([.corruptByte(place, .answer)])
        try stage.folder.write("mine", to: "a")
        try await stage.put(Self.content)
        #expect(try await ContentStub.failure(of: stage.download()).rest.code == .contentHash)
        #expect(stage.folder.text(of: "a") == "mine" && stage.folder.names == ["a"])
        await stage.stop()
    }

    @Test("A network that brings nothing ends it by its type, and leaves nothing")
    func dead() async throws {
        var stage = try await BoxStage(Array(repeating: .byteLimit(300, .answer), count: 40))
        stage.configuration.retryPolicy = .never
        try await stage.put(Self.content)
        let download = stage.download(BoxStage.options(attempts: 3))
        #expect(try await ContentStub.failure(of: download).rest.code == .transport)
        #expect(stage.folder.names.isEmpty)
        await stage.stop()
    }

    @Test("Whatever the network does, a file is right or it is not there", arguments: 0..<12)
    func random(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let script = (0..<8).map { _ -> NetworkFault? in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: nil
            case 1: .reset
            case 2: .corruptByte(Int.random(in: 0..<120_000, using: &random), .answer)
            case 3: .droppedResponse
            default: .byteLimit(Int.random(in: 0..<80_000, using: &random), .answer)
            }
        }
        let content = BoxStage.content(100_000, seed: UInt64(seed))
        let stage = try await BoxStage(script)
        try await stage.put(content)
        let download = stage.download()
        do throws(CallError<Files.DownloadError>) {
            _ = try await download.value
            #expect(stage.bytes == content)
        } catch {
            #expect(stage.folder.names.isEmpty, "\(error)")
        }
        await stage.stop()
    }

    @Test("A file that is written anew meanwhile comes whole, of one revision")
    func rewritten() async throws {
        var stage = try await BoxStage([.byteLimit(400_000, .answer)])
        let first = try await stage.put(Self.content)
        let other = BoxStage.content(1_000_000, seed: 2)
        let writer = stage
        stage.configuration.interceptors = [
            Rewriting { try await writer.put(other) }
        ]
        let file = try await stage.download().value
        #expect(file.rev != first.rev)
        #expect(stage.bytes == other)
        await stage.stop()
    }

    /// Does something before the second request.
    private final class Rewriting: Interceptor {
        private let requests = Atomic(0)
        private let write: @Sendable () async throws -> Files.FileMetadata

        init(_ write: @escaping @Sendable () async throws -> Files.FileMetadata) { self.write = write }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            if requests.add(1, ordering: .relaxed).newValue == 2 { _ = try? await write() }
            return try await next(request)
        }
    }

    @Test("A pause keeps what came, a cancel nothing")
    func pause() async throws {
        // So slow that the transfer cannot end before it is held.
        let slow = NetworkFault.slices(bytes: 64_000, pause: .milliseconds(300))
        let stage = try await BoxStage(script: [[slow], [nil, slow], [slow]])
        try await stage.put(Self.content)
        let download = stage.download()
        var updates = download.progress.makeAsyncIterator()
        download.resume()
        while let update = await updates.next(), update.progress.received < 50_000 {}
        download.pause()
        download.resume()
        _ = try await download.value
        #expect(stage.bytes == Self.content)
        #expect(stage.proxy.journal.exchanges.last.map { $0.answerBytes < 990_000 } == true)
        try stage.folder.write("mine", to: "a")
        download.restart()
        var again = download.progress.makeAsyncIterator()
        while let update = await again.next(), update.attempt < 3 || update.progress.received < 50_000 {}
        download.cancel()
        #expect(try await ContentStub.failure(of: download).rest.code == .cancelled)
        #expect(stage.folder.text(of: "a") == "mine")
        await stage.stop()
    }
}
#endif
