// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import RestURLSession
import Testing

@Suite("URLSessionTransport streams", .timeLimit(.minutes(1)))
struct StreamTests {
    let transport = URLSessionTransport()

    @Test("The header comes before the body, the pieces in order")
    func pieces() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .readToEnd,
        ])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        #expect(response.head.status == 200)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Array("abc".utf8))
        let rest = Task { try await iterator.next() }
        rest.cancel()
        let error = await #expect(throws: TransportError.self) { try await rest.value }
        #expect(error?.code == .cancelled)
        await server.wait { $0.connections[0].isClosedByPeer }
    }

    @Test("A whole body arrives byte for byte and ends with nil")
    func whole() async throws {
        let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * 64)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), .flood(block, count: 64)])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        let body = try await response.body.collect(upTo: .max)
        #expect(body.count == block.count * 64)
        #expect((0..<64).allSatisfy { Array(body[($0 * block.count)..<(($0 + 1) * block.count)]) == block })
    }

    #if canImport(FoundationNetworking)
    @Test("What a slow reader has not read is kept, in order, without making the server wait")
    func spooled() async throws {
        let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let blocks = 200
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * blocks)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), .flood(block, count: blocks), .readToEnd])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        var iterator = response.body.makeAsyncIterator()
        var body = try await iterator.next() ?? []
        await server.wait { $0.connections[0].sentBytes == head.utf8.count + block.count * blocks }
        while let piece = try await iterator.next() { body += piece }
        #expect(body.count == block.count * blocks)
        #expect((0..<blocks).allSatisfy { Array(body[($0 * block.count)..<(($0 + 1) * block.count)]) == block })
    }
    #else
    @Test("A reader that waits makes the server wait")
    func backPressure() async throws {
        let block = [UInt8](repeating: 0x61, count: 65_536)
        let blocks = 1_000
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * blocks)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), .flood(block, count: blocks), .readRequest])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .milliseconds(150))
        let sent = server.journal.connections[0].sentBytes
        #expect(sent < block.count * blocks / 2, "the server went on although nobody read")
        var count = 0
        while let piece = try await iterator.next() { count += piece.count }
        #expect(count > block.count * (blocks - 10))
        #expect(server.journal.connections[0].sentBytes == head.utf8.count + block.count * blocks)
    }
    #endif

    @Test("A body that breaks off is an error after the pieces")
    func breaksOff() async throws {
        let server = try ScriptServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 100) }
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test("Letting go of a stream closes its connection")
    func abandoned() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .readToEnd,
        ])
        do {
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            #expect(response.head.status == 200)
        }
        await server.wait { $0.connections[0].isClosedByPeer }
        #expect(server.journal.connections[0].isClosedByPeer)
    }

    @Test("The deadline covers the body")
    func deadline() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .readToEnd,
        ])
        let error = await #expect(throws: TransportError.self) {
            let deadline = ContinuousClock.now + .milliseconds(200)
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: deadline)
            _ = try await response.body.collect(upTo: 100)
        }
        #expect(error?.code == .timedOut)
    }

    @Test(
        "Answers without a body end at once",
        arguments: ["204 No Content\r\n\r\n", "200 OK\r\nContent-Length: 0\r\n\r\n"])
    func empty(answer: String) async throws {
        let server = try ScriptServer([.readRequest, .send("HTTP/1.1 " + answer)])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        #expect(try await response.body.collect(upTo: 0) == [])
    }
}
