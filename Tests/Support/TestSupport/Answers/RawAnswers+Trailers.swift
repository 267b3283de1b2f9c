// SPDX-License-Identifier: Apache-2.0

import RestTesting

extension RawAnswers {
    /// Trailers (RFC 9112 §7.1.2, RFC 9110 §6.5).
    static let trailers =
        table(
            "the trailer", .accepted,
            [
                "A: b", "A:b", "A:", "A: b\r\nB: c", "X-Number: 99999999", "Content-Length: 3", "Content-Length: x",
                "Transfer-Encoding: gzip", "Location: /elsewhere", "Connection: close", "Content-Encoding: gzip",
                "Set-Cookie: a=b", many("A: b\r\n", 100) + "B: c", "A: " + many("b", 2_000), "A: caf\u{E9}",
            ], answer)
        + table(
            "the trailer", .either,
            [
                " folded: a", "\tfolded: a", "A: b\r\n c", "a b: c", "a : b", "A: b\nB: c", ": a", "a",
                "HTTP/1.1 200 OK",
                "A: \u{1}", "A: b\r\n ", "caf\u{E9}: b", "HTTP/1.1 200 OK: x",
            ], answer)
        + table(
            "the trailer", .refused,
            ["A: b\u{0}", "A\u{0}: b", "\u{0}", "A: b\rc", many("A: bbbbbbbb\r\n", 8_000) + "B: c"], answer
        ).map { $0.with(closes: true) }

    private static func answer(_ trailer: String) -> String { chunkedAnswer("8\r\n{n}\r\n0\r\n\(trailer)\r\n\r\n") }

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
            RawAnswer("two gzip members", .accepted, packed("gzip", "{g}{g}", 62)).with(body: "{n}{n}"),
            RawAnswer("an empty body that calls itself gzip", .accepted, packed("gzip", "", 0)).with(body: ""),
            RawAnswer(
                "gzip in chunks", .accepted,
                ok("Content-Encoding: gzip\r\n" + chunked + "\r\n1f\r\n{g}\r\n0\r\n\r\n")),
            RawAnswer("gzip without its end", .refused, packed("gzip", "{g}", 30)).with(closes: true),
            RawAnswer("gzip and more", .either, packed("gzip", "{g}more", 35)),
            RawAnswer("gzip twice over", .refused, packed("gzip, gzip", "{g}", 31)).with(closes: true),
        ]

    private static func packed(_ coding: String, _ body: String = "{g}", _ count: Int = 31) -> String {
        ok("Content-Encoding: \(coding)\r\nContent-Length: \(count)\r\n\r\n\(body)")
    }
}
