// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

/// The environment belongs to the whole process, so that these run in processes of their own.
@Suite("CurlTransport and the proxies of the environment", .timeLimit(.minutes(1)))
struct ProxyTests {
    @Test("The environment's proxy is used, with its password, except for the hosts it excepts")
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

    @Test("A proxy that wants a password it does not get proves that nothing was sent, and does not learn the token")
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

    @Test("An excepted host with a port is excepted at that port alone")
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

    @Test("A proxy that refuses its login, or asks for one, says so in a code of its own")
    func refusedLogin() async throws {
        for login in [nil, ProxyLogin(user: "user", password: "wrong")] {
            let proxy = try RefusingProxy(user: nil)
            let url = HTTPURL(origin: Origin(scheme: .http, host: "127.0.0.1", port: proxy.port), path: "/")
            let error = await sendAway(to: "somewhere.invalid", proxy: .server(url, login: login))
            #expect(error?.code == .proxyUnauthorized)
            #expect(error?.mayHaveReachedServer == false)
            #expect(error?.message.contains("wrong") == false)
            #expect(await proxy.seen().components(separatedBy: "CONNECT ").count == 2, "it is asked once")
        }
    }

    @Test("Loopback is reached directly, whatever the environment says, and so is everything when proxies are off")
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

/// A proxy that answers every request with 407, or with 403 to those who show a password.
private struct RefusingProxy {
    private let server: ScriptServer

    init(user: String?) throws {
        let status = user == nil ? "407 Who" : "403 No"
        let challenge = user == nil ? "Proxy-Authenticate: Basic realm=\"p\"\r\n" : ""
        server = try ScriptServer([.readHeader, .send("HTTP/1.1 \(status)\r\n\(challenge)Content-Length: 0\r\n\r\n")])
    }

    var port: Int { server.port }

    /// Everything that was sent to the proxy.
    func seen() async -> String {
        String(decoding: await server.stop().connections.flatMap(\.received), as: UTF8.self)
    }
}

/// Sends a write with a token to a host that is not this machine; it must fail.
private func sendAway(to host: String, proxy: CurlConfiguration.Proxy = .environment) async -> TransportError? {
    var configuration = CurlConfiguration()
    configuration.proxy = proxy
    let transport = CurlTransport(configuration: configuration)
    let request = HTTPRequest(
        method: .post, url: HTTPURL(origin: Origin(scheme: .https, host: host), path: "/"),
        fields: ["Authorization": "Bearer token"], body: .bytes([1]))
    let error = await failure { () async throws(TransportError) in
        try await transport.send(request, deadline: soon)
    }
    await transport.shutdown()
    return error
}
