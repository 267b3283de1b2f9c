// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Calls that get through a proxy, and to one by TLS.
@Suite("CurlTransport and tunnels", .timeLimit(.minutes(1)))
struct TunnelTests {
    private let authority: TestAuthority
    private let host = "somewhere.invalid"
    private let request: HTTPRequest

    init() async throws {
        authority = try await TestAuthority.make()
        request = HTTPRequest(
            url: HTTPURL(origin: Origin(scheme: .https, host: host), path: "/secret"),
            fields: ["Authorization": "Bearer token"])
    }

    private func transport(
        _ proxy: HTTPURL, login: ProxyLogin? = nil,
        _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.proxy = .server(proxy, login: login)
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    /// Sends a request with a token that must fail.
    private func error(of transport: CurlTransport) async -> TransportError? {
        await failure { () async throws(TransportError) in try await transport.send(request, deadline: soon) }
    }

    private func server(for host: String) async throws -> TLSServer {
        var wishes = TestAuthority.Wishes()
        wishes.host = "DNS:\(host)"
        return try await TLSServer.start(authority.identity(wishes))
    }

    /// A proxy that makes every tunnel lead to one server.
    private func proxy(to server: TLSServer) throws -> ScriptServer {
        try ScriptServer([
            .readHeader, .send("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(toPort: server.url.origin.port),
        ])
    }

    @Test("A call gets through a proxy that is shown a password, and the proxy sees nothing of it")
    func tunnel() async throws {
        let server = try await server(for: host)
        let proxy = try proxy(to: server)
        let transport = transport(proxy.url(), login: .init(user: "user", password: "se:cret"))
        #expect(try await transport.send(request, deadline: soon).head.status == 200)
        await transport.shutdown()
        let seen = String(decoding: await proxy.stop().connections.flatMap(\.received), as: UTF8.self)
        #expect(seen.hasPrefix("CONNECT somewhere.invalid:443 HTTP/1.1\r\n"))
        #expect(seen.contains("Proxy-Authorization: Basic dXNlcjpzZTpjcmV0\r\n"))
        #expect(!seen.contains("Bearer") && !seen.contains("/secret"))
        await server.stop()
    }

    @Test("A configuration prints without the proxy's password")
    func redaction() throws {
        let url = try HTTPURL(parsing: "https://proxy.invalid:3128/")
        var configuration = CurlConfiguration()
        configuration.proxy = .server(url, login: ProxyLogin(user: "robot", password: "se:cret"))
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(text.contains("robot") && !text.contains("se:cret"))
    }

    @Test("The certificate behind a tunnel must be the server's")
    func otherServer() async throws {
        let server = try await server(for: "elsewhere.invalid")
        let proxy = try proxy(to: server)
        let error = await error(of: transport(proxy.url()))
        #expect(error?.code == .tls)
        #expect(error?.mayHaveReachedServer == false)
        await server.stop()
    }

    @Test("A proxy's URL without a port means the port of its scheme, which libcurl would take for 1080")
    func defaultPort() async throws {
        let proxies = try ["http://127.0.0.1/", "https://127.0.0.1/"].map { try HTTPURL(parsing: $0) }
        #expect(proxies.map(\.origin.descriptionWithPort) == ["http://127.0.0.1:80", "https://127.0.0.1:443"])
        let error = await error(of: transport(proxies[0]))
        #expect(error?.message.contains("1080") == false, "\(error as Any)")
    }

    @Test("A proxy reached by TLS is trusted and shown a password as configured")
    func proxyOverTLS() async throws {
        let proxy = try await TLSServer.start(authority.identity(), isScripted: true)
        let transport = transport(proxy.url, login: .init(user: "user", password: "secret"))
        async let error = error(of: transport)
        let header = try await proxy.request("CONNECT somewhere.invalid:443 HTTP/1.1")
        #expect(header.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n") && !header.contains("Bearer"))
        try await proxy.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        #expect(await error?.code == .notConnected)
        #expect(await error?.message.contains("403") == true)
        await proxy.stop()
    }

    @Test("A proxy reached by TLS must have a trusted certificate and the oldest TLS version allowed")
    func proxyWithoutTrust() async throws {
        let proxy = try await TLSServer.start(authority.identity(), options: ["-tls1_2"])
        let strangers = try await TestAuthority.make()
        for transport in [
            transport(proxy.url) { $0.tls.authoritiesFile = nil },
            transport(proxy.url) { $0.tls.authoritiesFile = strangers.certificateFile },
            transport(proxy.url) { $0.tls.minimumVersion = .tls13 },
        ] {
            let error = await error(of: transport)
            #expect(error?.code == .tls, "\(error as Any)")
            #expect(error?.mayHaveReachedServer == false)
        }
        await proxy.stop()
    }
}
#endif
