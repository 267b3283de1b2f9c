// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport and HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private func transport(_ authority: TestAuthority) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.collectsMetrics = true
        return CurlTransport(configuration: configuration)
    }

    @Test("TLS negotiates HTTP/2, and requests at a time share a connection")
    func shared() async throws {
        let authority = try await TestAuthority.make()
        let origin = try ScriptServer([.readRequest, .pause(.seconds(3)), .respond("ok")])
        let server = try await FrontServer.start(authority.identity(), originPort: origin.port)
        let transport = transport(authority)
        let request = HTTPRequest(method: .post, url: server.url, body: .bytes([1, 2, 3]))
        async let first = transport.send(request, deadline: soon)
        async let second = transport.send(request, deadline: soon)
        let journal = await origin.wait { $0.requests.count == 2 }
        #expect(journal.connections.allSatisfy { $0.sentBytes == 0 }, "the second waited for the answer to the first")
        let responses = try await [first, second]
        #expect(responses.map(\.head.status) == [200, 200])
        #expect(responses.map(\.metrics?.protocolName) == ["HTTP/2", "HTTP/2"])
        let names = responses.compactMap { $0.head.fields["X-Connection"] }
        #expect(names.count == 2 && Set(names).count == 1, "connections: \(names)")
        await transport.shutdown()
        await server.stop()
    }

    @Test("A request that is cancelled ends its stream and not the connection of the others")
    func cancelled() async throws {
        let authority = try await TestAuthority.make()
        let origin = try ScriptServer(connections: [
            [.readRequest, .respond("ok")], [.readRequest, .readToEnd], [.readRequest, .respond("ok")],
        ])
        let server = try await FrontServer.start(authority.identity(), originPort: origin.port)
        let transport = transport(authority)
        let request = HTTPRequest(url: server.url)
        let first = try await transport.send(request, deadline: soon)
        let task = Task {
            await failure { () async throws(TransportError) in try await transport.send(request, deadline: soon) }
        }
        await origin.wait { $0.requests.count == 2 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        let last = try await transport.send(request, deadline: soon)
        #expect(last.head.fields["X-Connection"] == first.head.fields["X-Connection"])
        #expect(last.metrics?.isConnectionReused == true)
        await transport.shutdown()
        await server.stop()
    }
}
#endif
