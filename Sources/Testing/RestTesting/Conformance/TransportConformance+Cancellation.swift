// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension TransportConformance {
    /// Cancelling at every stage and shutting down.
    static let cancellation: [Case] = [
        Case("sends nothing when its task was cancelled before") { transport in
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
        inFlight("while it waits for the header", [.readRequest, .readToEnd]) { !$0.requests.isEmpty },
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
        Case("fails after shutdown, and ends what is under way") { transport in
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

    /// Cancels when the server has seen enough; the server must see the connection end.
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
