// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension TransportConformance {
    /// Broken answers, which must be typed errors that say that the server has seen the request.
    static let refusals: [Case] =
        brokenAnswers.map { answer in
            Case("refuses \(answer.name)") { transport in
                let server = try ScriptServer([.readRequest] + answer.steps)
                let request = HTTPRequest(method: .post, url: server.url(), body: .bytes([0x61]))
                try await expectFailure(answer.codes, reached: true) { () async throws(TransportError) in
                    try await transport.send(request, deadline: soon)
                }
                let count = await server.stop().requests.count
                try require(count, is: 1, "number of requests")
            }
        }

    private typealias Broken = (name: String, steps: ScriptServer.Script, codes: Set<TransportError.Code>)

    private static let brokenAnswers = truncated + malformed + oversized

    private static let truncated: [Broken] = [
        ("an empty reply", [], [.connectionLost]),
        ("a reset instead of an answer", [.reset], [.connectionLost]),
        ("a header without its end", [.send("HTTP/1.1 200 OK\r\nContent-Le")], [.connectionLost, .invalidResponse]),
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
            "a transfer coding that was not asked for",
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
            "a switch of protocols that was not asked for", [.send("HTTP/1.1 101 Switching\r\n\r\n")],
            [.invalidResponse, .connectionLost]
        ),
    ]

    private static let oversized: [Broken] = [
        ("a length no memory can hold", [.send(ok("Content-Length: 9223372036854775806") + "x")], [.tooLarge]),
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
