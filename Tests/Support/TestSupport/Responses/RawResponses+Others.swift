// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport

extension RawResponses {
    /// Interim responses (RFC 9110 §15.2).
    static let interims =
        table(
            "the interim answer", .accepted,
            [
                "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 X\r\n\r\n", "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n",
                "HTTP/1.1 199 X\r\n\r\n", "HTTP/1.1 100\r\n\r\n", "HTTP/1.1 103 X\r\nX-Number: 99999999\r\n\r\n",
                "HTTP/1.1 103 X\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 103 X\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 103 X\r\nLocation: /a\r\n\r\n", "HTTP/1.1 103 X\nA: b\n\n", "HTTP/1.1 100 Continue\r\n\r\n‖",
                "HTTP/1.1 103 X\r\nContent-Encoding: gzip\r\n\r\n", many("HTTP/1.1 100 Continue\r\n\r\n", 5),
                many("HTTP/1.1 103 X\r\nA: b\r\n\r\n", 200), "HTTP/1.1 103 X\r\nA: " + many("b", 20_000) + "\r\n\r\n",
            ]
        ) { $0 + ok(length + end) }
        + table("the interim answer", .either, ["HTTP/1.0 100 Continue\r\n\r\n", "\r\n"]) { $0 + ok(length + end) }
        + table(
            "the interim answer", .refused,
            [
                "HTTP/2 103 X\r\n\r\n", "HTTP/2 100\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n",
                "HTTP/1.1 103 X\r\n a: b\r\n\r\n",
                "HTTP/1.1 103 X\r\na: b\u{0}\r\n\r\n", "HTTP/1.1 103 X\r\na\r\n\r\n", "HTTP/1.1 103 X\r\n: a\r\n\r\n",
                "HTTP/1.1 103 X\r\na: b\rc\r\n\r\n", "HTTP/1.1 103 X\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                many("HTTP/1.1 103 X\r\nA: bbbbbbbb\r\n\r\n", 3_000),
            ]
        ) { $0 + ok(length + end) }.map { $0.with(closes: true) }
        + [
            RawResponse("nothing but an interim answer", .refused, "HTTP/1.1 100 Continue\r\n\r\n").with(closes: true),
            RawResponse(
                "a folded first line behind an interim answer", .refused,
                "HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 OK\r\n a: b\r\n" + number + length + end
            ).with(closes: true),
            RawResponse("two final answers", .accepted, ok(length + end) + forged),
        ]

    /// Responses without a body (RFC 9112 §6.3), and with a body that is not allowed.
    static let bodyless =
        [204, 304].flatMap { status in
            table(
                "\(status) with", .accepted,
                [
                    "\r\n", "Content-Length: 0\r\n\r\n", "Content-Length: 8\r\n\r\n", "Content-Length: 8\r\n\r\n{n}",
                    chunked + "\r\n", chunked + "\r\n8\r\n{n}\r\n0\r\n\r\n", "\r\n" + forged,
                    "Content-Encoding: gzip\r\n\r\n",
                    "Content-Length: 100\r\n\r\n" + forged,
                ]
            ) { "HTTP/1.1 \(status) X\r\n" + number + $0 }.map { $0.with(body: "") }
        }
        + table(
            "to HEAD", .accepted,
            [
                length + "\r\n", "\r\n", "Content-Length: 9000000000000\r\n\r\n", length + end, chunked + "\r\n",
                "Content-Encoding: rot13\r\n\r\n", "Content-Length: 0\r\n\r\n", length + "\r\n" + forged,
            ]
        ) { ok($0) }.map { $0.with(method: .head, body: "") }
        + table(
            "to HEAD", .refused,
            [
                " a: b\r\n" + length + "\r\n", "Content-Length: x\r\n\r\n",
                "Content-Length: 8\r\nContent-Length: 9\r\n\r\n",
                "a\r\n\r\n", "a: b\u{0}\r\n\r\n",
            ]
        ) { "HTTP/1.1 200 OK\r\n" + $0 }.map { $0.with(method: .head, body: "", closes: true) }
        + [
            RawResponse("205 without a body", .accepted, "HTTP/1.1 205 X\r\n" + number + "Content-Length: 0\r\n\r\n")
                .with(body: "")
        ]

