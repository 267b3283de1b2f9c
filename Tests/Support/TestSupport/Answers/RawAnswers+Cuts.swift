// SPDX-License-Identifier: Apache-2.0

import RestTesting

extension RawAnswers {
    /// Answers that end too early.
    static let cuts =
        [1, 4, 5, 8, 9, 12, 15, 16, 17, 20, 27, 36, 37, 40, 55, 56, 57, 58, 59, 65].map { count in
            RawAnswer("only \(count) bytes of an answer", .refused, String(scalars: cut.unicodeScalars.prefix(count)))
                .with(closes: true)
        }
        + [RawAnswer("nothing at all", .refused, "").with(closes: true)]
        + table("too much of", .refused, ["A: bbbbbbbb\r\n", " ", "x", "HTTP/1.1 ", "\u{0}"]) {
            "HTTP/1.1 200 OK\r\n" + many($0, 120_000 / $0.utf8.count)
        }.map { $0.with(closes: true) }

    private static let cut = "HTTP/1.1 200 OK\r\nX-Number: 99999999\r\nContent-Length: 8\r\n\r\n99999999"

    /// Bytes that are not an answer: other protocols, noise.
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
            return RawAnswer("noise \(seed)", .refused, String(scalars: noise)).with(closes: true)
        }
}

extension String {
    /// A text of these scalars.
    fileprivate init(scalars: some Sequence<Unicode.Scalar>) {
        self.init(UnicodeScalarView(scalars))
    }
}
