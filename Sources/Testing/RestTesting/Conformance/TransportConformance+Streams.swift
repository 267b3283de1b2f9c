// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension TransportConformance {
    /// Answers that are read while they arrive.
    static let streams: [Case] = reading + endings

    private static let reading = [
        Case("gives the header of a stream before its body, and the pieces in order") { transport in
            let server = try ScriptServer([
                .readRequest, .send(ok(length: 6) + "abc"), .hold, .send("def"),
            ])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try require(response.head.status, is: 200, "status")
            var iterator = response.body.makeAsyncIterator()
            let first = try await iterator.next()
            try require(
                String(decoding: first ?? [], as: UTF8.self) == "abc",
                "first piece: expected abc, found \(String(decoding: first ?? [], as: UTF8.self))")
            server.proceed()
            let rest = try await response.body.collect(upTo: 100)
            try require(
                String(decoding: rest, as: UTF8.self) == "def",
                "rest: expected def, found \(String(decoding: rest, as: UTF8.self))")
        },
        Case("streams a large body byte for byte") { transport in
            let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let server = try ScriptServer([.readRequest, .send(ok(length: block.count * 64)), .flood(block, count: 64)])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try await requireBlocks(64, of: block, from: response.body)
        },
        Case("unpacks the body of a stream") { transport in
            let fields = ok("Content-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count)")
            let server = try ScriptServer([.readRequest, .send(fields), .sendBytes(GzipSamples.hello)])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            let body = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
            try require(body, is: "hello hello hello", "body")
        },
        Case("makes the server wait while a stream is not read") { transport in
            let block = [UInt8](repeating: 0x61, count: 65_536)
            let server = try ScriptServer([
                .readRequest, .send(ok(length: block.count * 400)), .flood(block, count: 400),
            ])
            // 25 MiB in small pieces, which a busy machine needs its time for.
            let response = try await transport.stream(
                HTTPRequest(url: server.url()), deadline: .now + .seconds(60))
            let sent = await standstill(of: server)
            try require(sent < block.count * 300, "the server sent \(sent) bytes although nothing was read")
            try await requireBlocks(400, of: block, from: response.body)
        },
        Case("ends a stream without a body at once") { transport in
            for answer in ["204 No Content\r\n\r\n", "200 OK\r\nContent-Length: 0\r\n\r\n"] {
                let server = try ScriptServer([.readRequest, .send("HTTP/1.1 " + answer), .readToEnd])
                let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
                let body = try await response.body.collect(upTo: 0)
                try require(body.isEmpty, "\(body.count) bytes")
            }
        },
    ]

    private static let endings = [
        Case("reports a stream that breaks off") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc")])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await response.body.collect(upTo: 100)
            }
        },
        Case("covers the body of a stream with its deadline") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc"), .readToEnd])
            for patience in [200, 1_000, 5_000] {
                let deadline = ContinuousClock.now + .milliseconds(patience)
                let request = HTTPRequest(url: server.url())
                // A busy machine may use up the time before the body begins.
                guard let response = try? await transport.stream(request, deadline: deadline) else { continue }
                return try await expectFailure([.timedOut], reached: true) { () async throws(TransportError) in
                    try await response.body.collect(upTo: 100)
                }
            }
            throw Violation("no header came")
        },
        Case("ends a stream that is being read when its transport is shut down") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10)), .readToEnd])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            let reader = Task {
                try await expectFailure([.shutDown], reached: true) { () async throws(TransportError) in
                    try await response.body.collect(upTo: 100)
                }
            }
            await transport.shutdown()
            try await reader.value
        },
        Case("closes the connection of a stream that is let go of") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc"), .readToEnd])
            do {
                let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
                try require(response.head.status, is: 200, "status")
            }
            let journal = await server.wait { $0.connections.first?.isClosedByPeer == true }
            try require(journal.connections.first?.isClosedByPeer == true, "the connection stayed open")
        },
    ]

    /// Reads a body and compares it with a block that is sent so many times.
    private static func requireBlocks(_ count: Int, of block: [UInt8], from body: HTTPBody.Stream) async throws {
        var total = 0
        var iterator = body.makeAsyncIterator()
        while let piece = try await iterator.next() {
            try require(!piece.isEmpty, "an empty piece")
            var rest = piece[...]
            while !rest.isEmpty {
                let wanted = block[(total % block.count)...].prefix(rest.count)
                try require(areEqual(rest.prefix(wanted.count), wanted), "other bytes behind \(total)")
                (total, rest) = (total + wanted.count, rest.dropFirst(wanted.count))
            }
        }
        try require(total, is: count * block.count, "number of bytes")
    }

    /// How many bytes the server has sent when that has not changed for a tenth of a second.
    private static func standstill(of server: ScriptServer) async -> Int {
        var (sent, last) = (0, -1)
        while sent != last {
            last = sent
            try? await Task.sleep(for: .milliseconds(100))
            sent = server.journal.connections.first?.sentBytes ?? 0
        }
        return sent
    }
}
