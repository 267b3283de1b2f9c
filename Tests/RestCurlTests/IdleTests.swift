// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

/// Waiting for an answer is not idleness; it has its own time.
@Suite("CurlTransport and slow answers", .timeLimit(.minutes(1)))
struct IdleTests {
    let transport: CurlTransport

    init() {
        var configuration = CurlConfiguration()
        configuration.idleTimeout = .milliseconds(1_500)
        transport = CurlTransport(configuration: configuration)
    }

    @Test("The time for an idle body begins with the header", arguments: [false, true])
    func slowHead(isStream: Bool) async throws {
        let server = try ScriptServer([
            .readRequest, .pause(.milliseconds(2_000)), .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
            .pause(.milliseconds(50)), .send("ok"),
        ])
        let request = HTTPRequest(url: server.url())
        if isStream {
            let response = try await transport.stream(request, deadline: soon)
            #expect(try await response.body.collect(upTo: 9) == Array("ok".utf8))
        } else {
            #expect(text(try await transport.send(request, deadline: soon)) == "ok")
        }
    }

    @Test("An upload that stands still is idle")
    func stillUpload() async throws {
        let server = try ScriptServer([.readHeader, .pause(.seconds(8))])
        let body = HTTPBody.bytes(Array(repeating: 0x61, count: 50_000_000))
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(method: .post, url: server.url(), body: body), deadline: soon)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("idle") == true)
    }
}
