// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("The browser's way back, over real sockets")
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

    /// Sends the right redirect and expects that the wait ends with it: nothing before it ended the session.
    private func expectAlive(_ wait: Task<String, any Error>) async throws {
        #expect(try RawBrowser.exchange(listener, listener.request(right)).status == 200)
        #expect(try await wait.value == "http://127.0.0.1:\(listener.portNumber)\(right)")
    }

    private func expectRefused(_ request: String, _ status: Int) async throws {
        let wait = waiting()
        #expect(try RawBrowser.exchange(listener, request).status == status)
        try await expectAlive(wait)
    }

    @Test("the redirect ends the wait, the page runs nothing, and the port is closed behind it")
    func redirect() async throws {
        let wait = waiting()
        let answer = try RawBrowser.exchange(listener, listener.request(right))
        #expect(answer.status == 200 && answer.contains("Cache-Control: no-store"))
        #expect(answer.contains("default-src 'none'") && !answer.contains("c1"))
        #expect(try await wait.value.hasSuffix(right))
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
    }

    @Test("A1: a callback without a state does not end the wait")
    func stateMissing() async throws { try await expectRefused(listener.request("/callback?code=c"), 400) }

    @Test("A2: a callback with another state does not end the wait")
    func stateMismatch() async throws { try await expectRefused(listener.request("/callback?code=c&state=x"), 400) }

    @Test("A3: the same callback again gets an error page, and the login is answered once")
    func replayed() async throws {
        let wait = waiting()
        let (first, second) = (try RawBrowser(listener), try RawBrowser(listener))
        // Both connections are accepted before the first one says anything: a third one was served.
        #expect(try RawBrowser.exchange(listener, listener.request("/x")).status == 404)
        first.send(listener.request(right))
        #expect(first.answer().status == 200)
        second.send(listener.request(right))
        #expect(second.answer().status == 400)
        #expect(try await wait.value.hasSuffix(right))
    }

    @Test("A5: a callback of another server ends the wait with an error")
    func foreignIssuer() async throws {
        let wait = waiting()
        let answer = try RawBrowser.exchange(listener, listener.request(right + "&iss=https%3A%2F%2Fevil.com"))
        #expect(answer.status == 400)
        let error = await #expect(throws: OAuthError.self) { try await wait.value }
        #expect(error?.code == .issuerMismatch)
    }

    @Test("A8: the server's words about a refusal are on the page, and cannot be anything but text")
    func denied() async throws {
        let wait = waiting()
        let words = "no%20%3Cscript%3Ealert(%22x%22)%3C%2Fscript%3E%20%26%20no"
        let query = "/callback?error=access_denied&error_description=\(words)&state=\(login.state.reveal())"
        let answer = try RawBrowser.exchange(listener, listener.request(query))
        #expect(answer.contains("no &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; no"))
        #expect(!answer.contains("<script"))
        let error = await #expect(throws: OAuthError.self) { try await wait.value }
        #expect(error?.code == .userDenied)
    }

    @Test("A10: a callback with a parameter twice does not end the wait")
    func duplicates() async throws { try await expectRefused(listener.request(right + "&code=d"), 400) }

    @Test(
        "A11: other methods are refused; a HEAD does not use up the login",
        arguments: ["HEAD", "POST", "PUT", "OPTIONS"])
    func methods(method: String) async throws { try await expectRefused(listener.request(right, method: method), 405) }

    @Test(
        "A12: other paths are not there", arguments: ["/favicon.ico", "/", "/callback/", "/Callback", "/callback%2F"])
    func paths(path: String) async throws { try await expectRefused(listener.request(path + "?code=c"), 404) }

    @Test(
        "A13: a rebound host name is refused",
        arguments: ["evil.com", "localhost:1", "127.0.0.1", "127.0.0.1:80@evil.com"])
    func hosts(host: String) async throws {
        try await expectRefused(listener.request(right, host: host), 421)
    }

    @Test("A13: no host, or two, are refused")
    func hostCount() async throws {
        let wait = waiting()
        let host = "Host: 127.0.0.1:\(listener.portNumber)\r\n"
        for fields in ["", host + host] {
            #expect(try RawBrowser.exchange(listener, "GET \(right) HTTP/1.1\r\n\(fields)\r\n").status == 400)
        }
        try await expectAlive(wait)
    }

    @Test("A14: an endless request line and a megabyte of header are cut off, and the login goes on")
    func limits() async throws {
        let wait = waiting()
        let long = String(repeating: "a", count: 10_000)
        #expect(try RawBrowser.exchange(listener, listener.request("/callback?code=\(long)")).status == 414)
        let fields = "X: \(long)\r\n"
        let header = listener.request(right, fields: String(repeating: fields, count: 7))
        #expect(try RawBrowser.exchange(listener, header).status == 431)
        let browser = try RawBrowser(listener)
        for _ in 0..<100 { browser.send(fields) }
        #expect([414, 400, 431, 0].contains(browser.answer().status))
        try await expectAlive(wait)
    }

    @Test("A15: connections that send nothing, or never stop, do not hold up the browser, and are ended")
    func slowloris() async throws {
        let listener = try LoopbackPresenter.Listener(LoopbackPresenter.Options(patience: .seconds(2)))
        let login = try Self.begin(listener)
        async let redirect = listener.redirect(of: login, until: .now + .seconds(60))
        let silent = try (0..<20).map { _ in try RawBrowser(listener) }
        let slow = try RawBrowser(listener)
        slow.send("GET /callback?code=")
        #expect(try RawBrowser.exchange(listener, listener.request("/favicon.ico")).status == 404)
        #expect(silent[0].answer().status == 408)
        #expect(slow.answer().status == 408)
        let query = "/callback?code=c1&state=\(login.state.reveal())"
        #expect(try RawBrowser.exchange(listener, listener.request(query)).status == 200)
        #expect(try await redirect.hasSuffix(query))
    }

    @Test("A16: a port that another program has is not shared; the next one is taken")
    func takenPort() throws {
        let taken = UInt16(listener.portNumber)
        let error = #expect(throws: OAuthError.self) {
            try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [taken]))
        }
        #expect(error?.code == .portUnavailable)
        let second = try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [taken, 0]))
        #expect(second.portNumber != listener.portNumber)
    }

    @Test("two logins in a row work on one port, though the system still remembers the first one's connection")
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

    @Test("nobody takes the port of a listener away, with whatever options, nor does a listener take another's")
    func stolenPort() throws {
        let port = UInt16(listener.portNumber)
        let fixed = try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [FreePort.number()]))
        for option in BoundPort.options {
            for isEverywhere in [false, true] {
                #expect(!BoundPort.canListen(port, with: option, isEverywhere: isEverywhere))
                #expect(!BoundPort.canListen(UInt16(fixed.portNumber), with: option, isEverywhere: isEverywhere))
                let other = try #require(BoundPort(with: option, isEverywhere: isEverywhere))
                #expect(other.port != 0)
                let error = #expect(throws: OAuthError.self) {
                    try LoopbackPresenter.Listener(LoopbackPresenter.Options(ports: [other.port]))
                }
                #expect(error?.code == .portUnavailable)
            }
        }
    }

    @Test("A17: a callback that never comes ends the wait at its deadline, and the port is closed")
    func deadline() async throws {
        let error = await #expect(throws: OAuthError.self) { try await waiting(.milliseconds(20)).value }
        #expect(error?.code == .timedOut)
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
    }

    @Test("A17: cancelling ends the wait, before it began and while it lasts, and the port is closed")
    func cancelled() async throws {
        let wait = waiting()
        #expect(try RawBrowser.exchange(listener, listener.request("/x")).status == 404)
        wait.cancel()
        let error = await #expect(throws: OAuthError.self) { try await wait.value }
        #expect(error?.code == .cancelled)
        #expect(throws: Socket.Failure.self) { try RawBrowser(listener) }
        let early = try LoopbackPresenter.Listener()
        early.close()
        let login = try Self.begin(early)
        await #expect(throws: OAuthError.self) { try await early.redirect(of: login, until: .now + .seconds(20)) }
    }

    @Test("a path with a query, or none, is refused", arguments: ["callback", "/a?b", "/a#b", "/a b"])
    func badPath(path: String) {
        #expect(throws: OAuthError.self) { try LoopbackPresenter.Listener(LoopbackPresenter.Options(path: path)) }
    }

    @Test("localhost is listened for on both addresses")
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
