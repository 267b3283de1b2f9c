// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("CurlTransport sends bodies while they are produced", .timeLimit(.minutes(1)))
struct UploadTests {
    let transport = CurlTransport()

    @Test("A server that does not read pauses the source of the body", arguments: [nil, 200 * 1_048_576])
    func backPressure(length: Int64?) async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(8))])
        let calls = Mutex(0)
        let chunk = [UInt8](repeating: 0x61, count: 1_048_576)
        let source = HTTPBody.Source.once(length: length) {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            return call <= 200 ? chunk : nil
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
        // The operating system buffers a few MiB on each side of the connection.
        #expect(seen > 0 && seen < 60, "\(seen) MiB were made for a server that read none")
        task.cancel()
        _ = await task.value
    }

    @Test("A sequence is read at the server's speed")
    func sequenceBackPressure() async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(8))])
        let chunks = CountedChunks(count: 200, size: 1_048_576)
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(.once(chunks)))
        let transport = transport
        let task = Task { try? await transport.send(request, deadline: soon) }
        await server.wait { $0.connections.first?.received.isEmpty == false }
        var seen = -1
        while chunks.given != seen {
            seen = chunks.given
            try await Task.sleep(for: .milliseconds(250))
        }
        // The operating system buffers a few MiB on each side of the connection.
        #expect(seen > 0 && seen < 60, "\(seen) MiB were read for a server that read none")
        task.cancel()
        _ = await task.value
    }

    @Test("The chunks of a sequence arrive in order, with and without a length", arguments: [nil, 25])
    func sequence(length: Int64?) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let chunks = AsyncStream<[UInt8]> { stream in
            for number in 0..<5 { stream.yield(Array("part\(number)".utf8)) }
            stream.yield([])
            stream.finish()
        }
        let source = HTTPBody.Source.once(chunks, length: length)
        #expect(!source.isRestartable)
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        #expect(text(try await transport.send(request, deadline: soon)) == "ok")
        let body = try #require(server.journal.requests.first?.components(separatedBy: "\r\n\r\n")[1])
        let lines = body.components(separatedBy: "\r\n")  // without a length, alternately a chunk's size and the chunk
        let data = length == nil ? stride(from: 1, to: lines.count, by: 2).map { lines[$0] } : lines
        #expect(data.joined() == "part0part1part2part3part4")
        let again = await transport.error(for: request)
        expect(again, .invalidRequest, mayHaveReachedServer: false)
    }

    @Test("An error of a sequence is the error of the call, and the server does not get a complete body")
    func sequenceError() async throws {
        struct Torn: Error {}
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let chunks = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(Array("begin".utf8))
            stream.finish(throwing: Torn())
        }
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(.once(chunks)))
        let error = await transport.error(for: request)
        #expect(error?.code == .bodySource)
        #expect(error?.underlying is Torn)
        await server.wait { $0.connections.first?.isOver ?? true }
        #expect(server.journal.requests.isEmpty)
    }

    @Test("A cancelled call ends the sequence that it waits for")
    func sequenceCancelled() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let ended = Gate()
        let (chunks, stream) = AsyncStream.makeStream(of: [UInt8].self)
        stream.onTermination = { _ in ended.open() }
        stream.yield(Array("begin".utf8))
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(.once(chunks)))
        let transport = transport
        let task = Task { try await transport.send(request, deadline: soon) }
        await server.wait { $0.connections.first?.received.suffix(7) == Array("begin\r\n".utf8) }
        task.cancel()
        await ended.pass()
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(server.journal.requests.isEmpty)
    }

    @Test("The body of a response can be the body of the next request")
    func relay() async throws {
        let bytes = (0..<3_000_000).map { UInt8(ascii: "0") + UInt8($0 % 71) }
        let from = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"), .sendBytes(bytes),
        ])
        let to = try ScriptServer([.readRequest, .respond("ok")])
        let download = try await transport.stream(HTTPRequest(url: from.url()), deadline: soon)
        let upload = HTTPRequest(
            method: .post, url: to.url(), body: .stream(.once(download.stream, length: 3_000_000)))
        #expect(text(try await transport.send(upload, deadline: soon)) == "ok")
        #expect(to.journal.requests.first?.utf8.suffix(bytes.count).elementsEqual(bytes) == true)
    }

    @Test("The response head may arrive before the end of the body, which is still sent", arguments: [nil, 1_100_000])
    func earlyResponse(length: Int64?) async throws {
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
        _ = response.stream
    }

    @Test("A cancelled upload without a length never looks complete")
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

    @Test("A pipe is rejected as a file to upload, without waiting for its writer")
    func pipe() async throws {
        let path = NSTemporaryDirectory() + "rest-pipe-\(UUID().uuidString)"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: path))
        let error = await transport.error(for: request)
        expect(error, .file, mayHaveReachedServer: false)
        let other = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        #expect(text(other) == "ok")
    }
}

/// Chunks that are counted when they are read, from an iterator that is not `Sendable`.
private struct CountedChunks: AsyncSequence, Sendable {
    private final class Count: Sendable {
        let given = Mutex(0)
    }

