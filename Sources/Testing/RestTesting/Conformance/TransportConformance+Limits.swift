// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

extension TransportConformance {
    /// The limits for the transport of a ``LimitCase``, in addition to its own defaults.
    public struct Limits: Sendable {
        /// The maximum time from sending a request to the end of the response head.
        public internal(set) var firstByteTimeout: Duration?
        /// The maximum time without a byte of a body.
        public internal(set) var idleTimeout: Duration = .seconds(60)
        /// The maximum number of open connections to one host.
        public internal(set) var maximumConnectionsPerHost = 32
        /// The maximum size of a buffered body, in bytes.
        public internal(set) var maximumBodyBytes = 1_048_576
        /// Whether responses contain their metrics.
        public internal(set) var collectsMetrics = false
    }

    /// A case about the configurable limits of a transport.
    public struct LimitCase: Sendable, CustomStringConvertible {
        /// The requirement on the transport.
        public let name: String
        private let limits: Limits
        private let body: @Sendable (any HTTPTransport) async throws -> Void

        fileprivate init(
            _ name: String, limits change: (inout Limits) -> Void,
            body: @escaping @Sendable (any HTTPTransport) async throws -> Void
        ) {
            self.name = name
            var limits = Limits()
            change(&limits)
            self.limits = limits
            self.body = body
        }

        /// Runs the case.
        ///
        /// - Parameter make: creates a transport with these limits, which is shut down at the end.
        /// - Throws: `Violation`, or the error that prevented the case from running.
        public func run(making make: @Sendable (Limits) -> any HTTPTransport) async throws {
            let transport = make(limits)
            try await body(transport)
            await transport.shutdown()
        }

        /// The case's name.
        public var description: String { name }
    }

    /// Cases about timeouts, connections, sizes and metrics.
    public static let limitCases = times + sizes

    private static let times = [
        LimitCase("ends a call without a response at firstByteTimeout") {
            $0.firstByteTimeout = .milliseconds(60)
        } body: { transport in
            let server = try ScriptServer([.readRequest, .readToEnd])
            let request = HTTPRequest(method: .post, url: server.url())
            try await expectFailure([.timedOut], reached: true) { () async throws(TransportError) in
                try await transport.send(request, deadline: soon)
            }
        },
        LimitCase("ends a body that stops") {
            $0.idleTimeout = .milliseconds(120)
        } body: { transport in
            let server = try ScriptServer([.readRequest, .send(ok(length: 20) + "abc"), .readToEnd])
            try await expectFailure([.timedOut], reached: true) { () async throws(TransportError) in
                try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            }
        },
        // A busy machine may pause. The whole body takes longer than the idle timeout.
        LimitCase("does not end a slow body") {
            $0.idleTimeout = .milliseconds(1_500)
        } body: { transport in
            let drip = ScriptServer.Step.drip(Array(repeating: 0x61, count: 20), every: .milliseconds(100))
            let server = try ScriptServer([.readRequest, .send(ok(length: 20)), drip])
            let response = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
            try require(response.body.count, is: 20, "number of bytes")
        },
        LimitCase("does not count waiting for the response to a write as idle") {
            $0.idleTimeout = .milliseconds(1_500)
        } body: { transport in
            let text = [UInt8](repeating: 0x61, count: 100_000)
            let bodies = [
                .bytes([1, 2, 3]), .bytes(text), .stream(source(of: [text.count], length: Int64(text.count))),
                HTTPBody.stream(source(of: [text.count], length: nil)),
            ]
            let server = try ScriptServer([.readRequest, .pause(.milliseconds(2_000)), .respond("ok")])
            try await withThrowingTaskGroup { group in
                for body in bodies {
                    group.addTask {
                        let request = HTTPRequest(method: .post, url: server.url(), body: body)
                        let response = try await transport.send(request, deadline: soon)
                        try require(response.head.status, is: 200, "status")
                    }
                }
                try await group.waitForAll()
            }
        },
        LimitCase("does not count a slow reader as idle") {
            $0.idleTimeout = .milliseconds(1_500)
        } body: { transport in
            let block = [UInt8](repeating: 0x61, count: 65_536)
            let server = try ScriptServer([
                .readRequest, .send(ok(length: block.count * 100)), .flood(block, count: 100),
            ])
            let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
            try await Task.sleep(for: .milliseconds(2_000))
            let count = try await response.stream.collect(upTo: .max).count
            try require(count, is: block.count * 100, "number of bytes")
        },
        LimitCase("sends nothing for a call that waits for a connection until its deadline") {
            $0.maximumConnectionsPerHost = 2
        } body: { transport in
            let server = try ScriptServer([.readRequest, .readToEnd])
            let request = HTTPRequest(url: server.url())
            let holders = (0..<2).map { _ in Task { try? await transport.send(request, deadline: soon) } }
            await server.wait { $0.requests.count == 2 }
            try await expectFailure([.timedOut], reached: false) { () async throws(TransportError) in
                try await transport.send(request, deadline: .now + .milliseconds(80))
            }
            for holder in holders { holder.cancel() }
            for holder in holders { _ = await holder.value }
            let count = await server.stop().requests.count
            try require(count, is: 2, "number of requests")
        },
    ]

