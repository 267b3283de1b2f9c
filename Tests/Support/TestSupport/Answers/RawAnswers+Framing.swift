// SPDX-License-Identifier: Apache-2.0

extension RawAnswers {
    /// Lengths (RFC 9112 §6.3, RFC 9110 §8.6).
    static let lengths =
        table(
            "the length", .accepted,
            [
                "Content-Length:8", "content-length: 8", "CONTENT-LENGTH: 8", "Content-Length:\t8 ",
                "Content-Length: 0008",
                "Content-Length: 8\r\nContent-Length: 8", "Content-Length: 8\r\nContent-Length: 08",
                "Content-Length: 8\r\nA: b\r\ncontent-length:8",
            ]
        ) { ok($0 + "\r\n" + end) }
        + table("the length", .either, ["8, 8", "8,8", "00000000000000000000000000000008"]) {
            ok("Content-Length: \($0)\r\n" + end)
        }
        + table(
            "the length", .refused,
            [
                "", "-8", "+8", "-0", "0x8", "8.0", "8 8", "8;", "8,9", "8, 9", "eight", "1e1", "\"8\"", "\u{B2}",
                "8\u{0}",
                "8\u{B}", "18446744073709551624", "99999999999999999999", "9223372036854775807", "4294967304", "9",
                "8\r\nContent-Length: 9", "9\r\nContent-Length: 8", "8\r\nContent-Length: x", "8\r\nContent-Length:",
            ]
        ) { ok("Content-Length: \($0)\r\n" + end) }.map { $0.with(closes: true) }
        + [
            RawAnswer("no length, to the end of the connection", .accepted, ok(end)).with(closes: true),
            RawAnswer("no length, HTTP/1.0", .accepted, "HTTP/1.0 200 OK\r\n" + number + end).with(closes: true),
            RawAnswer(
                "HTTP/1.0 that keeps its connection", .accepted,
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + number + length + end),
            RawAnswer("line feeds alone", .accepted, "HTTP/1.1 200 OK\nX-Number: {n}\nContent-Length: 8\n\n{n}"),
            RawAnswer("a blank line with a line feed alone", .accepted, ok(length + "\n{n}")),
            RawAnswer(
                "every byte of the header by itself", .accepted, "H‖TTP/1.1 2‖00 OK\r‖\n" + number + length + end),
            RawAnswer("a length of zero", .accepted, ok("Content-Length: 0\r\n\r\n")).with(body: ""),
        ]

    /// Transfer codings (RFC 9112 §6.1, §7).
    static let transferCodings =
        table("the transfer coding", .accepted, ["chunked", "CHUNKED", "\tchunked ", "Chunked"]) {
            ok("Transfer-Encoding: \($0)\r\n" + oneChunk)
        }
        + table(
            "the transfer coding", .refused,
            [
                "gzip, chunked", "chunked, chunked", "chunked, gzip", "identity, chunked", "chunked, identity", "gzip",
                "xchunked", "chunkedx", "chunked;q=1", "\"chunked\"", "chunked\u{B}", "chunked,", ",chunked", "cow", "",
                "chunked\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: identity",
                "identity\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: gzip",
            ]
        ) { ok("Transfer-Encoding: \($0)\r\n" + oneChunk) }.map { $0.with(closes: true) }
        + [
            RawAnswer("a length and chunks", .either, ok(length + chunked + oneChunk)),
            RawAnswer("chunks and a length", .either, ok(chunked + "Content-Length: 3\r\n" + oneChunk)),
            RawAnswer("chunks and a bad length", .refused, ok(chunked + "Content-Length: x\r\n" + oneChunk))
                .with(closes: true),
            RawAnswer("chunks by HTTP/1.0", .either, "HTTP/1.0 200 OK\r\n" + number + chunked + oneChunk)
                .with(closes: true),
            RawAnswer("identity and a length", .either, ok("Transfer-Encoding: identity\r\n" + length + end))
                .with(closes: true),
            RawAnswer("identity alone", .either, ok("Transfer-Encoding: identity\r\n" + end)).with(closes: true),
        ]

    private static let oneChunk = "\r\n8\r\n{n}\r\n0\r\n\r\n"

    /// Chunks (RFC 9112 §7.1).
    static let chunks =
        table(
            "the chunks", .accepted,
            [
                "08\r\n{n}\r\n0\r\n\r\n", "0000000000000008\r\n{n}\r\n0\r\n\r\n", "8;a\r\n{n}\r\n0\r\n\r\n",
                "8;a=b\r\n{n}\r\n0;c\r\n\r\n", "8;a=\"b;c\"\r\n{n}\r\n0\r\n\r\n", "4\r\n{a}\r\n4\r\n{b}\r\n0\r\n\r\n",
                "4\r\n{a}‖\r\n4\r\n{b}\r\n0\r\n\r\n", "8\r\n{n}\r\n00000\r\n\r\n", "8\r\n{n}\r\n0‖\r\n\r\n",
                "8‖\r\n{n}\r\n0\r\n‖\r\n", "8;" + many("a", 4_000) + "\r\n{n}\r\n0\r\n\r\n",
            ], chunkedAnswer)
        + table(
            "the chunks", .either,
            [
                "8 \r\n{n}\r\n0\r\n\r\n", "8\t;a\r\n{n}\r\n0\r\n\r\n", "8\n{n}\r\n0\r\n\r\n", "8\r\n{n}\n0\r\n\r\n",
                "8\n{n}\n0\n\n", "8\r\r\n{n}\r\n0\r\n\r\n", "8.0\r\n{n}\r\n0\r\n\r\n", "8 8\r\n{n}\r\n0\r\n\r\n",
                "8;a\u{0}\r\n{n}\r\n0\r\n\r\n", "8;a\rb\r\n{n}\r\n0\r\n\r\n", "8,8\r\n{n}\r\n0\r\n\r\n",
                "8\r\n{n}\r\r\n0\r\n\r\n", " 8\r\n{n}\r\n0\r\n\r\n", "8g\r\n{n}\r\n0\r\n\r\n", "9\r\n{n}\r\n0\r\n\r\n",
            ], chunkedAnswer)
        + table(
            "the chunks", .refused,
            [
                "\r\n8\r\n{n}\r\n0\r\n\r\n", "zz\r\n{n}\r\n0\r\n\r\n", "-8\r\n{n}\r\n0\r\n\r\n",
                "+8\r\n{n}\r\n0\r\n\r\n",
                "0x8\r\n{n}\r\n0\r\n\r\n", "\u{0}8\r\n{n}\r\n0\r\n\r\n", ";a\r\n{n}\r\n0\r\n\r\n", "8\r\n{n}0\r\n\r\n",
                "8\r\n{n}X\r\n0\r\n\r\n", "7\r\n{n}\r\n0\r\n\r\n", "8abc\r\n{n}\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFF\r\n{n}\r\n0\r\n\r\n", "10000000000000008\r\n{n}\r\n0\r\n\r\n",
                "7FFFFFFFFFFFFFFF\r\n{n}\r\n0\r\n\r\n", "8000000000000008\r\n{n}\r\n0\r\n\r\n", "8\r\n{n}\r\n\r\n",
                "8\r\n{n}\r\n0\r\n", "8\r\n{n}\r\n0", "8\r\n{n}\r\n", "8\r\n{n}", "8\r\n{a}", "8", "", "{n}",
            ], chunkedAnswer
        ).map { $0.with(closes: true) }

    static func chunkedAnswer(_ chunks: String) -> String { ok(chunked + "\r\n" + chunks) }
}
