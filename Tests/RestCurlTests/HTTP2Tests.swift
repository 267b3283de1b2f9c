// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import BuiltPrograms
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport and HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private func transport(_ authority: TestAuthority) -> CurlTransport {
        CurlTransport(trusting: authority) { $0.collectsMetrics = true }
    }

    @Test("TLS negotiates HTTP/2, and concurrent requests share a connection")
    func shared() async throws {
        let authority = try await TestAuthority.make()
        let origin = try ScriptServer([.readRequest, .pause(.seconds(3)), .respond("ok")])
        let server = try await FrontServer.start(authority.identity(), originPort: origin.port)
        let transport = transport(authority)
        let request = HTTPRequest(method: .post, url: server.url, body: .bytes([1, 2, 3]))
        async let first = transport.send(request, deadline: soon)
        async let second = transport.send(request, deadline: soon)
        let journal = await origin.wait { $0.requests.count == 2 }
        #expect(journal.connections.allSatisfy { $0.sentBytes == 0 }, "the second waited for the answer to the first")
        let responses = try await [first, second]
        #expect(responses.map(\.head.status) == [200, 200])
        #expect(responses.map(\.metrics?.protocolName) == ["HTTP/2", "HTTP/2"])
        let names = responses.compactMap { $0.head.fields["X-Connection"] }
        #expect(names.count == 2 && Set(names).count == 1, "connections: \(names)")
        await transport.shutdown()
        await server.stop()
    }

    @Test("A cancelled request ends its stream, and not the connection of the others")
    func cancelled() async throws {
        let authority = try await TestAuthority.make()
        let origin = try ScriptServer(connections: [
            [.readRequest, .respond("ok")], [.readRequest, .readToEnd], [.readRequest, .respond("ok")],
        ])
        let server = try await FrontServer.start(authority.identity(), originPort: origin.port)
        let transport = transport(authority)
        let request = HTTPRequest(url: server.url)
        let first = try await transport.send(request, deadline: soon)
        let task = Task {
            await transport.error(for: request)
        }
        await origin.wait { $0.requests.count == 2 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        let last = try await transport.send(request, deadline: soon)
        #expect(last.head.fields["X-Connection"] == first.head.fields["X-Connection"])
        #expect(last.metrics?.isConnectionReused == true)
        await transport.shutdown()
        await server.stop()
    }
}

@Suite("CurlTransport conforms over HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2ConformanceTests {
    init() { ignoreProxies() }

    @Test("Every conformance case that applies to HTTP/2 passes")
    func conforms() async throws {
        try await withFront { configuration, front in
            for testCase in TransportConformance.framedCases {
                let transport = CurlTransport(configuration: configuration)
                do {
                    try await testCase.run(on: FrontedTransport(transport, front: front))
                } catch {
                    Issue.record("\(testCase): \(error)")
                }
                await transport.shutdown()
            }
        }
    }

    @Test("Every limit that applies to HTTP/2 is kept")
    func keepsLimits() async throws {
        try await withFront { configuration, front in
            for testCase in TransportConformance.framedLimitCases {
                do {
                    try await testCase.run { limits in
                        let transport = CurlTransport(configuration: configuration.keeping(limits))
                        return FrontedTransport(transport, front: front)
                    }
                } catch {
                    Issue.record("\(testCase): \(error)")
                }
            }
        }
    }

    @Test("Every case that is excluded for HTTP/2 exists in the suite")
    func noStaleNames() {
        let names = TransportConformance.cases.map(\.name) + TransportConformance.limitCases.map(\.name)
        #expect(Set(TransportConformance.withoutMeaning.keys).isSubset(of: names))
    }

    private func withFront(_ body: (CurlConfiguration, Origin) async throws -> Void) async throws {
        let authority = try await TestAuthority.make()
        let front = try await FrontServer.start(authority.identity(), originPort: nil)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        try await body(configuration, front.url.origin)
        await front.stop()
    }
}
extension CurlConfiguration {
    func keeping(_ limits: TransportConformance.Limits) -> CurlConfiguration {
        var configuration = self
        configuration.firstByteTimeout = limits.firstByteTimeout
        configuration.idleTimeout = limits.idleTimeout
        configuration.maximumConnectionsPerHost = limits.maximumConnectionsPerHost
        configuration.maximumBodyBytes = limits.maximumBodyBytes
        configuration.collectsMetrics = limits.collectsMetrics
        return configuration
    }
}

