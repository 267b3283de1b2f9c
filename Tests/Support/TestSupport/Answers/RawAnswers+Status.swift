// SPDX-License-Identifier: Apache-2.0

extension RawAnswers {
    /// Status lines (RFC 9112 §4).
    static let statusLines =
        table("the status line", .accepted, goodLines, answer)
        + table("the status line", .either, doubtfulLines, answer)
        + table("the status line", .refused, badLines, answer).map { $0.with(closes: true) }
        // In the pause, others could believe it.
        + table("alone, the status line", .refused, ["HTTP/2 200 OK", "HTTP/2 200", "HTTP/2.0 200 OK"]) {
            "\($0)\r\n‖‖‖" + number + length + end
        }.map { $0.with(closes: true) }

    /// Every status with a body, and some without a meaning.
    static let statuses = table(
        "the status", .accepted,
        (codes + [299, 399, 499, 599]).map(String.init)
    ) { answer("HTTP/1.1 \($0) X") }

    private static func answer(_ line: String) -> String { line + "\r\n" + number + length + end }

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