    private static let sizes = [
        LimitCase("buffers no body over the limit, announced or not") {
            $0.maximumBodyBytes = 100
        } body: { transport in
            let fits = try ScriptServer([.readRequest, .respond(String(repeating: "x", count: 100))])
            let response = try await transport.send(HTTPRequest(url: fits.url()), deadline: soon)
            try require(response.body.count, is: 100, "number of bytes")
            let body = String(repeating: "x", count: 101)
            for head in [ok(length: 101), "HTTP/1.1 200 OK\r\n\r\n"] {
                let server = try ScriptServer([.readRequest, .send(head + body)])
                try await expectFailure([.tooLarge], reached: true) { () async throws(TransportError) in
                    try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
                }
            }
        },
        LimitCase("measures a call") {
            $0.collectsMetrics = true
        } body: { transport in
            let server = try ScriptServer([.readRequest, .respond("hello")])
            let request = HTTPRequest(method: .post, url: server.url(), body: .bytes([1, 2, 3]))
            try requireCost(try await transport.send(request, deadline: soon).metrics, sent: 3, received: 5)
        },
        LimitCase("measures a stream, also if it is interrupted") {
            $0.collectsMetrics = true
        } body: { transport in
            let server = try ScriptServer([.readRequest, .respond("hello")])
            let request = HTTPRequest(method: .post, url: server.url(), body: .bytes([1, 2, 3]))
            let whole = try await transport.stream(request, deadline: soon)
            _ = try await whole.stream.collect(upTo: 5)
            try requireCost(whole.metrics, sent: 3, received: 5)
            let breaking = try ScriptServer([.readRequest, .send(ok(length: 10) + "abc")])
            let part = try await transport.stream(HTTPRequest(url: breaking.url()), deadline: soon)
            try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
                try await part.stream.collect(upTo: 10)
            }
            try requireCost(part.metrics, sent: 0, received: 3)
        },
        LimitCase("measures a download") {
            $0.collectsMetrics = true
        } body: { transport in
            let folder = try TemporaryDirectory()
            for response in ["200 OK", "404 Not Found"] {
                let text = "HTTP/1.1 \(response)\r\nContent-Length: 5\r\n\r\nhello"
                let server = try ScriptServer([.readRequest, .send(text)])
                let request = HTTPRequest(url: server.url())
                let response = try await transport.download(
                    request, to: folder.path("down"), deadline: soon, progress: nil)
                try requireCost(response.metrics, sent: 0, received: 5)
            }
        },
    ]

    private static func requireCost(_ metrics: TransferMetrics?, sent: Int64, received: Int64) throws {
        guard let metrics else { throw Violation("there are no metrics") }
        try require(metrics.sentBytes == sent && metrics.receivedBytes == received, "\(metrics)")
        try require(metrics.firstByte > .zero && metrics.firstByte <= metrics.total, "\(metrics)")
    }
}