/// Uses responses with unusual or invalid frames, which no proxy server would forward.
@Suite("CurlTransport and frames", .timeLimit(.minutes(2)))
struct HTTP2FramesTests {
    private struct Response: Sendable {
        let name: String
        let script: FrameServer.Script
        /// The possible error codes of the call, or none if the response must be accepted.
        let codes: Set<TransportError.Code>
        let status: Int
        let body: String

        init(_ name: String, _ script: FrameServer.Script, _ codes: Set<TransportError.Code>) {
            (self.name, self.script, self.codes, status, body) = (name, script, codes, 0, "")
        }

        init(_ name: String, _ script: FrameServer.Script, status: Int = 200, body: String) {
            (self.name, self.script, codes, self.status, self.body) = (name, script, [], status, body)
        }
    }

    private static let ordinary: FrameServer.Script = [
        .ok([("content-length", "2")]), .data(Array("ok".utf8), ends: true),
    ]
    private static let abc = Array("abc".utf8)
    private static let broken: Set<TransportError.Code> = [.connectionLost, .invalidResponse]

    private static let legal = [
        Response(
            "interim answers", [.headers([(":status", "103"), ("link", "</a>")]), .ok(), .data(abc, ends: true)],
            body: "abc"),
        Response("trailers", [.ok(), .data(abc), .headers([("x-trailer", "1")], ends: true)], body: "abc"),
        Response("no length", [.ok(), .data(abc), .data(abc, ends: true)], body: "abcabc"),
        Response("empty frames", [.ok(), .data([]), .data(abc), .data([]), .data([], ends: true)], body: "abc"),
        Response("padding", [.ok(), .frame(type: 0, flags: 9, [4] + abc + [0, 0, 0, 0])], body: "abc"),
        Response("frames of unknown types", [.ok(), .frame(type: 0xFA, abc), .data(abc, ends: true)], body: "abc"),
        Response("no body at all", [.headers([(":status", "204")], ends: true)], status: 204, body: ""),
        Response(
            "an end without an error behind the answer", [.ok(), .data(abc, ends: true), .reset(0)], body: "abc"),
        Response(
            "many header fields in several frames",
            [.ok((0..<300).map { ("x-\($0)", String(repeating: "a", count: 100)) }), .data(abc, ends: true)],
            body: "abc"),
    ]

    private static let refused = [
        Response("a body shorter than announced", [.ok([("content-length", "9")]), .data(abc, ends: true)], broken),
        Response("a body longer than announced", [.ok([("content-length", "2")]), .data(abc, ends: true)], broken),
        Response(
            "contradictory lengths",
            [.ok([("content-length", "3"), ("content-length", "4")]), .data(abc, ends: true)], broken),
        Response("a negative length", [.ok([("content-length", "-1")]), .data(abc, ends: true)], broken),
        Response(
            "a length that overflows", [.ok([("content-length", "99999999999999999999")]), .data(abc, ends: true)],
            broken.union([.tooLarge])),
        Response("a stream that is reset instead of an answer", [.reset(2)], broken),
        Response("a stream that is reset within the body", [.ok(), .data(abc), .reset(2)], broken),
        Response("a stream that is refused", [.reset(7)], broken),
        Response("an end of the connection instead of an answer", [.close], broken),
        Response("an end of the connection within the body", [.ok(), .data(abc), .close], broken),
        Response("a body before its header", [.data(abc, ends: true)], broken),
        Response("a header without a status", [.headers([("x", "1")]), .data(abc, ends: true)], broken),
        Response("a status that is none", [.headers([(":status", "abc")]), .data(abc, ends: true)], broken),
        Response("two statuses", [.ok([(":status", "200")]), .data(abc, ends: true)], broken),
        Response("a field name in upper case", [.ok([("X-Upper", "1")]), .data(abc, ends: true)], broken),
        Response("a line end in a field", [.ok([("x", "1\r\ny: 2")]), .data(abc, ends: true)], broken),
        Response("a header that cannot be unpacked", [.frame(type: 1, flags: 4, [0xFF, 0xFF, 0xFF, 0xFF])], broken),
        Response(
            "an answer that was promised and not asked for", [.frame(type: 5, flags: 4, [0, 0, 0, 2, 0x88])], broken),
        Response("text labelled as gzip", [.ok([("content-encoding", "gzip")]), .data(abc, ends: true)], broken),
    ]

    /// libcurl 7.88 keeps the connection, and the next call then fails because of its remaining bytes.
    private static let flood = Response(
        "a header of 1 MB", [.ok((0..<100).map { ("x-\($0)", String(repeating: "a", count: 10_000)) }, ends: true)],
        broken.union([.tooLarge]))

