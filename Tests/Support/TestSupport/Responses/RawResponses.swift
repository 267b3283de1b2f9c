// SPDX-License-Identifier: Apache-2.0

import RestTesting

/// A corpus of responses: ordinary ones, and every peculiarity of status lines, headers, framing, codings and trailers
/// that RFC 9110 and 9112 mention or that was observed in practice.
package enum RawResponses {
    package static let ordinary = [
        RawResponse("an ordinary answer", .accepted, ok(length + end)),
        RawResponse("an ordinary answer in chunks", .accepted, ok(chunked + "\r\n8\r\n{n}\r\n0\r\n\r\n")),
        RawResponse("an ordinary answer in two pieces", .accepted, ok(length + "\r\n{a}‖{b}")),
    ]

    package static let odd =
        statusLines + statuses + fields + lengths + transferCodings + chunks + trailers + contentCodings + interims
        + bodyless + leftOvers + cuts + strangers

    static let number = "X-Number: {n}\r\n"
    static let length = "Content-Length: 8\r\n"
    static let chunked = "Transfer-Encoding: chunked\r\n"
    static let end = "\r\n{n}"
    /// A response that was not requested.
    static let forged = "HTTP/1.1 200 OK\r\nX-Number: 99999999\r\nContent-Length: 8\r\n\r\n99999999"

    /// A correct head with the call's number.
    static func ok(_ rest: String) -> String { "HTTP/1.1 200 OK\r\n" + number + rest }

    static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Shortens and escapes a string for a test's name.
    static func shown(_ text: String) -> String {
        let text = text.utf8.count > 60 ? text.prefix(40) + "… of \(text.utf8.count)" : text[...]
        return text.unicodeScalars.map { $0.value < 32 || $0.value > 126 ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    /// Creates one response for each line of a table.
    static func table(
        _ kind: String, _ verdict: RawResponse.Verdict, _ lines: [String], _ response: (String) -> String
    ) -> [RawResponse] {
        lines.map { RawResponse("\(kind) '\(shown($0))'", verdict, response($0)) }
    }
}

extension RawResponses {
    /// Truncated responses.
    static let cuts =
        [1, 4, 5, 8, 9, 12, 15, 16, 17, 20, 27, 36, 37, 40, 55, 56, 57, 58, 59, 65].map { count in
            RawResponse("only \(count) bytes of an answer", .refused, String(scalars: cut.unicodeScalars.prefix(count)))
                .with(closes: true)
        }
        + [RawResponse("nothing at all", .refused, "").with(closes: true)]
        + table("too much of", .refused, ["A: bbbbbbbb\r\n", " ", "x", "HTTP/1.1 ", "\u{0}"]) {
            "HTTP/1.1 200 OK\r\n" + many($0, 120_000 / $0.utf8.count)
        }.map { $0.with(closes: true) }

    private static let cut = "HTTP/1.1 200 OK\r\nX-Number: 99999999\r\nContent-Length: 8\r\n\r\n99999999"

    /// Bytes that are not a response: other protocols, noise.
    static let strangers =
        table(
            "instead of an answer", .refused,
            [
                "SSH-2.0-x\r\n", "220 mail ESMTP\r\n", "-ERR\r\n", "<html></html>", "{\"a\":1}\n", "\r\n\r\n", "\n",
                " ",
                "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}",
                "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", "HTTP", "HTTP/", "\u{0}",
                "{n}",
                "8\r\n{n}\r\n0\r\n\r\n", "\u{FF}\u{FB}\u{1F}", "X-Number: {n}\r\n\r\n",
            ]
        ) { $0 }.map { $0.with(closes: true) }
        + (0..<20).map { seed in
            var generator = SeededGenerator(seed: UInt64(seed))
            let noise = (0..<200).map { _ in Unicode.Scalar(UInt8(truncatingIfNeeded: generator.next())) }
            return RawResponse("noise \(seed)", .refused, String(scalars: noise)).with(closes: true)
        }
}

extension String {
    fileprivate init(scalars: some Sequence<Unicode.Scalar>) {
        self.init(UnicodeScalarView(scalars))
    }
}

extension RawResponses {
    /// Header lines (RFC 9110 §5, RFC 9112 §5), as the first and as the last line of the head.
    static let fields: [RawResponse] =
        fieldTables("first") { "HTTP/1.1 200 OK\r\n\($0)\r\n" + number + length + end }
        + fieldTables("last") { ok(length + "\($0)\r\n" + end) }

    private static func fieldTables(_ place: String, _ response: (String) -> String) -> [RawResponse] {
        let kind = "\(place) the field"
        var responses = table(kind, .accepted, goodFields, response)
        responses += table(kind, .either, doubtfulFields, response)
        responses += table(kind, .refused, badFields, response)
        responses += table(kind, .accepted, closing, response).map { $0.with(closes: true) }
        // libcurl 7.88 waits for more bytes after a leading NUL, until the timeout if the connection stays open.
        responses += table(kind, .refused, ["\u{0}: b", "\u{0}"], response).map { $0.with(closes: true) }
        return responses
    }

    private static let goodFields = [
        "A:", "A: ", "A: \t ", "A:b", "A:\tb\t", "A:     b     ", "A: b: c", "A: b,c;d=\"e\"", "A: caf\u{E9}",
        "A: \u{FF}\u{FE}", "!#$%&'*+-.^_`|~09Az: b", "A: " + many("b", 300), "A: " + many("b", 20_000),
        "A: " + many("b", 16_381) + " c", many("A", 300) + ": b", "Set-Cookie: a=b\r\nSet-Cookie: c=d",
        "A: HTTP/1.1 200 OK", "A: b\nB: c", many("A: b\r\n", 200) + "B: c", "Connection: keep-alive",
        "Keep-Alive: timeout=5, max=1", "Proxy-Connection: close", "Upgrade: h2c", "Alt-Svc: h2=\":1\"",
        "Alt-Svc: clear",
        "Strict-Transport-Security: max-age=1", "Location: /a", "Location: /a\r\nLocation: /a", "Refresh: 0",
        "Retry-After: 99999999999999999999", "Age: -1", "Date: never", "Expires: 0", "Last-Modified: \u{E9}",
        "Content-Type: a/b\r\nContent-Type: c/d", "Content-Range: bytes 0-7/8", "Content-Range: bytes 9-1/x",
        "Trailer: X-Number", "TE: trailers", "Expect: 100-continue", "Host: elsewhere.invalid", "Status: 500",
        "WWW-Authenticate: Negotiate", "Proxy-Authenticate: Basic", "Content-Encoding:", "Content-Encoding: identity",
        "Content-Encoding: none", "Content-Encoding: identity, none", "Content-Length: 8", "X-Content-Length: 9",
        "Content-MD5: x", "Digest: x=", "Via: 2 a", "X-Transfer-Encoding: chunked",
    ]

    private static let doubtfulFields = [
        "A: \u{1}", "A: b\u{B}c", "A: \u{7F}", "A: \u{1B}[2J", "A: \u{8}", "Connection: close, keep-alive\r\nB: c",
    ]

    private static let closing = [
        "Connection: close", "connection: CLOSE", "Connection: Close, x",
    ]

    private static let badFields = [
        " a: folded", "\ta: folded", " folded", "\tfolded", " ", "\t", " \t ", " :", "a", "a b", ":", ": b", ":a: b",
        "a b: c", "a : b", "a\t: b", " a : b", "a\u{0}: b", "a: b\u{0}", "a: \u{0}", "a: b\rc", "a: \rb",
        "a: b\r", "\ra: b", "a\rb: c", "a@b: c", "a(b: c", "a/b: c", "a[b]: c", "a{b: c", "\"a\": b", "a=b: c",
        "caf\u{E9}: b", "\u{EF}\u{BB}\u{BF}a: b", "a\u{7F}: b", "a\u{1}: b", "a,b: c", "a;b: c", "a?b: c", "\\a: b",
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK: b", "GET / HTTP/1.1", "Content-Length : 8", "Content-Length\t: 8",
        "Transfer-Encoding : chunked", "a: b\r\n c", "a: b\r\n\tc", "a: b\r\n ", "a: b\r\n c: d",
        "Location: /a\r\nLocation: /b", "location: /a\r\nLOCATION: https://b.invalid/", "Location: /a\r\nLocation:",
    ]
}

extension RawResponses {
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
            RawResponse("no length, to the end of the connection", .accepted, ok(end)).with(closes: true),
            RawResponse("no length, HTTP/1.0", .accepted, "HTTP/1.0 200 OK\r\n" + number + end).with(closes: true),
            RawResponse(
                "HTTP/1.0 that keeps its connection", .accepted,
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + number + length + end),
            RawResponse("line feeds alone", .accepted, "HTTP/1.1 200 OK\nX-Number: {n}\nContent-Length: 8\n\n{n}"),
            RawResponse("a blank line with a line feed alone", .accepted, ok(length + "\n{n}")),
            RawResponse(
                "every byte of the header by itself", .accepted, "H‖TTP/1.1 2‖00 OK\r‖\n" + number + length + end),
            RawResponse("a length of zero", .accepted, ok("Content-Length: 0\r\n\r\n")).with(body: ""),
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
            RawResponse("a length and chunks", .either, ok(length + chunked + oneChunk)),
            RawResponse("chunks and a length", .either, ok(chunked + "Content-Length: 3\r\n" + oneChunk)),
            RawResponse("chunks and a bad length", .refused, ok(chunked + "Content-Length: x\r\n" + oneChunk))
                .with(closes: true),
            RawResponse("chunks by HTTP/1.0", .either, "HTTP/1.0 200 OK\r\n" + number + chunked + oneChunk)
                .with(closes: true),
            RawResponse("identity and a length", .either, ok("Transfer-Encoding: identity\r\n" + length + end))
                .with(closes: true),
            RawResponse("identity alone", .either, ok("Transfer-Encoding: identity\r\n" + end)).with(closes: true),
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
            ], chunkedResponse)
        + table(
            "the chunks", .either,
            [
                "8 \r\n{n}\r\n0\r\n\r\n", "8\t;a\r\n{n}\r\n0\r\n\r\n", "8\n{n}\r\n0\r\n\r\n", "8\r\n{n}\n0\r\n\r\n",
                "8\n{n}\n0\n\n", "8\r\r\n{n}\r\n0\r\n\r\n", "8.0\r\n{n}\r\n0\r\n\r\n", "8 8\r\n{n}\r\n0\r\n\r\n",
                "8;a\u{0}\r\n{n}\r\n0\r\n\r\n", "8;a\rb\r\n{n}\r\n0\r\n\r\n", "8,8\r\n{n}\r\n0\r\n\r\n",
                "8\r\n{n}\r\r\n0\r\n\r\n", " 8\r\n{n}\r\n0\r\n\r\n", "8g\r\n{n}\r\n0\r\n\r\n", "9\r\n{n}\r\n0\r\n\r\n",
            ], chunkedResponse)
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
            ], chunkedResponse
        ).map { $0.with(closes: true) }

    static func chunkedResponse(_ chunks: String) -> String { ok(chunked + "\r\n" + chunks) }
}
