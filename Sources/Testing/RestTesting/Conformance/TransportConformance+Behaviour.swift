// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

extension TransportConformance {
    static let behaviour: [Case] = requests + connections + deadlines

    private static let requests = [
        Case("sends the request unchanged and adds only framing headers") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            var request = HTTPRequest(
                method: .post, url: server.url("/a%2Fb?q=x%20y"), body: .bytes(Array("body".utf8)))
            request.fields = ["Authorization": "Bearer t", "Content-Type": "text/plain"]
            _ = try await transport.send(request, deadline: soon)
            let sent = await server.stop().requests.first ?? ""
            try require(sent.hasBytes(prefix: "POST /a%2Fb?q=x%20y HTTP/1.1\r\n"), "sent: \(sent)")
            try require(sent.hasBytes(suffix: "\r\n\r\nbody"), "sent: \(sent)")
            let lines = sent.lowercased().lines
            for line in ["authorization: bearer t", "content-type: text/plain", "content-length: 4"] {
                try require(lines.contains { $0 == line }, "\(line) is missing in: \(sent)")
            }
            try require(
                !lines.contains { $0.hasBytes(prefix: "expect:") || $0.hasBytes(prefix: "cookie:") }, "sent: \(sent)")
        },
        Case("rejects control characters in headers before anything is sent") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let values = ["a\r\nX: y", "a\nb", "a\rb", "a\0b"].map { ("X", $0) }
            for (name, value) in values + [("X Y", "1"), ("X\r\n", "1"), ("", "1")] {
                var request = HTTPRequest(url: server.url())
                request.fields.append(name, value)
                try await expectFailure([.invalidRequest], reached: false) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            try require(await server.stop().connections.isEmpty, "a connection was opened")
        },
        Case("rejects framing headers, and methods that are not tokens") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let url = server.url()
            let framing: [HTTPFields] = [["Content-Length": "0"], ["transfer-encoding": "chunked"], ["Host": "evil"]]
            let methods = ["", "GET /x HTTP/1.1\r\nX:", "GE T", "GET\0"].map { HTTPMethod(rawValue: $0) }
            let requests =
                framing.map { HTTPRequest(url: url, fields: $0) } + methods.map { HTTPRequest(method: $0, url: url) }
            for request in requests {
                try await expectFailure([.invalidRequest], reached: false) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            try require(await server.stop().connections.isEmpty, "a connection was opened")
        },
        Case("does not invent a content type") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .post, url: server.url(), body: .bytes(Array("a=b".utf8)))
            _ = try await transport.send(request, deadline: soon)
            let sent = await server.stop().requests.first?.lowercased() ?? ""
            let types = sent.lines.filter { $0.hasBytes(prefix: "content-type:") }
            // The only type that has the same meaning as no type (RFC 9110 §8.3).
            try require(types.allSatisfy { $0.hasBytes(suffix: " application/octet-stream") }, "sent: \(sent)")
        },
        Case("connects to this machine by the name localhost") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let url = HTTPURL(origin: Origin(scheme: .http, host: "localhost", port: server.port), path: "/")
            let response = try await transport.send(HTTPRequest(url: url), deadline: soon)
            try require(
                String(decoding: response.body, as: UTF8.self) == "ok",
                "body: expected ok, found \(String(decoding: response.body, as: UTF8.self))")
        },
        Case("rejects plain http to other hosts") { transport in
            let hosts = ["192.0.2.1", "127.0.0.1.example.invalid", "localhost.example.invalid", "a.localhost"]
            for text in hosts.map({ "http://\($0)/" }) {
                let request = HTTPRequest(url: try HTTPURL(parsing: text))
                try await expectFailure([.invalidRequest], reached: false) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
        },
        Case("stores no cookies") { transport in
            let turn: ScriptServer.Script = [.readRequest, .respond(fields: [("Set-Cookie", "sid=1")], "ok")]
            let server = try ScriptServer(turn + turn)
            for _ in 0..<2 { _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon) }
            let requests = await server.stop().requests
            try require(requests.allSatisfy { !$0.lowercased().hasBytes("cookie") }, "a cookie was sent back")
        },
    ]

    private static let connections = [
        Case("never sends a write twice when a reused connection dies") { transport in
            let large = Array(repeating: UInt8(0x61), count: 100_000)
            for body in [HTTPBody.empty, .bytes(Array("x=1".utf8)), .bytes(large)] {
                let server = try ScriptServer(connections: [
                    [.readRequest, .respond("ok"), .readRequest], [.readRequest, .respond("again")],
                ])
                _ = try await transport.send(HTTPRequest(url: server.url("/warm")), deadline: soon)
                let request = HTTPRequest(method: .post, url: server.url("/write"), body: body)
                do throws(TransportError) {
                    // Only a transport that never reuses a connection gets a response.
                    _ = try await transport.send(request, deadline: soon)
                } catch {
                    try require(error.code == .connectionLost && error.mayHaveReachedServer, "got \(error)")
                }
                let count = await server.stop().requests.count { $0.hasBytes(prefix: "POST ") }
                try require(count == 1, "the server saw the write \(count) times")
            }
        },
        Case("never treats bytes after a response as the next response") { transport in
            let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
            let server = try ScriptServer(connections: [
                [.readRequest, .send(first), .send(evil), .readRequest], [.readRequest, .respond("second")],
            ])
            _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            await server.wait { $0.connections[0].sentBytes == first.utf8.count + evil.utf8.count }
            let second = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            try require(second.body == Array("second".utf8), "the bytes after a response were treated as a response")
        },
        Case("sends a thousand requests concurrently") { transport in
            let turn: ScriptServer.Script = [.readRequest, .respond("ok")]
            let server = try ScriptServer((0..<1_000).flatMap { _ in turn })
            let url = server.url()
            let count = await successes(of: 1_000, to: url, on: transport)
            try require(count == 1_000, "\(count) of 1000 succeeded")
        },
        Case("reports every connection that is reset, and the responses of the others") { transport in
            let response: ScriptServer.Script = [.readRequest, .respond(fields: [("Connection", "close")], "ok")]
            let reset: ScriptServer.Script = [.readRequest, .reset]
            let server = try ScriptServer(connections: (0..<40).map { $0.isMultiple(of: 2) ? response : reset })
            let count = await successes(of: 40, to: server.url(), on: transport)
            let journal = await server.stop()
            try require(
                journal.requests.count == 40,
                "requests that the server saw: expected 40, found \(journal.requests.count)")
            try require(count == 20, "\(count) of 20 responses arrived")
        },
        Case("proves that nothing was sent when the port is closed") { transport in
            let server = try ScriptServer([])
            let request = HTTPRequest(method: .post, url: server.url())
            await server.stop()
            try await expectFailure([.notConnected], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        },
        Case("proves that nothing was sent when the host is unknown") { transport in
            let request = HTTPRequest(method: .post, url: try HTTPURL(parsing: "https://unknown.invalid/"))
            try await expectFailure([.hostNotFound], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        },
        Case("reports a server that closes during an upload") { transport in
            let server = try ScriptServer([.readHeader, .reset])
            let body = HTTPBody.bytes(Array(repeating: 0x61, count: 20_000_000))
            let request = HTTPRequest(method: .post, url: server.url(), body: body)
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        },
    ]

    private static let deadlines = [
        Case("ends a silent call promptly at its deadline") { transport in
            // A busy machine may slow a round down, so the best one counts.
            var best = Duration.seconds(60)
            for _ in 0..<5 where best >= .seconds(1) { best = min(best, try await silentCall(on: transport)) }
            try require(best < .seconds(1), "it ended after \(best)")
        },
        Case("ends at its deadline although bytes keep arriving") { transport in
            let drip = ScriptServer.Step.drip(Array(repeating: 0x61, count: 1_000), every: .milliseconds(5))
            let server = try ScriptServer([
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), drip,
            ])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.timedOut], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: .now + .milliseconds(150))
            }
        },
        Case("waits for slow bytes until its deadline") { transport in
            let drip = ScriptServer.Step.drip(Array(repeating: 0x61, count: 20), every: .milliseconds(5))
            let server = try ScriptServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"), drip])
            let response = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            try require(response.body.count, is: 20, "number of bytes")
        },
        Case("sends nothing after its deadline") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.timedOut], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: .now - .seconds(1))
            }
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
    ]

    /// The time until the connection of a call without a response, with a deadline of 150 milliseconds, is closed.
    private static func silentCall(on transport: any HTTPTransport) async throws -> Duration {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let request = HTTPRequest(url: server.url())
        let start = ContinuousClock.now
        try await expectFailure([.timedOut], reached: nil) { () async throws(TransportError) in
            try await transport.send(request, deadline: start + .milliseconds(150))
        }
        try require(ContinuousClock.now - start >= .milliseconds(150), "it ended too early")
        let journal = await server.wait { $0.connections.first?.closedAt != nil }
        guard let end = journal.connections.first?.closedAt else { throw Violation("the connection stayed open") }
        return end - start
    }

    /// The number of concurrent requests that get status 200.
    private static func successes(of total: Int, to url: HTTPURL, on transport: any HTTPTransport) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<total {
                group.addTask { (try? await transport.send(HTTPRequest(url: url), deadline: soon))?.head.status == 200 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

extension TransportConformance {
    /// Cases about cancellation at every stage and about shutdown.
    static let cancellation: [Case] = [
        Case("sends nothing if its task is already cancelled") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(url: server.url())
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await expectFailure([.cancelled], reached: false) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            task.cancel()
            try await task.value
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
        inFlight("while it waits for the response head", [.readRequest, .readToEnd]) { !$0.requests.isEmpty },
        inFlight(
            "within the body", [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .readToEnd]
        ) { ($0.connections.first?.sentBytes ?? 0) > 0 },
        inFlight(
            "while it uploads", [.readHeader, .pause(.milliseconds(300)), .readToEnd],
            body: .bytes(Array(repeating: 0x61, count: 20_000_000))
        ) { $0.connections.first?.received.isEmpty == false },
        Case("ends at its deadline while it connects") { transport in
            let port = try SilentPort()
            let request = HTTPRequest(method: .post, url: port.url)
            try await expectFailure([.timedOut], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: .now + .milliseconds(150))
            }
        },
        Case("fails after shutdown, and ends requests in flight") { transport in
            let server = try ScriptServer([.readRequest, .readToEnd])
            let request = HTTPRequest(url: server.url())
            let task = Task {
                try await expectFailure([.shutDown], reached: true) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            await server.wait { !$0.requests.isEmpty }
            await transport.shutdown()
            try await task.value
            try await expectFailure([.shutDown], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        },
    ]

    /// Cancels a call when the server's journal fulfils the condition, and requires the connection to end.
    private static func inFlight(
        _ stage: String, _ script: ScriptServer.Script, body: HTTPBody = .empty,
        when condition: @escaping @Sendable (ScriptServer.Journal) -> Bool
    ) -> Case {
        Case("ends and closes its connection when it is cancelled \(stage)") { transport in
            let server = try ScriptServer(script)
            let request = HTTPRequest(method: .post, url: server.url(), body: body)
            let task = Task {
                try await expectFailure([.cancelled], reached: true) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            await server.wait(until: condition)
            task.cancel()
            try await task.value
            let journal = await server.wait { $0.connections.first?.isClosedByPeer == true }
            try require(journal.connections.first?.isClosedByPeer == true, "the connection stayed open")
        }
    }
}
