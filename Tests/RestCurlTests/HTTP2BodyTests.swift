// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import Foundation
import RestCurl
import RestTesting
import RestTransport
import Synchronization
import Testing

/// Tests HTTP/2 streams with bodies, through an nginx that does not buffer.
@Suite("CurlTransport and bodies over HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2BodyTests {
    private let authority: TestAuthority
    private let transport: CurlTransport
    private let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() async throws {
        authority = try await TestAuthority.make()
        transport = CurlTransport(trusting: authority) { $0.collectsMetrics = true }
    }

    private func withServer(
        _ origin: ScriptServer, _ body: (HTTPURL) async throws -> Void
    ) async throws {
        let server = try await FrontServer.start(authority.identity(), originPort: origin.port)
        try await body(server.url)
        await transport.shutdown()
        await server.stop()
    }

    private func respond(blocks: Int) -> ScriptServer.Script {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * blocks)\r\n\r\n"
        return [.readRequest, .send(head), .flood(block, count: blocks)]
    }

    private func isWhole(_ body: [UInt8], blocks: Int) -> Bool {
        body.count == blocks * block.count
            && stride(from: 0, to: body.count, by: block.count).allSatisfy {
                areEqual(body[$0..<$0 + block.count], block[...])
            }
    }

    @Test("Large responses arrive completely in memory, as a stream and in a file")
    func downloads() async throws {
        try await withServer(ScriptServer(respond(blocks: 128))) { url in
            let request = HTTPRequest(url: url)
            let response = try await transport.send(request, deadline: soon)
            #expect(response.metrics?.protocolName == "HTTP/2")
            #expect(isWhole(response.body, blocks: 128))
            let stream = try await transport.stream(request, deadline: soon).stream
            #expect(isWhole(try await stream.collect(upTo: .max), blocks: 128))
            let folder = try TemporaryDirectory()
            let path = folder.path("down")
            _ = try await transport.download(request, to: path, deadline: soon)
            #expect(isWhole([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), blocks: 128))
        }
    }

    enum Upload: CaseIterable { case bytes, announcedStream, stream }

    @Test("Large bodies are sent completely, however their length is known", arguments: Upload.allCases)
    func uploads(kind: Upload) async throws {
        let origin = try ScriptServer([.readRequest, .respond("ok")])
        let (block, count) = (Array(repeating: UInt8(ascii: "x"), count: 100_000), 80)
        let left = Mutex(count)
        let next: @Sendable () -> [UInt8]? = {
            left.withLock { left in
                left -= 1
                return left >= 0 ? block : nil
            }
        }
        let body: HTTPBody =
            switch kind {
            case .bytes: .bytes(Array(repeating: UInt8(ascii: "x"), count: block.count * count))
            case .announcedStream: .stream(HTTPBody.Source.once(length: Int64(block.count * count), chunks: next))
            case .stream: .stream(HTTPBody.Source.once(chunks: next))
            }
        try await withServer(origin) { url in
            let request = HTTPRequest(method: .post, url: url, body: body)
            let response = try await transport.send(request, deadline: soon)
            #expect(response.head.status == 200)
            #expect(response.metrics?.protocolName == "HTTP/2")
        }
        let sent = try #require(await origin.stop().requests.first)
        let parts = sent.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts.last?.utf8.count { $0 == UInt8(ascii: "x") } == block.count * count)
    }

    @Test("An unread stream makes the server wait, and other calls can use the connection")
    func paused() async throws {
        let blocks = 500
        let origin = try ScriptServer(connections: [respond(blocks: blocks), [.readRequest, .respond("ok")]])
        try await withServer(origin) { url in
            let request = HTTPRequest(url: url)
            let slow = try await transport.stream(request, deadline: soon)
            var (sent, last) = (0, -1)
            while sent != last {
                last = sent
                try await Task.sleep(for: .milliseconds(150))
                sent = origin.journal.connections[0].sentBytes
            }
            #expect(sent < blocks * block.count / 2, "\(sent) bytes were sent although nobody read")
            let other = try await transport.send(request, deadline: soon)
            #expect(text(other) == "ok")
            #expect(other.head.fields["X-Connection"] == slow.head.fields["X-Connection"])
            #expect(isWhole(try await slow.stream.collect(upTo: .max), blocks: blocks))
        }
    }

    @Test("A hundred concurrent calls share one connection, and calls above the server's limit wait")
    func manyStreams() async throws {
        let origin = try ScriptServer([.readRequest, .pause(.seconds(1)), .respond("ok")])
        try await withServer(origin) { url in
            // The connection exists, so that no other call makes one.
            let first = try await transport.send(HTTPRequest(url: url), deadline: soon)
            for count in [100, 300] {
                let names = await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            try? await transport.send(HTTPRequest(url: url), deadline: soon).head.fields["X-Connection"]
                        }
                    }
                    return await group.reduce(into: [String]()) { $0 += $1.map { [$0] } ?? [] }
                }
                #expect(names.count == count)
                if count == 100 { #expect(Set(names) == [first.head.fields["X-Connection"] ?? ""]) }
            }
        }
    }

    @Test("A released stream and a cancelled call do not affect the other streams of a connection")
    func cancelled() async throws {
        let half = String(repeating: "x", count: 100_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n"
        let script: ScriptServer.Script = [
            .readRequest, .send(head + half), .pause(.milliseconds(500)), .send(half),
        ]
        // The cancelled call never gets its response, however long that takes.
        let responses = Array(repeating: script, count: 4)
        let origin = try ScriptServer(connections: responses + [[.readRequest, .readToEnd]])
        try await withServer(origin) { url in
            let request = HTTPRequest(url: url)
            var streams: [HTTPResponse] = []
            for _ in 0..<4 { streams.append(try await transport.stream(request, deadline: soon)) }
            let call = Task { try? await transport.send(request, deadline: soon) }
            await origin.wait { $0.requests.count == 5 }
            streams.removeFirst()
            call.cancel()
            #expect(await call.value == nil)
            #expect(Set(streams.map { $0.head.fields["X-Connection"] }).count == 1)
            for stream in streams {
                #expect(try await stream.stream.collect(upTo: .max).count == 200_000)
            }
        }
    }
}
#endif
