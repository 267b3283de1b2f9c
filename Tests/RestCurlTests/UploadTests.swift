// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("CurlTransport sends bodies while they are made", .timeLimit(.minutes(1)))
struct UploadTests {
    let transport = CurlTransport()

    @Test("A server that does not read makes the maker of the body wait", arguments: [nil, 200 * 1_048_576])
    func backPressure(length: Int64?) async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(8))])
        let calls = Mutex(0)
        let piece = [UInt8](repeating: 0x61, count: 1_048_576)
        let source = HTTPBody.Source.once(length: length) {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            return call <= 200 ? piece : nil
        }
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        let transport = transport
        let task = Task { try? await transport.send(request, deadline: soon) }
        await server.wait { $0.connections.first?.received.isEmpty == false }
        var seen = -1
        while calls.withLock({ $0 }) != seen {
            seen = calls.withLock { $0 }
            try await Task.sleep(for: .milliseconds(250))
        }
        // The system buffers a few MiB on either side of the connection.
        #expect(seen > 0 && seen < 60, "\(seen) MiB were made for a server that read none")
        task.cancel()
        _ = await task.value
    }

    @Test("The answer's header may come before the body's end, which is still sent", arguments: [nil, 1_100_000])
    func earlyAnswer(length: Int64?) async throws {
        let server = try ScriptServer([
            .readHeader, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .readToEnd,
        ])
        let gate = Gate()
        let calls = Mutex(0)
        let source = HTTPBody.Source.once(length: length) {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if call == 2 { await gate.pass() }
            return call <= 11 ? Array(repeating: UInt8(ascii: "x"), count: 100_000) : nil
        }
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        let response = try await transport.stream(request, deadline: soon)
        #expect(response.head.status == 200)
        gate.open()
        await server.wait { $0.connections[0].received.count { $0 == UInt8(ascii: "x") } == 1_100_000 }
        if length == nil { await server.wait { $0.connections[0].received.suffix(5) == Array("0\r\n\r\n".utf8) } }
        #expect(!server.journal.connections[0].isClosedByPeer)
        _ = response.body
    }

    @Test("A cancelled upload without a length never looks like a whole one")
    func cancelledIsNotWhole() async throws {
        for _ in 0..<20 {
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let source = HTTPBody.Source.once { Array(repeating: 0x61, count: 10_000) }
            let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
            let transport = transport
            let task = Task { try? await transport.send(request, deadline: soon) }
            await server.wait { ($0.connections.first?.received.count ?? 0) > 100_000 }
            task.cancel()
            #expect(await task.value == nil)
            await server.wait { $0.connections[0].isOver }
            #expect(server.journal.requests.isEmpty)
        }
    }

    @Test("A pipe is no file to upload, and nobody waits for its writer")
    func pipe() async throws {
        let path = NSTemporaryDirectory() + "rest-pipe-\(UUID().uuidString)"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: path))
        let error = await failure { () async throws(TransportError) in
            try await transport.send(request, deadline: soon)
        }
        #expect(error?.code == .file)
        #expect(error?.mayHaveReachedServer == false)
        let other = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        #expect(text(other) == "ok")
    }
}
