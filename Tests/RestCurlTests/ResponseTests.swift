// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import TestSupport
import Testing

@testable import RestCurl

@Suite("CurlTransport reads valid HTTP responses", .timeLimit(.minutes(1)))
struct ResponseTests {
    let transport = CurlTransport()

    private func response(
        _ steps: ScriptServer.Step...
    ) async throws -> HTTPResponse {
        let server = try ScriptServer([.readRequest] + steps)
        return try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
    }

    @Test("Trailers and interim headers are not part of the response head")
    func trailersStayOut() async throws {
        let wire =
            "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n0\r\nAuthorization: evil\r\n\r\n"
        let fields = try await response(.send(wire)).head.fields
        #expect(fields.map(\.name) == ["Transfer-Encoding"])
    }

    @Test("Endless interim responses are rejected like one long response head")
    func endlessInterim() async {
        let hint = "HTTP/1.1 103 Hints\r\nLink: \(String(repeating: "x", count: 1000))\r\n\r\n"
        let flood = String(repeating: hint, count: 100)
        let error = await #expect(throws: TransportError.self) { try await response(.send(flood)) }
        #expect(error?.code == .tooLarge)
    }

    @Test("Bytes in a header that are not UTF-8 are read as ISO 8859-1")
    func headerBytes() async throws {
        let wire =
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\nY: é\r\n\r\n".utf8)
        let fields = try await response(.sendBytes(wire)).head.fields
        #expect(fields["X"] == "café")
        #expect(fields["Y"] == "é")
    }

    @Test("A chunked body that is cut is an error, even if an announced length is reached")
    func cutChunks() async {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
        let error = await #expect(throws: TransportError.self) { try await response(.send(head + "3\r\nabc\r\n")) }
        #expect(error?.code == .connectionLost || error?.code == .invalidResponse)
    }

    @Test("A stream keeps its transport running when no other code references it")
    func orphanedStream() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head + "abc"), .pause(.milliseconds(100)), .send("def")])
        let request = HTTPRequest(url: server.url())
        let body = try await CurlTransport().stream(request, deadline: soon).stream
        #expect(try await body.collect(upTo: 9) == Array("abcdef".utf8))
    }
}

@Suite("Ordinary and unusual responses in every order", .timeLimit(.minutes(3)))
struct ResponseMixTests {
    @Test("The corpus has more than 300 responses with unique names")
    func corpus() {
        let names = ResponseMix.responses.map(\.name)
        #expect(names.count > 300)
        #expect(Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
    }

    @Test("Each call gets its own response or the expected error, without TLS", arguments: [1, 64])
    func plain(width: Int) async throws {
        let server = try ResponseServer(ResponseMix.responses)
        let transport = CurlTransport()
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        await check(ResponseMix(at: origin, on: transport), width)
        await transport.shutdown()
        await server.stop()
    }

    #if canImport(Glibc) || canImport(Musl)
    @Test("Each call gets its own response or the expected error, over TLS", arguments: [1, 64])
    func overTLS(width: Int) async throws {
        let authority = try await TestAuthority.make()
        let server = try ResponseServer(ResponseMix.responses)
        let front = try await TLSFront.start(authority.identity(), to: server.port)
        let transport = CurlTransport(trusting: authority)
        await check(ResponseMix(at: front.origin, on: transport), width)
        await transport.shutdown()
        await front.stop()
        await server.stop()
    }

    @Test(
        "A response that claims to be HTTP/2 does not cause another call to share an HTTP/1.1 connection",
        arguments: [false, true])
    func liars(isTLS: Bool) async throws {
        let authority = try await TestAuthority.make()
        let server = try ResponseServer(ResponseMix.responses)
        let front = try await TLSFront.start(authority.identity(), to: server.port)
        let transport = CurlTransport(trusting: authority) { $0.maximumConnectionsPerHost = 8 }
        let plain = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        let mix = ResponseMix(at: isTLS ? front.origin : plain, on: transport)
        await mix.run(1_000, atATime: 64, seed: 2026, among: ResponseMix.liars)
        expectNothing(of: mix)
        await transport.shutdown()
        await front.stop()
        await server.stop()
    }
    #endif

    /// Runs the calls one after the other, or `width` calls at a time.
    private func check(_ mix: ResponseMix, _ width: Int) async {
        if width == 1 { await mix.runInTurn() } else { await mix.run(1_500, atATime: width, seed: 2026) }
        expectNothing(of: mix)
    }

    private func expectNothing(of mix: ResponseMix) {
        let result = mix.result
        #expect(result.swapped == [])
        #expect(result.hung == [])
        #expect(result.verdicts == [])
    }
}

@Suite("The response head")
struct ResponseHeadParserTests {
    private static let status = "HTTP/1.1 200 OK\r\n"

    /// Reads response heads with the same parser, one after the other.
    private func read(_ heads: [String]) throws -> [HTTPFields] {
        var parser = ResponseHeadParser()
        return try heads.map { head in
            parser.reset()
            try receive(head, by: &parser)
            #expect(parser.isComplete)
            return parser.fields
        }
    }

    private func receive(_ head: String, by parser: inout ResponseHeadParser) throws {
        unsafe try Array((head + "\r\n").utf8).withUnsafeBytes { bytes in unsafe try parser.receive(bytes) }
    }

    private static let lines = ["A: 1\r\n", "Content-Length: 2\r\n", "B: x\r\n", "C: 3\r\n"]

    /// Response heads that share lines with the preceding one: all lines, or fewer from one position on.
    private static let sequels = [
        lines, lines, Array(lines.dropLast()), lines, lines + ["D: 4\r\n"], Array(lines.dropFirst()), lines,
        [lines[0], lines[1], "B: xy\r\n", lines[3]], [lines[0], lines[1], "B: \r\n", lines[3]], lines,
        ["A: 1\n"] + lines.dropFirst(), lines, [],
    ]

