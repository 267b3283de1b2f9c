// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport sends and receives", .timeLimit(.minutes(1)))
struct SendTests {
    let transport = CurlTransport()

    @Test("A GET arrives as written and its answer comes back whole")
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

    @Test("A handle that sent a body sends none the next time")
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

    @Test("Requests one after the other share a connection")
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

    @Test("A transport that never sent shuts down at once")
    func shutdownUnused() async {
        await transport.shutdown()
    }
}
