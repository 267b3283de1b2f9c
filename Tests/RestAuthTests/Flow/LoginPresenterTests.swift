// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Logging in with a browser")
struct LoginPresenterTests {
    private var soon: ContinuousClock.Instant { .now + .seconds(20) }

    private func client(_ server: ScriptServer) -> OAuthClient {
        OAuthClient(
            login: server.url().origin, clientID: "id", clientSecret: nil, transport: PlatformTransport.shared)
    }

    /// Comes back at once to where the page says, with this query beside the state.
    private static func comeBack(_ url: HTTPURL, _ query: String) {
        let pairs = (try? PercentEncoding.formPairs(url.query ?? "")) ?? []
        let value = { (name: String) in pairs.first { $0.name == name }?.value ?? "" }
        guard let back = try? HTTPURL(parsing: "\(value("redirect_uri"))?\(query)&state=\(value("state"))") else {
            return
        }
        Task { try? await PlatformTransport.shared.send(HTTPRequest(url: back), deadline: .now + .seconds(9)) }
    }

    @Test("page, way back and token exchange over real sockets")
    func whole() async throws {
        let server = try ScriptServer([
            .readRequest, .respond(#"{"access_token":"a1","refresh_token":"r1","token_type":"Bearer","scope":"api"}"#),
        ])
        let presenter = LoopbackPresenter { url in Self.comeBack(url, "code=c1") }
        let credential = try await client(server).login(with: presenter, scopes: ["api", "full"], deadline: soon)
        #expect(credential.accessToken == "a1" && credential.refreshToken == "r1")
        let request = try #require(await server.stop().requests.first)
        #expect(request.hasPrefix("POST /services/oauth2/token HTTP/1.1\r\n"))
        #expect(request.contains("grant_type=authorization_code&code=c1&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect(credential.scopes == ["api"])
    }

    @Test("A8: what the user refused is an error of its own; no token is asked for")
    func denied() async throws {
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let presenter = LoopbackPresenter { url in Self.comeBack(url, "error=access_denied") }
        let deadline = soon
        let error = await #expect(throws: OAuthError.self) {
            try await client(server).login(with: presenter, deadline: deadline)
        }
        #expect(error?.code == .userDenied)
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("a page that cannot be opened ends the login")
    func noBrowser() async throws {
        let server = try ScriptServer([])
        let presenter = LoopbackPresenter { (url) throws(OAuthError) in
            try LoopbackPresenter.openBrowser(url, with: [["/nonexistent/browser"], ["also-not-there-5e3"]])
        }
        let deadline = soon
        let error = await #expect(throws: OAuthError.self) {
            try await client(server).login(with: presenter, deadline: deadline)
        }
        #expect(error?.code == .browserUnavailable)
        #expect(error?.message.contains("/services/oauth2/authorize?") == true)
    }

    @Test("the system's browser gets exactly the address, as one argument and without a shell")
    func opened() async throws {
        let folder = try StoreFolder()
        let script =
            "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" > '\(folder.path)/new' && mv '\(folder.path)/new' '\(folder.path)/seen'\n"
        try folder.write(Array(script.utf8), "browser")
        try folder.setMode(0o700, "browser")
        let url = try HTTPURL(parsing: "https://example.com/a?b=$(id)&c='d;e")
        try LoopbackPresenter.openBrowser(
            url, with: [["/nonexistent/browser"], ["/bin/false"], [folder.path(of: "browser"), "open"]])
        let limit = ContinuousClock.now + .seconds(10)
        while (try? folder.bytes("seen")) == nil, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(String(decoding: try folder.bytes("seen"), as: UTF8.self) == "2|open|\(url)|")
    }

    @Test(
        "a browser that reports an error opened nothing, which is reported after the last of them",
        arguments: [
            [["/bin/false"]], [["/bin/false"], ["/nonexistent/browser"]],
            [["/bin/sh", "-c", "exit 4"], ["/bin/false"]],
        ])
    func failed(programs: [[String]]) async throws {
        let url = try HTTPURL(parsing: "https://example.com/authorize")
        let (errors, continuation) = AsyncStream.makeStream(of: OAuthError.self)
        try LoopbackPresenter.openBrowser(url, with: programs) { continuation.yield($0) }
        var iterator = errors.makeAsyncIterator()
        let error = await iterator.next()
        #expect(error?.code == .browserUnavailable && error?.message.contains("\(url)") == true)
    }

    @Test("A18: an address that is not https, or http to this machine, is opened by nobody")
    func unsafePage() {
        let plain = HTTPURL(origin: Origin(scheme: .http, host: "example.com"), path: "/")
        let injected = HTTPURL(origin: Origin(scheme: .https, host: "a.com"), path: "/ --flag\n")
        for url in [plain, injected] {
            let error = #expect(throws: OAuthError.self) {
                try LoopbackPresenter.openBrowser(url, with: [["/bin/true"]])
            }
            #expect(error?.code == .invalidRequest)
        }
        for text in ["javascript:alert(1)", "com.example:/x", "file:///etc/passwd", "data:text/html,x"] {
            #expect(throws: HTTPURL.ParsingError.self) { try HTTPURL(parsing: text) }
        }
        var server = AuthorizationServer(login: Credential.usualInstance)
        server.authorizationEndpoint = plain
        let client = OAuthClient(server: server, clientID: "id", clientSecret: nil, transport: StubTransport())
        let error = #expect(throws: OAuthError.self) { try client.beginLogin(redirectURI: "com.example:/x") }
        #expect(error?.code == .invalidRequest)
    }
}
