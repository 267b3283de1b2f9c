// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

extension TransportConformance {
    /// Cases about request bodies that are sent again.
    static let repeats: [Case] = [
        Case("creates a restartable body again for each attempt, with a length and without") { transport in
            for length in [30_000, nil] as [Int64?] {
                let server = try ScriptServer([.readRequest, .respond("ok"), .readRequest, .respond("ok")])
                let made = Mutex(0)
                let source = HTTPBody.Source.restartable(length: length) {
                    made.withLock { $0 += 1 }
                    let left = Mutex([10_000, 1, 19_999][...])
                    return { left.withLock { $0.popFirst() }.map { Array(repeating: UInt8(ascii: "x"), count: $0) } }
                }
                let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
                for _ in 1...2 { _ = try await transport.send(request, deadline: soon) }
                let count = made.withLock { $0 }
                try require(count == 2, "times that the body was created: expected 2, found \(count)")
                // The sizes of chunks do not contain this letter, but a header may.
                let counts = await server.stop().requests.map { request in
                    let head = request.firstRange(bytes: "\r\n\r\n")?.upperBound ?? request.startIndex
                    return request[head...].utf8.count { $0 == UInt8(ascii: "x") }
                }
                try require(counts == [30_000, 30_000], "bytes of the attempts: expected 30000 twice, found \(counts)")
            }
        },
        Case("fails if a restartable body has another length the second time") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let made = Mutex(0)
            let source = HTTPBody.Source.restartable(length: 10) {
                let count = made.withLock { made in
                    made += 1
                    return made == 1 ? 10 : 9
                }
                let left = Mutex([count][...])
                return { left.withLock { $0.popFirst() }.map { Array(repeating: 0x61, count: $0) } }
            }
            let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
            _ = try await transport.send(request, deadline: soon)
            try await expectFailure([.bodyChanged], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.count == 1, "the second body was accepted as complete")
        },
        Case("sends nothing if the source of a body fails with a reason") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let source = HTTPBody.Source.restartable {
                throw TransportError(.file, "the tape is gone", mayHaveReachedServer: false)
            }
            let request = HTTPRequest(method: .put, url: server.url(), body: .stream(source))
            try await expectFailure([.file], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
        Case("sends nothing if a file has changed since the first attempt") { transport in
            let folder = try TemporaryDirectory()
            try folder.write("as it was", to: "up")
            let server = try ScriptServer([.readRequest, .respond("ok"), .readRequest, .respond("ok")])
            let body = HTTPBody.file(path: folder.path("up")).forOneCall
            let request = HTTPRequest(method: .put, url: server.url(), body: body)
            for _ in 1...2 { _ = try await transport.send(request, deadline: soon) }
            try folder.write("as it is now", to: "up")
            try await expectFailure([.bodyChanged], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            let bodies = await server.stop().requests.map { request in
                request.firstRange(bytes: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
            }
            try require(
                bodies == ["as it was", "as it was"], "bodies: expected \(["as it was", "as it was"]), found \(bodies)")
        },
    ]
}

extension TransportConformance {
    /// Cases about responses that are read while they arrive.
    static let streams: [Case] = reading + endings

    private static let reading = [
        Case("returns the head of a stream before its body, and the chunks in order") { transport in
            let server = try ScriptServer([
                .readRequest, .send(ok(length: 6) + "abc"), .hold, .send("def"),
            ])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try require(response.head.status, is: 200, "status")
            var iterator = response.stream.makeAsyncIterator()
            let first = try await iterator.next()
            try require(
                String(decoding: first ?? [], as: UTF8.self) == "abc",
                "first chunk: expected abc, found \(String(decoding: first ?? [], as: UTF8.self))")
            server.proceed()
            let rest = try await response.stream.collect(upTo: 100)
            try require(
                String(decoding: rest, as: UTF8.self) == "def",
                "rest: expected def, found \(String(decoding: rest, as: UTF8.self))")
        },
        Case("streams a large body byte for byte") { transport in
            let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let server = try ScriptServer([.readRequest, .send(ok(length: block.count * 64)), .flood(block, count: 64)])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try await requireBlocks(64, of: block, from: response.stream)
        },
        Case("decompresses the body of a stream") { transport in
            let fields = ok("Content-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count)")
            let server = try ScriptServer([.readRequest, .send(fields), .sendBytes(GzipSamples.hello)])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            let body = String(decoding: try await response.stream.collect(upTo: 100), as: UTF8.self)
            try require(body, is: "hello hello hello", "body")
        },
        Case("makes the server wait while a stream is not read") { transport in
            let block = [UInt8](repeating: 0x61, count: 65_536)
            let server = try ScriptServer([
                .readRequest, .send(ok(length: block.count * 400)), .flood(block, count: 400),
            ])
            // 25 MiB in small chunks take a busy machine some time.
            let response = try await transport.stream(
                HTTPRequest(url: server.url()), deadline: .now + .seconds(60))
            let sent = await standstill(of: server)
            try require(sent < block.count * 300, "the server sent \(sent) bytes although nothing was read")
            try await requireBlocks(400, of: block, from: response.stream)
        },
        Case("ends a stream without a body at once") { transport in
            for response in ["204 No Content\r\n\r\n", "200 OK\r\nContent-Length: 0\r\n\r\n"] {
                let server = try ScriptServer([.readRequest, .send("HTTP/1.1 " + response), .readToEnd])
                let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
                let body = try await response.stream.collect(upTo: 0)
                try require(body.isEmpty, "\(body.count) bytes")
            }
        },
    ]

    private static let endings = [
        Case("reports an interrupted stream") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc")])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await response.stream.collect(upTo: 100)
            }
        },
        Case("applies the deadline to the body of a stream") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc"), .readToEnd])
            for patience in [200, 1_000, 5_000] {
                let deadline = ContinuousClock.now + .milliseconds(patience)
                let request = HTTPRequest(url: server.url())
                // A busy machine may reach the deadline before the body begins.
                guard let response = try? await transport.stream(request, deadline: deadline) else { continue }
                return try await expectFailure([.timedOut], reached: true) { () async throws(TransportError) in
                    try await response.stream.collect(upTo: 100)
                }
            }
            throw Violation("no response head arrived")
        },
        Case("ends a stream that is being read when its transport is shut down") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10)), .readToEnd])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            let reader = Task {
                try await expectFailure([.shutDown], reached: true) { () async throws(TransportError) in
                    try await response.stream.collect(upTo: 100)
                }
            }
            await transport.shutdown()
            try await reader.value
        },
        Case("closes the connection of a stream that is released") { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc"), .readToEnd])
            do {
                let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
                try require(response.head.status, is: 200, "status")
            }
            let journal = await server.wait { $0.connections.first?.isClosedByPeer == true }
            try require(journal.connections.first?.isClosedByPeer == true, "the connection stayed open")
        },
    ]

    /// Reads a body and compares it with a block that is sent `count` times.
    private static func requireBlocks(_ count: Int, of block: [UInt8], from body: HTTPBody.Stream) async throws {
        var total = 0
        var iterator = body.makeAsyncIterator()
        while let chunk = try await iterator.next() {
            try require(!chunk.isEmpty, "an empty chunk")
            var rest = chunk[...]
            while !rest.isEmpty {
                let wanted = block[(total % block.count)...].prefix(rest.count)
                // Megabytes, byte by byte, would take seconds in a build for debugging.
                let isSame = unsafe rest.withUnsafeBytes { bytes in
                    unsafe wanted.withUnsafeBytes { wanted in
                        guard let first = bytes.baseAddress, let other = wanted.baseAddress else { return false }
                        return unsafe memcmp(first, other, wanted.count) == 0
                    }
                }
                try require(isSame, "other bytes after \(total)")
                (total, rest) = (total + wanted.count, rest.dropFirst(wanted.count))
            }
        }
        try require(total, is: count * block.count, "number of bytes")
    }

    /// The number of bytes that the server has sent, once it has not changed for a tenth of a second.
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