    @Test("An unusual response is read or rejected correctly, and the next call gets its own response")
    func responses() async throws {
        let authority = try await TestAuthority.make()
        let identity = try await authority.identity()
        for sample in Self.legal + Self.refused + [Self.flood] {
            let origin = try FrameServer([sample.script, Self.ordinary])
            let front = try await FrontServer.tunnel(identity, toPort: origin.port)
            let transport = CurlTransport(trusting: authority)
            await check(sample, at: front.url, on: transport, isLast: sample.name == Self.flood.name)
            await transport.shutdown()
            await front.stop()
        }
    }

    /// Sends a request and compares the result with the expected response.
    ///
    /// If this call `isLast`, the next call may be lost with the connection.
    private func check(_ sample: Response, at url: HTTPURL, on transport: CurlTransport, isLast: Bool) async {
        let request = HTTPRequest(method: .post, url: url, body: .bytes([0x61]))
        do throws(TransportError) {
            let response = try await transport.send(request, deadline: soon)
            #expect(sample.codes.isEmpty, "\(sample.name): status \(response.head.status)")
            #expect(response.head.status == sample.status, "\(sample.name)")
            #expect(text(response) == sample.body, "\(sample.name)")
        } catch {
            #expect(sample.codes.contains(error.code), "\(sample.name): \(error)")
            #expect(error.mayHaveReachedServer, "\(sample.name)")
        }
        do throws(TransportError) {
            if isLast { _ = try? await transport.send(request, deadline: soon) }
            let next = try await transport.send(request, deadline: soon)
            #expect(text(next) == "ok", "behind \(sample.name)")
        } catch {
            Issue.record("behind \(sample.name): \(error)")
        }
    }
}

/// Requests responses of every size after every number of small ones, from HTTP/2 servers with different framing.
@Suite("CurlTransport and body sizes over HTTP/2", .timeLimit(.minutes(2)))
struct HTTP2SizesTests {
    /// Sizes around the limits of frames (16 KiB), of records and of buffers.
    private static let sizes = [
        0, 1, 1_000, 1_024, 1_500, 2_048, 3_000, 4_096, 8_192, 9_000, 16_000, 16_384, 16_385, 20_000, 32_768, 65_536,
        1_000_000, SizedBodyServer.largest,
    ]

    @Test(
        "A body of any size arrives completely after any number of small responses",
        arguments: FrontServer.Program.allCases)
    func afterSmall(program: FrontServer.Program) async throws {
        try await withFront(program) { url, make in
            for count in 0...40 {
                let transport = make()
                for number in 0..<count { try await check(100, number, url, transport) }
                // Three of the sizes each time, so that every size follows few and many small responses.
                for step in 0..<3 {
                    try await check(Self.sizes[(count * 5 + step * 7) % Self.sizes.count], 1_000 + step, url, transport)
                }
                await transport.shutdown()
            }
        }
    }

    @Test(
        "A body of any size arrives completely while the connection has other streams",
        arguments: FrontServer.Program.allCases)
    func besideOthers(program: FrontServer.Program) async throws {
        try await withFront(program) { url, make in
            let transport = make()
            for round in 0..<10 {
                for number in 0..<40 { try await check(100, number, url, transport) }
                try await withThrowingTaskGroup { group in
                    for (number, size) in Self.sizes.enumerated() {
                        group.addTask { try await check(size, round * 100 + number, url, transport) }
                    }
                    try await group.waitForAll()
                }
            }
            await transport.shutdown()
        }
    }

    private func check(_ size: Int, _ number: Int, _ url: HTTPURL, _ transport: CurlTransport) async throws {
        let path = SizedBodyServer.path(size: size, number: number)
        let request = HTTPRequest(url: HTTPURL(origin: url.origin, path: path))
        let response = try await transport.send(request, deadline: soon)
        try #require(response.metrics?.protocolName == "HTTP/2")
        let isWhole = response.head.status == 200 && SizedBodyServer.isBody(response.body, size: size, number: number)
        let found = "\(response.head.status), \(response.body.count) bytes"
        try #require(isWhole, "number \(number) of \(size) bytes: \(found)")
    }

    private func withFront(
        _ program: FrontServer.Program, _ body: (HTTPURL, () -> CurlTransport) async throws -> Void
    ) async throws {
        let authority = try await TestAuthority.make()
        let origin = try SizedBodyServer()
        let front = try await FrontServer.start(
            authority.identity(), program: program, originPort: origin.port, keepsOrigin: true)
        try await body(front.url) { CurlTransport(trusting: authority) { $0.collectsMetrics = true } }
        await front.stop()
    }
}
#endif
