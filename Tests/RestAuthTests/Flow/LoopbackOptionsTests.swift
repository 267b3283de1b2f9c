// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Where the browser comes back to")
struct LoopbackOptionsTests {
    @Test(
        "a registered address gives host, port and path exactly as they are written",
        arguments: [
            ("http://localhost:1717/OauthRedirect", .localhost, 1717, "/OauthRedirect"),
            ("http://127.0.0.1:8080/a/b%20c", .ipv4, 8080, "/a/b%20c"), ("http://[::1]:9/", .ipv6, 9, "/"),
            ("http://localhost", .localhost, 0, ""), ("http://127.0.0.1/callback", .ipv4, 0, "/callback"),
            ("http://localhost:80/x", .localhost, 80, "/x"), ("http://127.0.0.1:65535", .ipv4, 65_535, ""),
        ] as [(String, LoopbackPresenter.Options.Host, UInt16, String)])
    func read(text: String, host: LoopbackPresenter.Options.Host, port: UInt16, path: String) throws {
        let options = try LoopbackPresenter.Options(redirectURI: text)
        #expect(options.host == host && options.ports == [port] && options.path == path)
    }

    @Test(
        "another address is refused",
        arguments: [
            "https://localhost:1717/x", "http://example.com/x", "http://localhost.evil.com/x", "http://127.0.0.2/x",
            "http://localhost:0/x", "http://localhost:65536/x", "http://localhost:1717/x?y", "http://localhost/#x",
            "http://user@localhost/x", "localhost:1717/x", "com.example:/x", "", "http://", "http://[::2]/x",
        ])
    func refused(text: String) {
        let error = #expect(throws: OAuthError.self) { try LoopbackPresenter.Options(redirectURI: text) }
        #expect(error?.code == .invalidRequest)
    }

    @Test("a login comes back to a registered address", arguments: ["/OauthRedirect", ""])
    func comesBack(path: String) async throws {
        let registered = "http://localhost:\(FreePort.number())\(path)"
        let listener = try LoopbackPresenter.Listener(LoopbackPresenter.Options(redirectURI: registered))
        #expect(listener.redirectURI == registered)
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: StubTransport())
        let login = try client.beginLogin(redirectURI: registered)
        async let redirect = listener.redirect(of: login, until: .now + .seconds(20))
        let host = "localhost:\(listener.portNumber)"
        let query = "code=c&state=\(login.state.reveal())"
        let target = "\(path.isEmpty ? "/" : path)?\(query)"
        #expect(try RawBrowser.exchange(listener, listener.request(target, host: host)).status == 200)
        #expect(try login.code(from: await redirect) == "c")
    }
}
