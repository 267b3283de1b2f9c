// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension RawAnswers {
    /// Interim answers (RFC 9110 §15.2).
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
            RawAnswer("nothing but an interim answer", .refused, "HTTP/1.1 100 Continue\r\n\r\n").with(closes: true),
            RawAnswer(
                "a folded first line behind an interim answer", .refused,
                "HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 OK\r\n a: b\r\n" + number + length + end
            ).with(closes: true),
            RawAnswer("two final answers", .accepted, ok(length + end) + forged),
        ]

    /// Answers that have no body (RFC 9112 §6.3), and bodies where none can be.
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
            RawAnswer("205 without a body", .accepted, "HTTP/1.1 205 X\r\n" + number + "Content-Length: 0\r\n\r\n")
                .with(body: "")
        ]

    /// Bytes behind an answer, which belong to no call.
    static let leftOvers =
        table("behind the answer", .accepted, behind) { ok(length + end + $0) }
        + table("behind the body, which comes by itself,", .accepted, behind) { ok(length + "\r\n‖{n}" + $0) }
        + table("behind the last chunk", .accepted, behind) { chunkedAnswer("8\r\n{n}\r\n0\r\n\r\n" + $0) }
        + table("behind half a body", .accepted, behind) { ok(length + "\r\n{a}‖{b}" + $0) }
        + table("behind a body that is too long", .accepted, behind) { ok("Content-Length: 3\r\n" + end + $0) }
        .map { $0.with(body: nil) }

    /// Never more than goes over a connection at once, also through a tunnel: what a server sends after the next
    /// request has left cannot be told from an answer to it.
    private static let behind = [
        forged, forged + forged, "\r\n", " ", "x", "{n}", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/2 200\r\n\r\n", many("x", 8_000), many(forged, 60),
    ]
}
