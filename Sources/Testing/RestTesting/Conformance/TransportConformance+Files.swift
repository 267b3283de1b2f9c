// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

extension TransportConformance {
    /// Cases about bodies from files and streams, downloads to files, and progress.
    static let transfers: [Case] = sources + downloads

    private static let text = String(repeating: "0123456789", count: 30_000)

    private static let sources = [
        Case("sends a streamed body whole, with its length") { transport in
            try await checkStreamedBody(length: 2_000_000, on: transport)
        },
        Case("sends a streamed body whole, without a length") { transport in
            try await checkStreamedBody(length: nil, on: transport)
        },
        Case("fails if the source of a streamed body fails") { transport in
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let source = HTTPBody.Source.once { throw Violation("the body cannot be created") }
            let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
            let failure = try await failure([.bodySource], reached: nil) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(failure.underlying is Violation, "the error of the body's source is lost")
            try require(await server.stop().requests.isEmpty, "the server saw a whole request")
        },
        Case("releases the source of a body when it is cancelled") { transport in
            let server = try ScriptServer([.readHeader, .readToEnd])
            let begun = Watched(false)
            let source = HTTPBody.Source.once {
                begun.update { $0 = true }
                return Array(repeating: 0x61, count: 10_000)
            }
            let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
            let task = Task {
                try await expectFailure([.cancelled], reached: nil) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
            }
            _ = await begun.wait { $0 }
            task.cancel()
            try await task.value
        },
        Case("sends a file unchanged") { transport in
            let folder = try TemporaryDirectory()
            try folder.write(text, to: "up")
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: folder.path("up")))
            let reports = Watched<[TransferProgress]>([])
            _ = try await transport.send(request, deadline: soon) { report in reports.update { $0.append(report) } }
            let sent = await server.stop().requests.first ?? ""
            try require(sent.hasBytes(suffix: "\r\n\r\n" + text), "\(sent.utf8.count) bytes arrived")
            try require(sent.hasBytes("Content-Length: 300000\r\n"), "sent: \(sent.prefix(300))")
            let whole = TransferProgress(sent: 300_000, sentTotal: 300_000, received: 2, receivedTotal: 2)
            try requireProgress(reports.value, endingWith: whole)
        },
        Case("sends nothing when the file to send is missing") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([.readRequest, .respond("ok")])
            let request = HTTPRequest(method: .put, url: server.url(), body: .file(path: folder.path("none")))
            try await expectFailure([.file], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
            try require(await server.stop().requests.isEmpty, "the server saw a request")
        },
    ]

    private static let downloads = [
        Case("replaces the old file by the download, and reports progress") { transport in
            let folder = try TemporaryDirectory()
            try folder.write("old", to: "down")
            let server = try ScriptServer([.readRequest, .respond(text)])
            let reports = Watched<[TransferProgress]>([])
            let response = try await transport.download(
                HTTPRequest(url: server.url()), to: folder.path("down"), deadline: soon
            ) { report in reports.update { $0.append(report) } }
            try require(response.head.status == 200 && response.body.isEmpty, "the response has the body too")
            try requireFiles(["down": text], in: folder)
            let whole = TransferProgress(sentTotal: 0, received: 300_000, receivedTotal: 300_000)
            try requireProgress(reports.value, endingWith: whole)
        },
        Case("keeps the old file and nothing else if a download is interrupted") { transport in
            let folder = try TemporaryDirectory()
            try folder.write("old", to: "down")
            let server = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc")])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await transport.download(request, to: folder.path("down"), deadline: soon, progress: nil)
            }
            try requireFiles(["down": "old"], in: folder)
        },
        Case("returns the body of a rejected download in the response and changes no file") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([.readRequest, .respond(status: 404, "not here")])
            let response = try await transport.download(
                HTTPRequest(url: server.url()), to: folder.path("down"), deadline: soon, progress: nil)
            try require(response.head.status, is: 404, "status")
            try require(response.body == Array("not here".utf8), "\(response.body.count) bytes")
            try requireFiles([:], in: folder)
        },
        Case("fails if the directory of a download is missing") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([.readRequest, .respond("x")])
            let request = HTTPRequest(url: server.url())
            try await expectFailure([.file], reached: true) { () async throws(TransportError) in
                try await transport.download(request, to: folder.path("missing/down"), deadline: soon, progress: nil)
            }
            try requireFiles([:], in: folder)
        },
    ]

    /// Sends two million bytes in forty chunks, once.
    private static func checkStreamedBody(length: Int64?, on transport: any HTTPTransport) async throws {
        let server = try ScriptServer([.readRequest, .respond("ok")])
        let left = Mutex(40)
        let source = HTTPBody.Source.once(length: length) {
            left.withLock { left in
                left -= 1
                return left >= 0 ? Array(repeating: UInt8(ascii: "x"), count: 50_000) : nil
            }
        }
        let request = HTTPRequest(method: .post, url: server.url(), body: .stream(source))
        let reports = Watched<[TransferProgress]>([])
        _ = try await transport.send(request, deadline: soon) { report in reports.update { $0.append(report) } }
        try await expectFailure([.invalidRequest], reached: false) { () async throws(TransportError) in
            try await transport.send(request, deadline: soon)
        }
        let requests = await server.stop().requests
        try require(requests.count == 1, "requests that the server saw: expected 1, found \(requests.count)")
        let end = requests[0].firstRange(bytes: "\r\n\r\n")?.lowerBound ?? requests[0].endIndex
        let (head, body) = (requests[0][..<end], requests[0][end...])
        // The sizes of chunks do not contain this letter.
        let count = body.utf8.count { $0 == UInt8(ascii: "x") }
        try require(count == 2_000_000, "number of bytes: expected 2000000, found \(count)")
        let hasLength = head.hasBytes("Content-Length: 2000000")
        try require(hasLength || (length == nil && head.hasBytes("chunked")), "sent: \(head)")
        let last = TransferProgress(sent: 2_000_000, sentTotal: length, received: 2, receivedTotal: 2)
        try requireProgress(reports.value, endingWith: last)
    }

    private static func requireProgress(
        _ reports: [TransferProgress], endingWith last: TransferProgress
    ) throws {
        let isGrowing = zip(reports, reports.dropFirst()).allSatisfy {
            $0.sent <= $1.sent && $0.received <= $1.received
        }
        try require(isGrowing, "progress went back: \(reports)")
        try require(reports.last == last, "the last report is \(reports.last.map { "\($0)" } ?? "missing")")
    }

    private static func requireFiles(_ files: [String: String], in folder: TemporaryDirectory) throws {
        try require(folder.names == files.keys.sorted(), "files: \(folder.names)")
        for (name, content) in files { try require(folder.text(of: name) == content, "\(name) has other content") }
    }
}

