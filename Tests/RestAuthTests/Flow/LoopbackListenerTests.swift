// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("The browser's redirect over real sockets")
struct LoopbackListenerTests {
    private let listener: LoopbackPresenter.Listener
    private let login: PendingLogin
    private var right: String { "/callback?code=c1&state=\(login.state.reveal())" }

    init() throws {
        listener = try LoopbackPresenter.Listener()
        login = try Self.begin(listener)
    }

    private static func begin(_ listener: LoopbackPresenter.Listener) throws -> PendingLogin {
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: StubTransport())
        return try client.beginLogin(redirectURI: listener.redirectURI)
    }

    private func waiting(_ patience: Duration = .seconds(20)) -> Task<String, any Error> {
        Task { [listener, login] in try await listener.redirect(of: login, until: .now + patience) }
    }

    /// Sends the correct redirect, and checks that the wait ends with it, and that nothing before it ended the login.
    private func expectAlive(_ wait: Task<String, any Error>) async throws {
        #expect(try RawBrowser.exchange(listener, listener.request(right)).status == 200)
        #expect(try await wait.value == "http://127.0.0.1:\(listener.portNumber)\(right)")
    }

    private func expectRefused(_ request: String, _ status: Int) async throws {
        let wait = waiting()
        #expect(try RawBrowser.exchange(listener, request).status == status)
        try await expectAlive(wait)
    }

    @Test("the redirect ends the wait, its page runs no script, and then the port is closed")
    func redirect() async throws {
        let wait = waiting()
        let response = try RawBrowser.exchange(listener, listener.request(right))
        #expect(response.status == 200 && response.contains("Cache-Control: no-store"))
        #expect(response.contains("default-src 'none'") && !response.contains("c1"))
        #expect(try await wait.value.hasSuffix(right))
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
    }

    @Test("A1: a callback without a state does not end the wait")
    func stateMissing() async throws { try await expectRefused(listener.request("/callback?code=c"), 400) }

    @Test("A2: a callback with another state does not end the wait")
    func stateMismatch() async throws { try await expectRefused(listener.request("/callback?code=c&state=x"), 400) }

    @Test("A3: a repeated callback gets no response, and the login has one result")
    func replayed() async throws {
        let wait = waiting()
        let (first, second) = (try RawBrowser(listener), try RawBrowser(listener))
        for browser in [first, second] { browser.send(listener.request(right)) }
        #expect(first.respond().status == 200)
        #expect(second.respond().isEmpty)
        #expect(try await wait.value.hasSuffix(right))
    }

    @Test("A5: a callback of another server ends the wait with an error")
    func foreignIssuer() async throws {
        let wait = waiting()
        let response = try RawBrowser.exchange(listener, listener.request(right + "&iss=https%3A%2F%2Fevil.com"))
        #expect(response.status == 400)
        await expect(OAuthError.self, .issuerMismatch) { try await wait.value }
    }

    @Test("A8: the page shows the server's message about a denied login as plain text")
    func denied() async throws {
        let wait = waiting()
        let words = "no%20%3Cscript%3Ealert(%22x%22)%3C%2Fscript%3E%20%26%20no"
        let query = "/callback?error=access_denied&error_description=\(words)&state=\(login.state.reveal())"
        let response = try RawBrowser.exchange(listener, listener.request(query))
        #expect(response.contains("no &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; no"))
        #expect(!response.contains("<script"))
        await expect(OAuthError.self, .userDenied) { try await wait.value }
    }

    @Test("A10: a callback with a repeated parameter does not end the wait")
    func duplicates() async throws { try await expectRefused(listener.request(right + "&code=d"), 400) }

    @Test(
        "A11: other methods are rejected, and a HEAD request does not use up the login",
        arguments: ["HEAD", "POST", "PUT", "OPTIONS"])
    func methods(method: String) async throws { try await expectRefused(listener.request(right, method: method), 405) }

    @Test(
        "A12: other paths do not exist", arguments: ["/favicon.ico", "/", "/callback/", "/Callback", "/callback%2F"])
    func paths(path: String) async throws { try await expectRefused(listener.request(path + "?code=c"), 404) }

    @Test(
        "A13: another host name (DNS rebinding) is rejected",
        arguments: ["evil.com", "localhost:1", "127.0.0.1", "127.0.0.1:80@evil.com"])
    func hosts(host: String) async throws {
        try await expectRefused(listener.request(right, host: host), 421)
    }

    @Test("A13: a request with no Host header, or with two, is rejected")
    func hostCount() async throws {
        let wait = waiting()
        let host = "Host: 127.0.0.1:\(listener.portNumber)\r\n"
        for fields in ["", host + host] {
            #expect(try RawBrowser.exchange(listener, "GET \(right) HTTP/1.1\r\n\(fields)\r\n").status == 400)
        }
        try await expectAlive(wait)
    }

    @Test("A14: an endless request line and a megabyte of headers are cut off, and the login continues")
    func limits() async throws {
        let wait = waiting()
        let long = String(repeating: "a", count: 20_000)
        #expect(try RawBrowser.exchange(listener, listener.request("/callback?code=\(long)")).status == 431)
        let fields = "X: \(long)\r\n"
        let header = listener.request(right, fields: fields)
        #expect(try RawBrowser.exchange(listener, header).status == 431)
        let browser = try RawBrowser(listener)
        for _ in 0..<100 { browser.send(fields) }
        #expect([400, 431, 0].contains(browser.respond().status))
        try await expectAlive(wait)
    }

    @Test("A15: connections that send nothing, or never stop, delay the browser only briefly, and are closed")
    func slowloris() async throws {
        let listener = try LoopbackPresenter.Listener(LoopbackPresenter.Options(patience: .seconds(1)))
        let login = try Self.begin(listener)
        async let redirect = listener.redirect(of: login, until: .now + .seconds(60))
        let silent = try (0..<3).map { _ in try RawBrowser(listener) }
        let slow = try RawBrowser(listener)
        slow.send("GET /callback?code=")
        #expect(try RawBrowser.exchange(listener, listener.request("/favicon.ico")).status == 404)
        #expect(silent.allSatisfy { $0.respond().isEmpty })
        #expect(slow.respond().status == 408)
        let query = "/callback?code=c1&state=\(login.state.reveal())"
        #expect(try RawBrowser.exchange(listener, listener.request(query)).status == 200)
        #expect(try await redirect.hasSuffix(query))
    }

    @Test("two spare connections of a browser delay the redirect by at most two seconds")
    func spareConnections() async throws {
        let wait = waiting()
        let spare = try (0..<2).map { _ in try RawBrowser(listener) }
        let start = ContinuousClock.now
        try await expectAlive(wait)
        #expect(ContinuousClock.now - start < .seconds(2))
        withExtendedLifetime(spare) {}
    }

    @Test("cancelling ends the wait while a connection is slow")
    func cancelledWhileSlow() async throws {
        let listener = try LoopbackPresenter.Listener(LoopbackPresenter.Options(patience: .seconds(60)))
        let login = try Self.begin(listener)
        let wait = Task { try await listener.redirect(of: login, until: .now + .seconds(60)) }
        let slow = try RawBrowser(listener)
        slow.send("GET /callback?code=")
        try await Task.sleep(for: .milliseconds(50))
        wait.cancel()
        await expect(OAuthError.self, .cancelled) { try await wait.value }
    }

    @Test("A16: a port that another program uses is not shared, and the next port is used")
    func takenPort() throws {
        let taken = UInt16(listener.portNumber)
        expect(OAuthError.self, .portUnavailable) {
            try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [taken]))
        }
        let second = try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [taken, 0]))
        #expect(second.portNumber != listener.portNumber)
    }

    @Test("two logins in a row can use one port, although the operating system still holds the first connection")
    func samePort() async throws {
        let port = UInt16(listener.portNumber)
        let wait = waiting()
        #expect(try RawBrowser.exchange(listener, listener.request(right)).status == 200)
        _ = try await wait.value
        for _ in 1...3 {
            let next = try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [port]))
            let login = try Self.begin(next)
            async let redirect = next.redirect(of: login, until: .now + .seconds(20))
            let query = "/callback?code=c&state=\(login.state.reveal())"
            #expect(try RawBrowser.exchange(next, next.request(query)).status == 200)
            #expect(try await redirect.hasSuffix(query))
        }
    }

    @Test("no program can take over a listener's port with any socket options, nor can a listener take over another's")
    func stolenPort() throws {
        let port = UInt16(listener.portNumber)
        let fixed = try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [FreePort.number()]))
        for option in BoundPort.options {
            for isEverywhere in [false, true] {
                #expect(!BoundPort.canListen(port, with: option, isEverywhere: isEverywhere))
                #expect(!BoundPort.canListen(UInt16(fixed.portNumber), with: option, isEverywhere: isEverywhere))
                let other = try #require(BoundPort(with: option, isEverywhere: isEverywhere))
                #expect(other.port != 0)
                expect(OAuthError.self, .portUnavailable) {
                    try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [other.port]))
                }
            }
        }
    }

    @Test("A17: without a callback the wait ends at its deadline, and the port is closed")
    func deadline() async throws {
        await expect(OAuthError.self, .timedOut) { try await waiting(.milliseconds(20)).value }
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
    }

    @Test("A17: cancelling before or during the wait ends it, and the port is closed")
    func cancelled() async throws {
        let wait = waiting()
        #expect(try RawBrowser.exchange(listener, listener.request("/x")).status == 404)
        wait.cancel()
        await expect(OAuthError.self, .cancelled) { try await wait.value }
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
        let early = try LoopbackPresenter.Listener()
        early.close()
        let login = try Self.begin(early)
        await #expect(throws: OAuthError.self) { try await early.redirect(of: login, until: .now + .seconds(20)) }
    }

    @Test(
        "a path with a query or a fragment, or without a slash, is rejected",
        arguments: ["callback", "/a?b", "/a#b", "/a b"])
    func badPath(path: String) {
        #expect(throws: OAuthError.self) { try LoopbackPresenter.Listener(LoopbackPresenter.Options(path: path)) }
    }

    @Test("with localhost, both loopback addresses are listened on")
    func localhost() async throws {
        let listener = try LoopbackPresenter.Listener(LoopbackPresenter.Options(host: .localhost))
        let login = try Self.begin(listener)
        #expect(listener.redirectURI.hasPrefix("http://localhost:"))
        async let redirect = listener.redirect(of: login, until: .now + .seconds(20))
        let host = "localhost:\(listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" })"
        let query = "/callback?code=c&state=\(login.state.reveal())"
        let port = try #require(host.split(separator: ":").last.flatMap { Int($0) })
        let socket = try Socket.connected(port: port)
        _ = socket.send(Array(listener.request(query, host: host).utf8))
        #expect(try await redirect == "http://\(host)\(query)")
    }
}