    final class Iterator: AsyncIteratorProtocol {
        private let chunks: CountedChunks
        private var left: Int

        fileprivate init(_ chunks: CountedChunks) {
            (self.chunks, left) = (chunks, chunks.total)
        }

        func next() async -> [UInt8]? {
            guard left > 0 else { return nil }
            left -= 1
            chunks.count.given.withLock { $0 += 1 }
            return chunks.chunk
        }
    }

    private let total: Int
    private let chunk: [UInt8]
    private let count = Count()

    init(count: Int, size: Int) {
        (total, chunk) = (count, [UInt8](repeating: 0x61, count: size))
    }

    var given: Int { count.given.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}

@Suite("CurlTransport sends and receives", .timeLimit(.minutes(1)))
struct SendTests {
    let transport = CurlTransport()

    @Test("A GET request arrives as written, and its response arrives completely")
    func get() async throws {
        let server = try ScriptServer([.readRequest, .respond(fields: [("X-One", "1"), ("x-one", "2")], "hello")])
        var request = HTTPRequest(url: server.url("/a/b?q=x%20y"))
        request.fields = ["Authorization": "Bearer token", "X-Empty": "", "X-Blank": " \t "]
        let response = try await transport.send(request, deadline: soon)
        #expect(response.head.status == 200)
        #expect(text(response) == "hello")
        #expect(response.head.fields.values(of: "X-ONE") == ["1", "2"])
        let journal = await server.stop()
        let sent = try #require(journal.requests.first)
        let lines = sent.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /a/b?q=x%20y HTTP/1.1")
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(lines.contains("Authorization: Bearer token"))
        #expect(lines.contains("X-Empty:"))
        #expect(lines.contains("X-Blank:"))
        #expect(lines.contains { $0.hasPrefix("Accept-Encoding: ") && $0.contains("gzip") })
        #expect(lines.count == 6, "nothing else is added: \(lines)")
    }

    @Test(
        "Every method keeps its name and its body",
        arguments: [
            ("POST", "x=1"), ("PATCH", "{}"), ("PUT", "body"), ("DELETE", ""), ("DELETE", "why"), ("POST", ""),
            ("PATCH", ""),
            ("OPTIONS", ""), ("GET", "unusual"),
        ])
    func methods(name: String, body: String) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let content: HTTPBody = body.isEmpty ? .empty : .bytes(Array(body.utf8))
        let request = HTTPRequest(method: HTTPMethod(rawValue: name), url: server.url(), body: content)
        _ = try await transport.send(request, deadline: soon)
        let sent = try #require(await server.stop().requests.first)
        #expect(sent.hasPrefix("\(name) / HTTP/1.1\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n\(body)"))
        #expect(!sent.contains("Content-Type"))
        #expect(!sent.contains("Expect"))
        let needsLength = !body.isEmpty || ["POST", "PUT", "PATCH"].contains(name)
        #expect(sent.contains("Content-Length: \(body.utf8.count)\r\n") == needsLength)
    }

    @Test("Bodies of any size arrive unchanged", arguments: [1, 65_535, 65_536, 65_537, 3_000_000])
    func bodies(size: Int) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let body = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 23) }
        let request = HTTPRequest(method: .post, url: server.url(), body: .bytes(body))
        _ = try await transport.send(request, deadline: soon)
        let sent = try #require(await server.stop().requests.first)
        #expect(sent.utf8.count > size)
        #expect(sent.utf8.suffix(size).elementsEqual(body))
    }

    @Test("A handle that has sent a body does not send it with the next request")
    func bodyDoesNotStick() async throws {
        let turn: ScriptServer.Script = [.readRequest, .respond("ok")]
        let server = try ScriptServer(turn + turn + turn)
        let post = HTTPRequest(method: .post, url: server.url(), fields: ["X-A": "1"], body: .bytes([0x61]))
        _ = try await transport.send(post, deadline: soon)
        _ = try await transport.send(HTTPRequest(url: server.url("/plain")), deadline: soon)
        _ = try await transport.send(HTTPRequest(method: .head, url: server.url("/head")), deadline: soon)
        let requests = await server.stop().requests
        #expect(requests.count == 3)
        #expect(requests[1].hasPrefix("GET /plain ") && !requests[1].contains("X-A") && !requests[1].contains("Length"))
        #expect(requests[2].hasPrefix("HEAD /head "))
    }

    @Test("Consecutive requests share a connection")
    func reuse() async throws {
        let turns = Array(repeating: [ScriptServer.Step.readRequest, .respond("ok")], count: 5).flatMap { $0 }
        let server = try ScriptServer(turns)
        for _ in 0..<5 {
            _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        }
        let journal = await server.stop()
        #expect(journal.connections.count == 1)
        #expect(journal.requests.count == 5)
    }

    @Test("A transport that has never sent a request shuts down immediately")
    func shutdownUnused() async {
        await transport.shutdown()
    }
}
