// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestCurl

/// Uses separate processes, because the environment belongs to the whole process.
@Suite("CurlTransport and the proxies of the environment", .timeLimit(.minutes(1)))
struct ProxyTests {
    @Test("The environment's proxy is used with its password, except for the excluded hosts")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let proxy = try RefusingProxy(user: "user:secret")
            unsafe setenv("https_proxy", "http://user:secret@127.0.0.1:\(proxy.port)", 1)
            unsafe setenv("no_proxy", "direct.invalid", 1)
            let through = await sendAway(to: "somewhere.invalid")
            try #require(through?.code != .hostNotFound)
            try #require(through?.mayHaveReachedServer == false)
            let direct = await sendAway(to: "direct.invalid")
            try #require(direct?.code == .hostNotFound)
            let seen = await proxy.seen()
            try #require(seen.hasPrefix("CONNECT somewhere.invalid:443 HTTP/1.1\r\n"))
            try #require(seen.contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"))
            try #require(!seen.contains("direct.invalid") && !seen.contains("Bearer"))
        }
    }

    @Test("If a proxy needs a password that is missing, nothing was sent and the proxy does not get the token")
    func passwordMissing() async {
        await #expect(processExitsWith: .success) {
            let proxy = try RefusingProxy(user: nil)
            unsafe setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let error = await sendAway(to: "somewhere.invalid")
            try #require(error?.mayHaveReachedServer == false)
            try #require(error?.message.contains("407") == true)
            let seen = await proxy.seen()
            try #require(seen.hasPrefix("CONNECT somewhere.invalid:443 HTTP/1.1\r\n"))
            try #require(!seen.contains("Bearer") && !seen.contains("Proxy-Authorization"))
        }
    }

    @Test("A host that is excluded with a port is excluded only for that port")
    func exceptedPort() async {
        await #expect(processExitsWith: .success) {
            let proxy = try RefusingProxy(user: "user:secret")
            unsafe setenv("https_proxy", "http://user:secret@127.0.0.1:\(proxy.port)", 1)
            unsafe setenv("no_proxy", "direct.invalid:443,somewhere.invalid:8443", 1)
            try #require(await sendAway(to: "direct.invalid")?.code == .hostNotFound)
            try #require(await sendAway(to: "somewhere.invalid")?.code != .hostNotFound)
            try #require(await proxy.seen().hasPrefix("CONNECT somewhere.invalid:443 HTTP/1.1\r\n"))
        }
    }

    @Test("A proxy that rejects its login, or requires one, has a specific error code")
    func refusedLogin() async throws {
        for login in [nil, ProxyLogin(user: "user", password: "wrong")] {
            let proxy = try RefusingProxy(user: nil)
            let url = HTTPURL(origin: Origin(scheme: .http, host: "127.0.0.1", port: proxy.port), path: "/")
            let error = await sendAway(to: "somewhere.invalid", proxy: .server(url, login: login))
            expect(error, .proxyUnauthorized, mayHaveReachedServer: false)
            #expect(error?.message.contains("wrong") == false)
            #expect(await proxy.seen().components(separatedBy: "CONNECT ").count == 2, "it is asked once")
        }
    }

    @Test("Loopback is reached directly with any environment, and so is every host when proxies are off")
    func never() async {
        await #expect(processExitsWith: .success) {
            let proxy = try RefusingProxy(user: nil)
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] {
                unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
            }
            let server = try ScriptServer([.readRequest, .respond("direct")])
            let transport = CurlTransport()
            let response = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            try #require(text(response) == "direct")
            let off = await sendAway(to: "somewhere.invalid", proxy: CurlConfiguration.Proxy.none)
            try #require(off?.code == .hostNotFound)
            try #require(await proxy.seen().isEmpty)
        }
    }
}

/// A proxy that answers every request with 407, or with 403 if the request has a password.
private struct RefusingProxy {
    private let server: ScriptServer

    init(user: String?) throws {
        let status = user == nil ? "407 Who" : "403 No"
        let challenge = user == nil ? "Proxy-Authenticate: Basic realm=\"p\"\r\n" : ""
        server = try ScriptServer([.readHeader, .send("HTTP/1.1 \(status)\r\n\(challenge)Content-Length: 0\r\n\r\n")])
    }

