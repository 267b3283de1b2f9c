// SPDX-License-Identifier: Apache-2.0

/// A corpus of answers: every oddity of status lines, fields, framing, codings and trailers that RFC 9110 and 9112
/// name, and those seen in the field, beside ordinary ones.
package enum RawAnswers {
    /// Answers without anything odd.
    package static let ordinary = [
        RawAnswer("an ordinary answer", .accepted, ok(length + end)),
        RawAnswer("an ordinary answer in chunks", .accepted, ok(chunked + "\r\n8\r\n{n}\r\n0\r\n\r\n")),
        RawAnswer("an ordinary answer in two pieces", .accepted, ok(length + "\r\n{a}‖{b}")),
    ]

    /// Answers with something odd, each by its name.
    package static let odd =
        statusLines + statuses + fields + lengths + transferCodings + chunks + trailers + contentCodings + interims
        + bodyless + leftOvers + cuts + strangers

    static let number = "X-Number: {n}\r\n"
    static let length = "Content-Length: 8\r\n"
    static let chunked = "Transfer-Encoding: chunked\r\n"
    static let end = "\r\n{n}"
    /// An answer that was not asked for.
    static let forged = "HTTP/1.1 200 OK\r\nX-Number: 99999999\r\nContent-Length: 8\r\n\r\n99999999"

    /// A good start with the call's number.
    static func ok(_ rest: String) -> String { "HTTP/1.1 200 OK\r\n" + number + rest }

    /// A character so many times.
    static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// The text as a name shows it.
    static func shown(_ text: String) -> String {
        let text = text.utf8.count > 60 ? text.prefix(40) + "… of \(text.utf8.count)" : text[...]
        return text.unicodeScalars.map { $0.value < 32 || $0.value > 126 ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    /// One answer for each line of a table.
    static func table(
        _ kind: String, _ verdict: RawAnswer.Verdict, _ lines: [String], _ answer: (String) -> String
    ) -> [RawAnswer] {
        lines.map { RawAnswer("\(kind) '\(shown($0))'", verdict, answer($0)) }
    }
}