    @Test("Lines in common with the last response head do not change the result")
    func sequels() throws {
        let inTurn = try read(Self.sequels.map { Self.status + $0.joined() })
        for (lines, fields) in zip(Self.sequels, inTurn) {
            #expect(try read([Self.status + lines.joined()]) == [fields])
            #expect(fields.count == lines.count)
        }
    }

    @Test("The length in the last response head is not used for the next one")
    func forgottenLength() throws {
        var parser = ResponseHeadParser()
        try receive(Self.status + "Content-Length: 2\r\nContent-Encoding: gzip\r\n", by: &parser)
        #expect(parser.contentLength == 2)
        #expect(parser.contentCoding == "gzip")
        parser.reset()
        try receive(Self.status + "A: 1\r\n", by: &parser)
        #expect(parser.contentLength == nil)
        #expect(parser.contentCoding == nil)
    }

    @Test("An interim response has no effect on the final one, and nothing follows the final response head")
    func interim() throws {
        var parser = ResponseHeadParser()
        try receive("HTTP/1.1 103 Early Hints\r\nLink: x\r\nContent-Length: 9\r\n", by: &parser)
        #expect(!parser.isComplete)
        try receive("HTTP/1.1 201 \r\nA: 1\r\n", by: &parser)
        #expect(parser.isComplete)
        #expect(parser.status == 201)
        #expect(parser.contentLength == nil)
        try receive(Self.status + "B: 2\r\n", by: &parser)
        #expect(parser.fields.map(\.name) == ["A"])
    }

    @Test("A response must have the negotiated HTTP version")
    func version() throws {
        let lines = ["HTTP/1.1 200 OK\r\n", "HTTP/2 200 \r\n", "HTTP/2 103 \r\n", "HTTP/2.0 200 OK\r\n"]
        for isHTTP2 in [false, true] {
            for line in lines {
                var parser = ResponseHeadParser()
                parser.isHTTP2 = isHTTP2
                if line.hasPrefix("HTTP/2 ") == isHTTP2, line.hasPrefix("HTTP/1") != isHTTP2 {
                    try receive(line, by: &parser)
                } else {
                    #expect(throws: TransportError.self) { try receive(line, by: &parser) }
                }
            }
        }
    }

    @Test(
        "A response head that others could read differently is marked as odd, until the next one",
        arguments: [
            "HTTP/1.1 200 OK\nA: 1\r\n", status + "A: 1\n", status + "Content-Length: 2\r\nContent-Length: 2\r\n",
            status + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", status + "Transfer-Encoding: identity\r\n",
            "HTTP/1.1 204 X\r\nContent-Length: 2\r\n", "HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n",
            "HTTP/1.1 103 X\r\nContent-Length: 2\r\n",
        ])
    func odd(head: String) throws {
        var parser = ResponseHeadParser()
        for _ in 0..<2 {
            parser.reset()
            try receive(head, by: &parser)
            #expect(parser.isOdd)
            parser.reset()
            try receive(Self.status + Self.lines.joined(), by: &parser)
            #expect(!parser.isOdd)
        }
    }

    @Test(
        "The codings identity and none are ignored",
        arguments: [
            ("identity", nil), ("none", nil), ("None, IDENTITY,", nil), ("", nil), ("gzip", "gzip"),
            ("gzip, none", "gzip"),
            ("identity , br", "br"), ("gzip,br", "gzip, br"), ("gzip\r\nContent-Encoding: none", "gzip"),
            ("none\r\nContent-Encoding: br", "br"), ("gzip\r\nContent-Encoding: br", "gzip, br"),
        ])
    func codings(list: String, expected: String?) throws {
        var parser = ResponseHeadParser()
        try receive(Self.status + "Content-Encoding: \(list)\r\n", by: &parser)
        #expect(parser.contentCoding == expected)
    }

    @Test("A length that no body can have is too large, not malformed")
    func hugeLength() throws {
        for digits in ["9223372036854775807", "99999999999999999999", "1125899906842625"] {
            var parser = ResponseHeadParser()
            let error = #expect(throws: TransportError.self) {
                try receive(Self.status + "Content-Length: \(digits)\r\n", by: &parser)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test(
        "A contradictory or incomplete response head is rejected, also after a valid one",
        arguments: [
            "HTTP/1.1\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 101 Switching\r\n", "A: 1\r\n", "",
            status + "A: 1\r\n folded\r\n", status + "no colon\r\n", status + ": no name\r\n", status + "a b: 1\r\n",
            status + "Content-Length: 2\r\nContent-Length: 3\r\n", status + "Content-Length: -2\r\n",
            status + "Transfer-Encoding: gzip\r\n", status + " \r\n", status + "\rA: 1\r\n",
            status + "A: 1\r2\r\n", status + "A: \r1\r\n", status + "A: 1\r\r\n", status + "A: 1\0\r\n",
            "HTTP/1.1 200 O\rK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 200OK\r\n", "HTTP/1.1  200 OK\r\n",
            status + "Location: /a\r\nLocation: /b\r\n", status + "location: /a\r\nA: 1\r\nLOCATION:\r\n",
            status + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ])
    func refused(head: String) throws {
        var parser = ResponseHeadParser()
        #expect(throws: TransportError.self) { try receive(head, by: &parser) }
        parser = ResponseHeadParser()
        try receive(Self.status + Self.lines.joined(), by: &parser)
        parser.reset()
        #expect(throws: TransportError.self) { try receive(head, by: &parser) }
    }
}