    var port: Int { server.port }

    func seen() async -> String {
        String(decoding: await server.stop().connections.flatMap(\.received), as: UTF8.self)
    }
}

/// Sends a write with a token to a host that is not this machine, and returns the error.
private func sendAway(to host: String, proxy: CurlConfiguration.Proxy = .environment) async -> TransportError? {
    var configuration = CurlConfiguration()
    configuration.proxy = proxy
    let transport = CurlTransport(configuration: configuration)
    let request = HTTPRequest(
        method: .post, url: HTTPURL(origin: Origin(scheme: .https, host: host), path: "/"),
        fields: ["Authorization": "Bearer token"], body: .bytes([1]))
    let error = await transport.error(for: request)
    await transport.shutdown()
    return error
}

@Suite("Hosts without a proxy")
struct ProxyExceptionsTests {
    @Test(
        "An entry with a port applies only to that port",
        arguments: [
            ("a.invalid:443", "a.invalid"), ("a.invalid:444", ""), ("a.invalid", "a.invalid"), ("*", "*"),
            ("a.invalid:444,b.invalid", "b.invalid"), (" a.invalid:443 , .b.invalid:443,", "a.invalid,.b.invalid"),
            ("[::2]:443", "[::2]"), ("[::2]:444", ""), ("::2", "::2"), ("fe80::443", "fe80::443"),
            ("a.invalid:x", "a.invalid:x"),
            ("a.invalid:99999", "a.invalid:99999"), ("10.0.0.0/8", "10.0.0.0/8"), ("", ""),
        ])
    func list(entries: String, expected: String) {
        let origin = Origin(scheme: .https, host: "a.invalid")
        #expect(ProxyExceptions([entries]).list(for: origin) == expected)
    }
}

#if canImport(Glibc) || canImport(Musl)
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Tests calls through a proxy, and to a proxy over TLS.
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
        CurlTransport(trusting: authority) {
            $0.proxy = .server(proxy, login: login)
            change(&$0)
        }
    }

    private func error(of transport: CurlTransport) async -> TransportError? {
        await transport.error(for: request)
    }

    private func server(for host: String) async throws -> TLSServer {
        var wishes = TestAuthority.Wishes()
        wishes.host = "DNS:\(host)"
        return try await TLSServer.start(authority.identity(wishes))
    }

    /// Returns a proxy whose tunnels all lead to one server.
    private func proxy(to server: TLSServer) throws -> ScriptServer {
        try ScriptServer([
            .readHeader, .send("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(toPort: server.url.origin.port),
        ])
    }

    @Test("A call works through a proxy with a password, and the proxy cannot read the call")
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

    @Test("A configuration is printed without the proxy's password")
    func redaction() throws {
        let url = try HTTPURL(parsing: "https://proxy.invalid:3128/")
        var configuration = CurlConfiguration()
        configuration.proxy = .server(url, login: ProxyLogin(user: "robot", password: "se:cret"))
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(text.contains("robot") && !text.contains("se:cret"))
    }

    @Test("The certificate at the end of a tunnel must be the server's")
    func otherServer() async throws {
        let server = try await server(for: "elsewhere.invalid")
        let proxy = try proxy(to: server)
        let error = await error(of: transport(proxy.url()))
        expect(error, .tls, mayHaveReachedServer: false)
        await server.stop()
    }

    @Test("A proxy's URL without a port means the default port of its scheme, not libcurl's 1080")
    func defaultPort() async throws {
        let proxies = try ["http://127.0.0.1/", "https://127.0.0.1/"].map { try HTTPURL(parsing: $0) }
        #expect(proxies.map(\.origin.descriptionWithPort) == ["http://127.0.0.1:80", "https://127.0.0.1:443"])
        let error = await error(of: transport(proxies[0]))
        #expect(error?.message.contains("1080") == false, "\(error as Any)")
    }

    @Test("A proxy over TLS is trusted and gets the password as configured")
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

    @Test("A proxy over TLS must have a trusted certificate and at least the minimum TLS version")
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