extension TransportConformance {
    /// Cases about partial downloads, and downloads that resume after an interruption.
    static let ranges: [Case] = [
        Case("requests a part of a file and accepts exactly that part") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([.readRequest, .send(part(2, "cde", of: 10))])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .bytes(2..<5))
            let response = try await download(from: server, to: target, on: transport)
            try require(response.head.status, is: 206, "status")
            try require(folder.text(of: "down") ?? "no file", is: "cde", "text of the file")
            let request = await server.stop().requests.first ?? ""
            try require(request.lowercased().hasBytes("range: bytes=2-4\r\n"), "sent: \(request)")
            try require(request.lowercased().hasBytes("accept-encoding: identity\r\n"), "sent: \(request)")
        },
        Case("takes the requested part from a whole file") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([.readRequest, .respond("abcdefghij")])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .bytes(2..<5))
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "cde", "text of the file")
        },
        Case("resumes an interrupted download, and reports its total progress") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .send(part(6, "ghij", of: 10))],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            try require(folder.text(of: "down") == nil, "an incomplete file has the final name")
            let last = Mutex(TransferProgress())
            _ = try await download(from: server, to: target, on: transport) { step in last.withLock { $0 = step } }
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
            let told = last.withLock { $0 }
            try require(told.received == 10 && told.receivedTotal == 10, "reported: \(told)")
            let request = await server.stop().requests.last ?? ""
            let fields = request.lowercased()
            try require(fields.hasBytes("range: bytes=6-9\r\n"), "sent: \(request)")
            try require(fields.hasBytes("if-range: \"a\"\r\n"), "sent: \(request)")
        },
        Case("starts over if the file has changed") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .respond("something else")],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") == "something else", "the file has parts of both versions")
        },
        Case("starts over if the entity tag is weak") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10, tag: "W/\"a\""))], [.readRequest, .respond("abcdefghij")],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
            let request = await server.stop().requests.last ?? ""
            try require(!request.hasBytes("Range:"), "sent: \(request)")
        },
        Case("rejects a part other than the requested one") { transport in
            for content in ["5-8/10", "7-9/10", "6-9/11", "6-9/*", "-6-9/10", "6-99999999999999999999/10", "6-9"] {
                let folder = try TemporaryDirectory()
                let response =
                    "HTTP/1.1 206 X\r\nETag: \"a\"\r\nContent-Range: bytes \(content)\r\nContent-Length: 4\r\n\r\n"
                let server = try ScriptServer(connections: [
                    [.readRequest, .send(whole("abcdef", of: 10))], [.readRequest, .send(response + "ghij")],
                ])
                let target = HTTPResponse.Download(path: folder.path("down"))
                try await expectBreak(of: server, target, on: transport)
                try await expectFailure([.invalidResponse], reached: true) { () async throws(TransportError) in
                    try await download(from: server, to: target, on: transport)
                }
                target.discard()
                try require(folder.names.isEmpty, "left: \(folder.names)")
            }
        },
        Case("keeps the received part if the server is busy in between") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer(connections: [
                [.readRequest, .send(whole("abcdef", of: 10))],
                // The server announces that it closes, because a request on a closing connection may be lost.
                [.readRequest, .respond(status: 503, fields: [("Connection", "close")], "busy")],
                [.readRequest, .send(part(6, "ghij", of: 10))],
            ])
            let target = HTTPResponse.Download(path: folder.path("down"))
            try await expectBreak(of: server, target, on: transport)
            let busy = try await download(from: server, to: target, on: transport)
            try require(busy.body == Array("busy".utf8), "the response has another body")
            _ = try await download(from: server, to: target, on: transport)
            try require(folder.text(of: "down") ?? "no file", is: "abcdefghij", "text of the file")
        },
        Case("returns the response to a range beyond the end, and changes no file") { transport in
            let folder = try TemporaryDirectory()
            let server = try ScriptServer([
                .readRequest, .respond(status: 416, fields: [("Content-Range", "bytes */10")], "too far"),
            ])
            let target = HTTPResponse.Download(path: folder.path("down"), range: .from(100))
            let response = try await download(from: server, to: target, on: transport)
            try require(response.head.status, is: 416, "status")
            try require(folder.names.isEmpty, "left: \(folder.names)")
        },
    ]

    private static func whole(_ text: String, of length: Int, tag: String = "\"a\"") -> String {
        ok("ETag: \(tag)\r\nContent-Length: \(length)") + text
    }

    private static func part(_ start: Int, _ text: String, of length: Int) -> String {
        let count = text.utf8.count
        return "HTTP/1.1 206 X\r\nETag: \"a\"\r\nContent-Range: bytes \(start)-\(start + count - 1)/\(length)\r\n"
            + "Content-Length: \(count)\r\n\r\n\(text)"
    }

    private static func download(
        from server: ScriptServer, to target: HTTPResponse.Download, on transport: any HTTPTransport,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        try await transport.download(HTTPRequest(url: server.url()), to: target, deadline: soon, progress: progress)
    }

    private static func expectBreak(
        of server: ScriptServer, _ target: HTTPResponse.Download, on transport: any HTTPTransport
    ) async throws {
        try await expectFailure([.connectionLost], reached: true) { () async throws(TransportError) in
            try await download(from: server, to: target, on: transport)
        }
    }
}
