// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import RestTesting
import RestTransport
import RestURLSession
import Testing

@Suite("Streams of URLSessionTransport without task suspension", .timeLimit(.minutes(5)))
struct StreamTests {
    let transport = URLSessionTransport()

    @Test("Bytes that a slow reader has not read are stored in order, without making the server wait")
    func spooled() async throws {
        let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let blocks = 200
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * blocks)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), .flood(block, count: blocks), .readToEnd])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        var iterator = response.stream.makeAsyncIterator()
        var body = try await iterator.next() ?? []
        await server.wait { $0.connections[0].sentBytes == head.utf8.count + block.count * blocks }
        while let chunk = try await iterator.next() { body += chunk }
        #expect(body.count == block.count * blocks)
        #expect((0..<blocks).allSatisfy { Array(body[($0 * block.count)..<(($0 + 1) * block.count)]) == block })
    }

    @Test("A streamed body is collected before it is sent, so that its length is always announced")
    func announced() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let chunks = AsyncStream { continuation in
            for _ in 0..<3 { continuation.yield([UInt8](repeating: 0x61, count: 100)) }
            continuation.finish()
        }
        let source = HTTPBody.Source.once { await chunks.first { _ in true } }
        _ = try await transport.send(
            HTTPRequest(method: .post, url: server.url(), body: .stream(source)), deadline: soon)
        #expect(await server.stop().requests.first?.contains("Content-Length: 300\r\n") == true)
    }
}
#endif
