// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension TransportConformance {
    /// Cases about how soon a cancelled call returns.
    static let promptness: [Case] = [
        prompt("while it connects") { transport in
            let port = try SilentPort()
            return {
                let task = Task {
                    try await ending { () async throws(TransportError) in
                        try await transport.send(HTTPRequest(method: .post, url: port.url), deadline: soon)
                    }
                }
                // Nothing tells from outside that a connection is being made; much less than this is enough.
                try await Task.sleep(for: .milliseconds(10))
                return task
            }
        },
        prompt("while it uploads") { transport in
            let server = try ScriptServer([.readHeader, .pause(.seconds(5))])
            let body = HTTPBody.bytes(Array(repeating: 0x61, count: 16_000_000))
            return {
                let seen = server.journal.connections.count { !$0.received.isEmpty }
                let task = Task {
                    try await ending { () async throws(TransportError) in
                        try await transport.send(
                            HTTPRequest(method: .post, url: server.url(), body: body), deadline: soon)
                    }
                }
                await server.wait { $0.connections.count { !$0.received.isEmpty } > seen }
                return task
            }
        },
        prompt("while it waits for the header") { transport in
            let server = try ScriptServer([.readRequest, .readToEnd])
            return {
                let seen = server.journal.requests.count
                let task = Task {
                    try await ending { () async throws(TransportError) in
                        try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
                    }
                }
                await server.wait { $0.requests.count > seen }
                return task
            }
        },
        prompt("while a stream is read") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc"), .readToEnd])
            return {
                let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
                var iterator = response.body.makeAsyncIterator()
                _ = try await iterator.next()
                return Task {
                    try await ending { () async throws(TransportError) in try await response.body.collect(upTo: 100) }
                }
            }
        },
    ]

    /// Begins a call that will not end by itself; its task gives the moment at which it ended.
    private typealias Beginning = @Sendable () async throws -> Task<ContinuousClock.Instant, any Error>

    private static func prompt(
        _ stage: String, _ prepare: @escaping @Sendable (any HTTPTransport) throws -> Beginning
    ) -> Case {
        Case("returns within 10 ms of being cancelled \(stage)") { transport in
            let begin = try prepare(transport)
            // A busy machine may slow a round down, so the best one counts; a transport that polls is slow in all.
            var best = Duration.seconds(60)
            for _ in 0..<5 where best > .milliseconds(10) { best = min(best, try await medianDelay(begin)) }
            try require(best <= .milliseconds(10), "it took \(best) in the best of five rounds")
        }
    }

    /// The median time between cancelling and the end, of nine calls.
    private static func medianDelay(_ begin: Beginning) async throws -> Duration {
        var delays: [Duration] = []
        for _ in 0..<9 {
            let task = try await begin()
            let start = ContinuousClock.now
            task.cancel()
            delays.append(try await task.value - start)
        }
        return delays.sorted()[4]
    }

    /// When a call ended that must be cancelled.
    private static func ending(
        of body: () async throws(TransportError) -> some Any
    ) async throws -> ContinuousClock.Instant {
        try await expectFailure([.cancelled], reached: nil, of: body)
        return .now
    }
}
