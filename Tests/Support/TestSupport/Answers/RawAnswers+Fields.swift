// SPDX-License-Identifier: Apache-2.0

import RestTesting

extension RawAnswers {
    /// Field lines (RFC 9110 §5, RFC 9112 §5), as the first and as the last line of the header.
    static let fields: [RawAnswer] =
        fieldTables("first") { "HTTP/1.1 200 OK\r\n\($0)\r\n" + number + length + end }
        + fieldTables("last") { ok(length + "\($0)\r\n" + end) }

    private static func fieldTables(_ place: String, _ answer: (String) -> String) -> [RawAnswer] {
        let kind = "\(place) the field"
        var answers = table(kind, .accepted, goodFields, answer)
        answers += table(kind, .either, doubtfulFields, answer)
        answers += table(kind, .refused, badFields, answer)
        answers += table(kind, .accepted, closing, answer).map { $0.with(closes: true) }
        // libcurl 7.88 waits for more behind a NUL in front: until the deadline, if the connection stays open.
        answers += table(kind, .refused, ["\u{0}: b", "\u{0}"], answer).map { $0.with(closes: true) }
        return answers
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