extension TransportConformance {
    /// Cases about the delay before a cancelled call returns.
    static let promptness: [Case] = [
        prompt("while it connects") { transport in
            let port = try SilentPort()
            return {
                let task = Task {
                    try await ending { () async throws(TransportError) in
                        try await transport.send(HTTPRequest(method: .post, url: port.url), deadline: soon)
                    }
                }
                // The transport gives no sign that it connects. It starts to connect in far less than this time.
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
        prompt("while it waits for the response head") { transport in
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
                var iterator = response.stream.makeAsyncIterator()
                _ = try await iterator.next()
                return Task {
                    try await ending { () async throws(TransportError) in try await response.stream.collect(upTo: 100) }
                }
            }
        },
    ]

    /// Begins a call that waits without end, and whose task returns the time at which it ended.
    private typealias Beginning = @Sendable () async throws -> Task<ContinuousClock.Instant, any Error>

    private static func prompt(
        _ stage: String, _ prepare: @escaping @Sendable (any HTTPTransport) throws -> Beginning
    ) -> Case {
        Case("returns within 10 ms of being cancelled \(stage)") { transport in
            let begin = try prepare(transport)
            // A busy machine may delay a round, so the best one counts. A transport that polls is slow in all rounds.
            var best = Duration.seconds(60)
            for _ in 0..<5 where best > .milliseconds(10) { best = min(best, try await medianDelay(begin)) }
            try require(best <= .milliseconds(10), "it took \(best) in the best of five rounds")
        }
    }

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

    /// The time at which a call ended that must be cancelled.
    private static func ending(
        of body: () async throws(TransportError) -> some Any
    ) async throws -> ContinuousClock.Instant {
        try await expectFailure([.cancelled], reached: nil, of: body)
        return .now
    }
}

extension TransportConformance {
    /// Broken responses, which must cause typed errors that report that the server received the request.
    static let rejections: [Case] =
        brokenResponses.map { response in
            Case("rejects \(response.name)") { transport in
                let server = try ScriptServer([.readRequest] + response.steps)
                let request = HTTPRequest(method: .post, url: server.url(), body: .bytes([0x61]))
                try await expectFailure(response.codes, reached: true) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
                let count = await server.stop().requests.count
                try require(count, is: 1, "number of requests")
            }
        }