    /// Bytes after a response, which belong to no call.
    static let leftOvers =
        table("behind the answer", .accepted, behind) { ok(length + end + $0) }
        + table("behind the body, which comes by itself,", .accepted, behind) { ok(length + "\r\n‖{n}" + $0) }
        + table("behind the last chunk", .accepted, behind) { chunkedResponse("8\r\n{n}\r\n0\r\n\r\n" + $0) }
        + table("behind half a body", .accepted, behind) { ok(length + "\r\n{a}‖{b}" + $0) }
        + table("behind a body that is too long", .accepted, behind) { ok("Content-Length: 3\r\n" + end + $0) }
        .map { $0.with(body: nil) }

    /// Not more than one write through a tunnel can carry: bytes that arrive after the next request was sent cannot be
    /// distinguished from its response.
    private static let behind = [
        forged, forged + forged, "\r\n", " ", "x", "{n}", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/2 200\r\n\r\n", many("x", 8_000), many(forged, 60),
    ]
}

extension RawResponses {
    /// Status lines (RFC 9112 §4).
    static let statusLines =
        table("the status line", .accepted, goodLines, start)
        + table("the status line", .either, doubtfulLines, start)
        + table("the status line", .refused, badLines, start).map { $0.with(closes: true) }
        // During the pause, other clients could accept the line.
        + table("alone, the status line", .refused, ["HTTP/2 200 OK", "HTTP/2 200", "HTTP/2.0 200 OK"]) {
            "\($0)\r\n‖‖‖" + number + length + end
        }.map { $0.with(closes: true) }

    /// Every status with a body, and some undefined ones.
    static let statuses = table(
        "the status", .accepted,
        (codes + [299, 399, 499, 599]).map(String.init)
    ) { start("HTTP/1.1 \($0) X") }

    private static func start(_ line: String) -> String { line + "\r\n" + number + length + end }

    private static let codes =
        [200, 201, 202, 203, 206, 207, 208, 226] + [300, 301, 302, 303, 305, 306, 307, 308] + Array(400...418)
        + [421, 422, 423, 424, 425, 426, 428, 429, 431, 451] + Array(500...508) + [510, 511]

    private static let goodLines = [
        "HTTP/1.1 200 ", "HTTP/1.1 200", "HTTP/1.1 200  two blanks", "HTTP/1.1 200 \tOK", "HTTP/1.1 200 caf\u{E9}",
        "HTTP/1.1 200 HTTP/2 200", "HTTP/1.1 200 " + many("x", 2_000), "HTTP/1.0 200 OK",
    ]

    private static let doubtfulLines = [
        "HTTP/1.2 200 OK", "HTTP/1.9 200 OK", "HTTP/1.1 600 X", "HTTP/1.1 999 X", "HTTP/1.1 200\tOK",
        "HTTP/1.1 200 O\u{1}K", "\r\nHTTP/1.1 200 OK", "\nHTTP/1.1 200 OK", "HTTP/1.1 200 OK ",
    ]

    private static let badLines = [
        "HTTP/2 200 OK", "HTTP/2 200", "HTTP/2 200 ", "HTTP/2.0 200 OK", "HTTP/2.1 200 OK", "HTTP/3 200 OK",
        "HTTP/3.0 200 OK", "HTTP/0.9 200 OK", "HTTP/9.9 200 OK", "HTTP/11 200 OK", "HTTP/1 200 OK", "HTTP/1. 200 OK",
        "HTTP/.1 200 OK", "HTTP/1.10 200 OK", "HTTP/01.1 200 OK", "HTTP/1,1 200 OK", "HTTP/ 200 OK", "HTTP/a.b 200 OK",
        "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 OK", "HTTP/1.1 2 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
        "HTTP/1.1 20000000000000000000 OK", "HTTP/1.1 2x0 OK", "HTTP/1.1 200OK", "HTTP/1.1 -20 OK", "HTTP/1.1 +20 OK",
        "HTTP/1.1 -200 OK", "HTTP/1.1 0x1 OK", "HTTP/1.1 099 OK", "HTTP/1.1 000 OK", "HTTP/1.1  200 OK",
        "HTTP/1.1\t200 OK", "HTTP/1.1200 OK", "HTTP/1.1 101 Switching", "http/1.1 200 OK", "Http/1.1 200 OK",
        "HTTP 200 OK", "HTTP1.1 200 OK", "HTTPS/1.1 200 OK", " HTTP/1.1 200 OK", "\tHTTP/1.1 200 OK",
        "\u{EF}\u{BB}\u{BF}HTTP/1.1 200 OK", "HTTP/1.1 200 O\rK", "HTTP/1.1 200 O\u{0}K", "HTTP/1.1 200 OK\r", "200 OK",
        "ICY 200 OK", "RTSP/1.0 200 OK", "Status: 200 OK", "HTTP/1.1: 200 OK", "GET / HTTP/1.1", "\u{0}HTTP/1.1 200 OK",
    ]
}

