// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport reads what HTTP allows", .timeLimit(.minutes(1)))
struct ResponseTests {
    let transport = CurlTransport()

    private func response(
        to method: HTTPMethod = .get, _ steps: ScriptServer.Step..., configuration: CurlConfiguration? = nil
    ) async throws -> HTTPResponse {
        let server = try ScriptServer([.readRequest] + steps)
        let request = HTTPRequest(method: method, url: server.url())
        let transport = configuration.map(CurlTransport.init) ?? transport
        let response = try await transport.send(request, deadline: soon)
        #expect(await server.stop().requests.count == 1)
        return response
    }

    @Test(
        "Legal answers are read",
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nX-T: 1\r\n\r\n",
                200, "hello"
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n", 200, ""),
            ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
            ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok"),
            (
                "HTTP/1.1 100 Continue\r\n\r\n"
                    + "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
                200, "x"
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304, ""),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
            ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
            ("HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops", 500, "oops"),
            ("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", 302, ""),
            ("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno", 401, "no"),
            (
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\nContent-Length: 2\r\n\r\nno",
                401, "no"
            ),
            ("HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 2\r\n\r\nno", 401, "no"),
            ("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 2\r\n\r\nno", 401, "no"),
            ("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno", 407, "no"),
        ])
    func legal(wire: String, status: Int, body: String) async throws {
        let response = try await response(.send(wire))
        #expect(response.head.status == status)
        #expect(text(response) == body)
    }

    @Test("An answer to HEAD has its fields and no body")
    func head() async throws {
        let response = try await response(to: .head, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"))
        #expect(response.head.fields["content-length"] == "1000")
        #expect(response.body.isEmpty)
    }

    @Test("Trailers and interim fields never join the header")
    func trailersStayOut() async throws {
        let wire =
            "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n0\r\nAuthorization: evil\r\n\r\n"
        let fields = try await response(.send(wire)).head.fields
        #expect(fields.map(\.name) == ["Transfer-Encoding"])
    }

    @Test("Bytes outside UTF-8 in a field come through as ISO 8859-1")
    func headerBytes() async throws {
        let wire =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\nY: é\r\n\r\n".utf8)
        let fields = try await response(.sendBytes(wire)).head.fields
        #expect(fields["X"] == "café")
        #expect(fields["Y"] == "é")
    }

    @Test("A body over the limit is refused, announced or not")
    func bodyLimit() async throws {
        var configuration = CurlConfiguration()
        configuration.maximumBodyBytes = 10
        #expect(text(try await response(.respond("0123456789"), configuration: configuration)).count == 10)
        for wire in [
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n0123456789a", "HTTP/1.1 200 OK\r\n\r\n0123456789a",
        ] {
            let error = await failure { () async throws(TransportError) in
                let server = try? ScriptServer([.readRequest, .send(wire)])
                guard let server else { throw TransportError(.other, "no server", mayHaveReachedServer: false) }
                return try await CurlTransport(configuration: configuration).send(
                    HTTPRequest(url: server.url()), deadline: soon)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("A header over the limit is refused", arguments: [(1, 1_000_000), (10_000, 8)])
    func headerLimit(count: Int, size: Int) async throws {
        let line = "X: " + String(repeating: "a", count: size) + "\r\n"
        let wire = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: count) + "\r\n"
        let server = try ScriptServer([.readRequest, .send(wire)])
        let url = server.url()
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(url: url), deadline: soon)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("Bytes behind an answer never answer the next request")
    func leftovers() async throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
        let server = try ScriptServer(connections: [
            [.readRequest, .send(first), .send(evil), .readRequest], [.readRequest, .respond("second")],
        ])
        _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        await server.wait { $0.connections[0].sentBytes == first.utf8.count + evil.utf8.count }
        let second = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        #expect(text(second) == "second")
    }

    @Test("No cookie comes back to the server")
    func cookies() async throws {
        let answer = ScriptServer.Step.respond(fields: [("Set-Cookie", "sid=1")], "ok")
        let server = try ScriptServer([.readRequest, answer, .readRequest, answer])
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon) }
        #expect(await server.stop().requests.allSatisfy { !$0.lowercased().contains("cookie") })
    }
}