@Suite("Parsing a callback's request head")
struct CallbackRequestTests {
    @Test("a bracket is escaped on the page, also before a combining mark")
    func marks() {
        #expect(CallbackPage.failed("<\u{301}b>&\u{301}").html.contains("&lt;\u{301}b&gt;&amp;\u{301}"))
    }

    @Test("a request head is complete after its empty line, in chunks of any size, and is not repaired")
    func read() {
        let bytes = Array("GET /a?b=c HTTP/1.1\r\nHost: X:1\r\nhost:\ty\r\n\r\nrest".utf8)
        for end in bytes.indices {
            let isThere = CallbackRequest.end(of: Array(bytes[..<end]), lookingFrom: max(0, end - 1)) != nil
            #expect(isThere == (end == bytes.count - 4), "\(end)")
            #expect((CallbackRequest.end(of: bytes, lookingFrom: end) == nil) == (end > bytes.count - 5))
        }
        let request = CallbackRequest(bytes[...])
        #expect(request?.method == "GET" && request?.target == "/a?b=c" && request?.hosts == ["x:1", "y"])
        for line in [
            "GET /", "GET  / HTTP/1.1", "GET x HTTP/1.1", "GET http://a/ HTTP/1.1", "", "GET / HTTP/2.0",
            "GET / HTTP/1.1x", "GET /\u{E9} HTTP/1.1",
        ] {
            #expect(CallbackRequest(Array("\(line)\r\nHost: a".utf8)[...]) == nil, "\(line)")
        }
    }

