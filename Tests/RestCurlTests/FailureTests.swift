// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

/// What `TransportConformance` leaves open because other transports do not tell.
@Suite("CurlTransport fails honestly", .timeLimit(.minutes(1)))
struct FailureTests {
    let transport = CurlTransport()

    /// Sends a request that must fail and gives its error.
    private func failing(_ request: HTTPRequest, within limit: Duration = .seconds(8)) async -> TransportError? {
        await failure { () async throws(TransportError) in
            try await transport.send(request, deadline: .now + limit)
        }
    }

    @Test("A header line that goes on in the next line is refused (RFC 9112 §5.2)")
    func foldedHeader() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n"),
        ])
        let error = await failing(HTTPRequest(url: server.url()))
        #expect(error?.code == .invalidResponse)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test("A call that ends while it connects proves that nothing was sent")
    func connecting() async throws {
        let port = try SilentPort()
        let late = await failing(HTTPRequest(method: .post, url: port.url), within: .milliseconds(150))
        #expect(late?.code == .timedOut)
        #expect(late?.mayHaveReachedServer == false)
        let task = Task { await failing(HTTPRequest(method: .post, url: port.url)) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.mayHaveReachedServer == false)
    }
}
