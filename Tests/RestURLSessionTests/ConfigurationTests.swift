// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestURLSession

@Suite("URLSessionTransport keeps to its configuration", .serialized, .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private func transport(_ change: (inout SessionConfiguration) -> Void) -> URLSessionTransport {
        var configuration = SessionConfiguration()
        change(&configuration)
        return URLSessionTransport(configuration: configuration)
    }

    private func error(of transport: URLSessionTransport, _ request: HTTPRequest) async -> TransportError? {
        await failure { () async throws(TransportError) in try await transport.send(request, deadline: soon) }
    }

    @Test("GET and HEAD with a body are refused before anything is sent", arguments: [HTTPMethod.get, .head])
    func bodyOfGet(method: HTTPMethod) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let request = HTTPRequest(method: method, url: server.url(), body: .bytes([1]))
        #expect(await error(of: transport { _ in }, request)?.code == .invalidRequest)
        #expect(await server.stop().connections.isEmpty)
    }

    #if canImport(FoundationNetworking)
    @Test("An IPv6 literal, which FoundationNetworking cannot reach, is refused before anything is sent")
    func literalV6() async throws {
        let request = HTTPRequest(method: .post, url: try HTTPURL(parsing: "https://[::1]:8443/"), body: .bytes([1]))
        let error = await error(of: transport { _ in }, request)
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.message.contains("CurlTransport") == true)
    }

    @Test("A packed body that was cut is not noticed, so that packed bodies are not asked for unless the caller does")
    func packed() async throws {
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA=="))
        let fields = "Content-Encoding: gzip\r\nContent-Length: \(packed.count - 4)\r\n\r\n"
        let answer: ScriptServer.Script = [
            .readRequest, .send("HTTP/1.1 200 OK\r\n" + fields), .sendBytes(Array(packed.dropLast(4))),
        ]
        let server = try ScriptServer(answer)
        let transport = transport { _ in }
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "hello hello hello")
        let asking = HTTPRequest(url: server.url(), fields: ["Accept-Encoding": "gzip"])
        _ = try await transport.send(asking, deadline: soon)
        let requests = await server.stop().requests
        #expect(requests.map { $0.contains("Accept-Encoding: identity\r\n") } == [true, false])
        #expect(requests.map { $0.contains("Accept-Encoding: gzip\r\n") } == [false, true])
    }

    @Test("Loopback is excepted from the proxies of the environment")
    func exceptions() {
        #expect(EnvironmentProxy.exceptions(to: nil) == "127.0.0.0/8,127.0.0.1,::1")
        #expect(EnvironmentProxy.exceptions(to: "a.example, ::1") == "a.example,::1,127.0.0.0/8,127.0.0.1")
        #expect(EnvironmentProxy.exceptions(to: "*") == nil)
        #expect(EnvironmentProxy.exceptions(to: "127.0.0.1,::1,127.0.0.0/8") == nil)
    }

    @Test("Loopback is never reached through a proxy of the environment")
    func loopbackWithoutProxy() async throws {
        let proxy = try ScriptServer([.readRequest, .respond("proxy")])
        let transport = transport { _ in }
        unsafe setenv("http_proxy", proxy.url().description, 1)
        defer { unsafe unsetenv("http_proxy") }
        let server = try ScriptServer([.readRequest, .respond("direct")])
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "direct")
        #expect(await proxy.stop().connections.isEmpty)
    }
    #endif
}