    private typealias Broken = (name: String, steps: ScriptServer.Script, codes: Set<TransportError.Code>)

    private static let brokenResponses = truncated + malformed + oversized

    private static let truncated: [Broken] = [
        ("an empty reply", [], [.connectionLost]),
        ("a reset instead of a response", [.reset], [.connectionLost]),
        (
            "a response head without its end", [.send("HTTP/1.1 200 OK\r\nContent-Le")],
            [.connectionLost, .invalidResponse]
        ),
        ("a body shorter than announced", [.send(ok("Content-Length: 9") + "abc")], [.connectionLost]),
        (
            "a reset within the body", [.send(ok("Content-Length: 9") + "abc"), .pause(.milliseconds(20)), .reset],
            [.connectionLost]
        ),
        ("a chunk shorter than announced", [.send(ok("Transfer-Encoding: chunked") + "5\r\nab")], [.connectionLost]),
        ("chunks without an end", [.send(ok("Transfer-Encoding: chunked") + "2\r\nab\r\n")], [.connectionLost]),
    ]

    private static let malformed: [Broken] = [
        ("garbage instead of a status line", [.send("\u{1}\u{2}garbage\r\n\r\n")], [.invalidResponse]),
        ("text without a header", [.send("just text")], [.invalidResponse]),
        ("contradictory lengths", [.send(ok("Content-Length: 1\r\nContent-Length: 2") + "ab")], [.invalidResponse]),
        (
            "a transfer coding that was not requested",
            [.send(ok("Transfer-Encoding: gzip, chunked") + "2\r\nab\r\n0\r\n\r\n")],
            [.invalidResponse]
        ),
        ("a negative length", [.send(ok("Content-Length: -1"))], [.invalidResponse]),
        ("a length with a sign", [.send(ok("Content-Length: +2") + "ok")], [.invalidResponse]),
        (
            "a length that overflows", [.send(ok("Content-Length: 99999999999999999999"))],
            [.invalidResponse, .tooLarge]
        ),
        (
            "a chunk size that is not a number", [.send(ok("Transfer-Encoding: chunked") + "zz\r\nab")],
            [.invalidResponse, .connectionLost]
        ),
        (
            "text labelled as gzip", [.respond(fields: [("Content-Encoding", "gzip")], "not gzip at all")],
            [.invalidResponse]
        ),
        (
            "a gzip body without its end",
            [
                .send(ok("Content-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count - 10)")),
                .sendBytes(Array(GzipSamples.hello.dropLast(10))),
            ], [.invalidResponse, .connectionLost]
        ),
        ("an unknown content coding", [.respond(fields: [("Content-Encoding", "rot13")], "x")], [.invalidResponse]),
        (
            "a switch of protocols that was not requested", [.send("HTTP/1.1 101 Switching\r\n\r\n")],
            [.invalidResponse, .connectionLost]
        ),
    ]

    private static let oversized: [Broken] = [
        ("a length that no memory can hold", [.send(ok("Content-Length: 9223372036854775806") + "x")], [.tooLarge]),
        ("10,000 header lines", [.send(ok(String(repeating: "X: aaaaaaaa\r\n", count: 10_000) + "Y: 1"))], [.tooLarge]),
        ("a header line of 1 MB", [.send(ok("X: " + String(repeating: "a", count: 1_000_000)))], [.tooLarge]),
        (
            "a decompression bomb",
            [
                .send(ok("Content-Encoding: gzip\r\nContent-Length: \(GzipSamples.bomb.count)")),
                .sendBytes(GzipSamples.bomb),
            ], [.tooLarge]
        ),
    ]
}
