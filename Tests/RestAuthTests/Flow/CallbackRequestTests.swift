// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestAuth

@Suite("Reading a callback's header")
struct CallbackRequestTests {
    private func read(_ text: String) -> CallbackRequest.Reading {
        CallbackRequest.read(Array(text.utf8), lookingFrom: 0)
    }

    @Test("a request is read when its header is complete, in whatever pieces it comes")
    func pieces() {
        let bytes = Array("GET /a?b=c HTTP/1.1\r\nHost: X:1\r\nhost:\ty\r\n\r\nrest".utf8)
        let whole = CallbackRequest.Reading.request(
            CallbackRequest(method: "GET", target: "/a?b=c", hosts: ["x:1", "y"]))
        #expect(CallbackRequest.read(bytes, lookingFrom: 0) == whole)
        for end in 0..<(bytes.count - 4) {
            #expect(CallbackRequest.read(Array(bytes[..<end]), lookingFrom: max(0, end - 1)) == .incomplete)
            #expect(CallbackRequest.read(bytes, lookingFrom: end) == whole)
        }
    }

    @Test(
        "what breaks the grammar is refused and not repaired",
        arguments: [
            ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET x HTTP/1.1\r\n\r\n", 400),
            ("GET http://a/ HTTP/1.1\r\n\r\n", 400), ("G(T / HTTP/1.1\r\n\r\n", 400), ("\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.1x\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n", 400), ("GET /\u{E9} HTTP/1.1\r\n\r\n", 400),
        ])
    func refused(text: String, status: Int) { #expect(read(text) == .refused(status)) }

    @Test("at the port of http a browser leaves the port out of Host; at any other port it does not")
    func hosts() throws {
        let client = OAuthClient(
            login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: StubTransport())
        for (port, bare) in [(80, 200), (8_080, 421), (443, 421)] as [(UInt16, Int)] {
            for name in ["127.0.0.1", "[::1]", "localhost"] {
                let origin = "http://\(name):\(port)"
                let login = try client.beginLogin(redirectURI: origin + "/callback")
                let rules = CallbackRules(
                    hosts: CallbackRules.hosts(name, port: port), path: "/callback", origin: origin, login: login)
                let target = "/callback?code=c&state=\(login.state.reveal())"
                for (host, status) in [(name, bare), ("\(name):\(port)", 200), ("\(name):1", 421), ("a.com", 421)] {
                    let answer = rules.answer(to: read("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
                    #expect(answer?.status == status, "\(host) at \(port)")
                }
            }
        }
    }

    @Test("limits hold, whether the header ends or not")
    func limits() {
        let line = String(repeating: "a", count: CallbackRequest.requestLineLimit)
        #expect(read(line) == .incomplete)
        #expect(read(line + "a") == .refused(414))
        #expect(read("GET /\(line) HTTP/1.1\r\n\r\n") == .refused(414))
        let field = "X: " + String(repeating: "b", count: 1_000) + "\r\n"
        #expect(read("GET / HTTP/1.1\r\n" + String(repeating: field, count: 66)) == .refused(431))
        #expect(read("GET / HTTP/1.1\r\n" + String(repeating: field, count: 66) + "\r\n") == .refused(431))
        #expect(read("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n") == .refused(431))
    }
}