extension RawResponses {
    /// Trailers (RFC 9112 §7.1.2, RFC 9110 §6.5).
    static let trailers =
        table(
            "the trailer", .accepted,
            [
                "A: b", "A:b", "A:", "A: b\r\nB: c", "X-Number: 99999999", "Content-Length: 3", "Content-Length: x",
                "Transfer-Encoding: gzip", "Location: /elsewhere", "Connection: close", "Content-Encoding: gzip",
                "Set-Cookie: a=b", many("A: b\r\n", 100) + "B: c", "A: " + many("b", 2_000), "A: caf\u{E9}",
            ], trailed)
        + table(
            "the trailer", .either,
            [
                " folded: a", "\tfolded: a", "A: b\r\n c", "a b: c", "a : b", "A: b\nB: c", ": a", "a",
                "HTTP/1.1 200 OK",
                "A: \u{1}", "A: b\r\n ", "caf\u{E9}: b", "HTTP/1.1 200 OK: x",
            ], trailed)
        + table(
            "the trailer", .refused,
            ["A: b\u{0}", "A\u{0}: b", "\u{0}", "A: b\rc", many("A: bbbbbbbb\r\n", 8_000) + "B: c"], trailed
        ).map { $0.with(closes: true) }

    private static func trailed(_ trailer: String) -> String { chunkedResponse("8\r\n{n}\r\n0\r\n\(trailer)\r\n\r\n") }

    /// Content codings (RFC 9110 §8.4).
    static let contentCodings =
        table(
            "the coding", .accepted,
            [
                "gzip", "x-gzip", "GZIP", "identity, gzip", "gzip, identity", "none,gzip", "gzip,",
                "gzip\r\nContent-Encoding: none",
            ]
        ) { packed($0) }
        + table("plain text in the coding", .accepted, ["identity", "none", "None", "identity,identity", ", none", ""])
    {
        ok("Content-Encoding: \($0)\r\n" + length + end)
    }
        + table(
            "plain text in the coding", .refused,
            [
                "gzip", "deflate", "br", "zstd", "compress", "rot13", "gzip;q=1", "gzip br", "gzip, gzip",
                "identity, rot13",
                "\"gzip\"", "br\r\nContent-Encoding: gzip", "none, gzip",
            ]
        ) { ok("Content-Encoding: \($0)\r\n" + length + end) }.map { $0.with(closes: true) }
        + [
            RawResponse("two gzip members", .accepted, packed("gzip", "{g}{g}", 62)).with(body: "{n}{n}"),
            RawResponse("an empty body that calls itself gzip", .accepted, packed("gzip", "", 0)).with(body: ""),
            RawResponse(
                "gzip in chunks", .accepted,
                ok("Content-Encoding: gzip\r\n" + chunked + "\r\n1f\r\n{g}\r\n0\r\n\r\n")),
            RawResponse("gzip without its end", .refused, packed("gzip", "{g}", 30)).with(closes: true),
            RawResponse("gzip and more", .either, packed("gzip", "{g}more", 35)),
            RawResponse("gzip twice over", .refused, packed("gzip, gzip", "{g}", 31)).with(closes: true),
        ]

    private static func packed(_ coding: String, _ body: String = "{g}", _ count: Int = 31) -> String {
        ok("Content-Encoding: \(coding)\r\nContent-Length: \(count)\r\n\r\n\(body)")
    }
}