    @Test("the port may be missing in the Host header only at the port of http")
    func hosts() throws {
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: StubTransport())
        for (port, bare) in [(80, 200), (8_080, 421), (443, 421)] {
            for name in ["127.0.0.1", "[::1]", "localhost"] {
                let origin = "http://\(name):\(port)"
                let login = try client.beginLogin(redirectURI: origin + "/callback")
                let rules = CallbackRules(
                    hosts: CallbackRules.hosts(name, port: port), path: "/callback", origin: origin, login: login)
                let target = "/callback?code=c&state=\(login.state.reveal())"
                for (host, status) in [(name, bare), ("\(name):\(port)", 200), ("\(name):1", 421), ("a.com", 421)] {
                    let response = rules.respond(
                        to: CallbackRequest(Array("GET \(target) HTTP/1.1\r\nHost: \(host)".utf8)[...]))
                    #expect(response.status == status, "\(host) at \(port)")
                }
            }
        }
    }
}

@Suite("The browser's return address")
struct LoopbackOptionsTests {
    @Test(
        "a registered URL determines host, port and path exactly as they are written",
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
        "any other URL is rejected",
        arguments: [
            "https://localhost:1717/x", "http://example.com/x", "http://localhost.evil.com/x", "http://127.0.0.2/x",
            "http://localhost:0/x", "http://localhost:65536/x", "http://localhost:1717/x?y", "http://localhost/#x",
            "http://user@localhost/x", "localhost:1717/x", "com.example:/x", "", "http://", "http://[::2]/x",
        ])
    func refused(text: String) {
        expect(OAuthError.self, .invalidRequest) { try LoopbackPresenter.Options(redirectURI: text) }
    }

    @Test("a login returns to a registered URL", arguments: ["/OauthRedirect", ""])
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
