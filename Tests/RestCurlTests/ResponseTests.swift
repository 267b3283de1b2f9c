// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport reads what HTTP allows", .timeLimit(.minutes(1)))
struct ResponseTests {
    let transport = CurlTransport()

    private func response(
        _ steps: ScriptServer.Step...
    ) async throws -> HTTPResponse {
        let server = try ScriptServer([.readRequest] + steps)
        return try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
    }

    @Test("Trailers and interim fields never join the header")
    func trailersStayOut() async throws {
        let wire =
            "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n0\r\nAuthorization: evil\r\n\r\n"
        let fields = try await response(.send(wire)).head.fields
        #expect(fields.map(\.name) == ["Transfer-Encoding"])
    }

    @Test("Interim answers without end are refused like one long header")
    func endlessInterim() async {
        let hint = "HTTP/1.1 103 Hints\r\nLink: \(String(repeating: "x", count: 1000))\r\n\r\n"
        let flood = String(repeating: hint, count: 100)
        let error = await #expect(throws: TransportError.self) { try await response(.send(flood)) }
        #expect(error?.code == .tooLarge)
    }

    @Test("Bytes outside UTF-8 in a field come through as ISO 8859-1")
    func headerBytes() async throws {
        let wire =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\nY: é\r\n\r\n".utf8)
        let fields = try await response(.sendBytes(wire)).head.fields
        #expect(fields["X"] == "café")
        #expect(fields["Y"] == "é")
    }

    @Test("A chunked body that is cut is an error, also where an announced length is reached")
    func cutChunks() async {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
        let error = await #expect(throws: TransportError.self) { try await response(.send(head + "3\r\nabc\r\n")) }
        #expect(error?.code == .connectionLost || error?.code == .invalidResponse)
    }

    @Test("A stream keeps its transport at work when nobody else holds it")
    func orphanedStream() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head + "abc"), .pause(.milliseconds(100)), .send("def")])
        let request = HTTPRequest(url: server.url())
        let body = try await CurlTransport().stream(request, deadline: soon).body
        #expect(try await body.collect(upTo: 9) == Array("abcdef".utf8))
    }
}
