// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Connections by TLS on which the test itself says the server's part.
@Suite("CurlTransport on a TLS connection", .timeLimit(.minutes(1)))
struct ConversationTests {
    private let server: TLSServer
    private let transport: CurlTransport
    // Its files go with it.
    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority.make()
        server = try await TLSServer.start(authority.identity(), isScripted: true)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.collectsMetrics = true
        transport = CurlTransport(configuration: configuration)
    }

    /// Asks for a path while the server answers with a text.
    private func exchange(_ path: String, answer: String) async throws -> HTTPResponse {
        let url = HTTPURL(origin: server.url.origin, path: path)
        async let response = transport.send(HTTPRequest(url: url), deadline: soon)
        try await server.request("GET \(path) HTTP/1.1")
        try await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
        return try await response
    }

    @Test("Metrics count connecting and TLS once, and nothing of it on a connection used before")
    func metrics() async throws {
        let first = try #require(try await exchange("/1", answer: "first").metrics)
        #expect(first.connect > .zero)
        #expect(first.tls > first.connect)
        #expect(first.firstByte > first.tls)
        #expect(first.total >= first.firstByte)
        #expect(!first.isConnectionReused)
        let second = try #require(try await exchange("/2", answer: "second").metrics)
        #expect(second.isConnectionReused)
        #expect(second.connect == .zero)
        #expect(second.tls == .zero)
        #expect(second.firstByte > .zero)
        #expect(second.protocolName == "HTTP/1.1")
        await transport.shutdown()
        await server.stop()
    }

    @Test("Bytes that wait on an idle connection are never taken for the next answer")
    func leftovers() async throws {
        #expect(text(try await exchange("/1", answer: "first")) == "first")
        let socket = try #require(ClientSocket(peerPort: server.url.origin.port))
        try await server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        #expect(socket.waitForInput())
        let second = try await exchange("/2", answer: "second")
        #expect(text(second) == "second")
        #expect(second.metrics?.isConnectionReused == false)
        await transport.shutdown()
        await server.stop()
    }
}
#endif