extension TransportConformance {
    /// Cases about request bodies that are produced while they are sent.
    static let uploads: [Case] = [
        Case("never lets a streamed body be longer or shorter than announced") { transport in
            for (length, chunks) in [(5, [10]), (5, [5, 5]), (5, [4, 2]), (10, [5]), (10, [])] as [(Int64, [Int])] {
                let server = try ScriptServer([.readRequest, .respond("ok")])
                let body = HTTPBody.stream(source(of: chunks, length: length))
                let request = HTTPRequest(method: .post, url: server.url(), body: body)
                try await expectFailure([.invalidRequest], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
                try require(await server.stop().requests.isEmpty, "\(chunks) was accepted as a body of \(length) bytes")
            }
        },
        Case("ends at its deadline although the source of the body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                try await expectFailure([.timedOut], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: .now + .milliseconds(100))
                }
            }
        },
        Case("ends when it is cancelled although the source of the body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                let task = Task {
                    try await expectFailure([.cancelled], reached: nil) { () async throws(TransportError) in
                        try await transport.send(request, deadline: soon)
                    }
                }
                await gate.waitForVisitor()
                task.cancel()
                try await task.value
            }
        },
        Case("shuts down although the source of a body never returns") { transport in
            let gate = Gate()
            try await withBlockedUpload(behind: gate) { request in
                let task = Task {
                    try await expectFailure([.shutDown], reached: nil) { () async throws(TransportError) in
                        try await transport.send(request, deadline: soon)
                    }
                }
                await gate.waitForVisitor()
                await transport.shutdown()
                try await task.value
            }
        },
    ]

    static func source(of chunks: [Int], length: Int64?) -> HTTPBody.Source {
        let left = Mutex(chunks[...])
        return HTTPBody.Source.once(length: length) {
            left.withLock { $0.popFirst() }.map { Array(repeating: 0x61, count: $0) }
        }
    }

    /// Provides a request whose body is not produced before the gate opens, which it does at the end.
    private static func withBlockedUpload(
        behind gate: Gate, _ body: (HTTPRequest) async throws -> Void
    ) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let source = HTTPBody.Source.once {
            await gate.pass()
            return nil
        }
        defer { gate.open() }
        try await body(HTTPRequest(method: .post, url: server.url(), body: .stream(source)))
    }
}
