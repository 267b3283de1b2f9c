// SPDX-License-Identifier: Apache-2.0

/// What the framing of a request says in two ways, or in none.
///
/// libmicrohttpd 0.9.75 has three limits that nobody above it can mend: it takes a lone line feed as the end of a
/// chunk's line (B24), answers an endless chunk extension with a 500 of its own (B22), and writes the heads of its own
/// 400 and 413 for a `Content-Length` twice. Later versions refuse all of these as they should.
extension BadInput {
    private static let body = #"{"Name":"Smuggled"}"#
    private static let chunks = "13\r\n\(body)\r\n0\r\n\r\n"
    private static let chunked = "Transfer-Encoding: chunked"
    private static let long = String(repeating: "x", count: 1 << 20)

    /// A POST that would make an account, with these framing fields and this body.
    private static func post(_ fields: String, _ body: String = Self.body, version: String = "1.1") -> String {
        """
        POST {data}/sobjects/Account HTTP/\(version)\r\nHost: {host}\r\nAuthorization: Bearer {token}\r
        Content-Type: application/json\r\n\(fields)\r\n\r\n\(body)
        """
    }

    private static func get(_ line: String, _ fields: String = "") -> String {
        "\(line)\r\nHost: {host}\r\n\(fields)\r\n"
    }

    private static func with(_ fields: String) -> String { get("GET /services/data HTTP/1.1", fields) }

    static let framing: [BadInput] = [
        lengths, oddLengths, hugeLengths, codings, oddCodings, oddSizes, chunkLines, trailers, fields, lines,
    ].flatMap(\.self)

    private static let lengths: [BadInput] = [
        BadInput(14, "a length and chunks", post("Content-Length: 5\r\n\(chunked)", chunks), [400]),
        BadInput(14, "chunks and a length", post("\(chunked)\r\nContent-Length: 5", chunks), [400]),
        BadInput(15, "two lengths", post("Content-Length: 19\r\nContent-Length: 20"), [400]),
        BadInput(16, "one length twice", post("Content-Length: 19, 19"), [400]),
        BadInput(16, "two equal lengths", post("Content-Length: 19\r\nContent-Length: 19"), [400]),
    ]
    private static let oddLengths: [BadInput] = ["-1", "+19", "19a", "0x13", "1 9", "", "19.0", "1e1", "\u{0663}"].map {
        BadInput(17, "length '\($0)'", post("Content-Length: \($0)"), [400])
    }
    private static let hugeLengths: [BadInput] = [
        "9223372036854775807", "18446744073709551615", "18446744073709551616", "99999999999999999999",
    ].map { BadInput(18, $0, post("Content-Length: \($0)"), [400, 413]) }

    private static let codings: [BadInput] = [
        BadInput(19, "two codings", post("\(chunked)\r\n\(chunked)", chunks), [400, 501]),
        BadInput(20, "chunks in HTTP/1.0", post(chunked, chunks, version: "1.0"), [400]),
    ]
    private static let oddCodings: [BadInput] = [
        "chunked, identity", "xchunked", "chunked, chunked", "\u{0B}chunked", "identity", "", "gzip, chunked",
        "chunked;",
    ].map { BadInput(19, "coding '\($0)'", post("Transfer-Encoding: \($0)", chunks), [400, 501]) }

    private static let oddSizes: [BadInput] = ["-1", "0x13", "13 ;", "", "+13", " 13", "13 ", "g", "1 3"].map {
        BadInput(21, "size '\($0)'", post(chunked, "\($0)\r\n\(body)\r\n0\r\n\r\n"), [400])
    }
    private static let chunkLines: [BadInput] = [
        BadInput(21, "2^68", post(chunked, "ffffffffffffffff1\r\n\(body)\r\n0\r\n\r\n"), [400, 413]),
        BadInput(
            22, "an endless extension", post(chunked, "13;\(long)\r\n\(body)\r\n0\r\n\r\n"), [0, 400, 413, 431, 500]),
        BadInput(23, "no end of line behind the data", post(chunked, "13\r\n\(body)XX0\r\n\r\n"), [400]),
        BadInput(23, "data longer than their size", post(chunked, "12\r\n\(body)\r\n0\r\n\r\n"), [400]),
        BadInput(24, "carriage returns alone", post(chunked, "13\r\(body)\r0\r\r"), [400]),
        BadInput(24, "line feeds alone", post(chunked, "13\n\(body)\n0\n\n"), [400, 201], ends: nil, writes: true),
        BadInput(
            24, "a line feed at the end", post(chunked, "13\r\n\(body)\r\n0\n\n"), [400, 201], ends: nil, writes: true
        ),
    ]

    private static let trailers: [BadInput] = [
        BadInput(
            25, "a length behind the body", post(chunked, "13\r\n\(body)\r\n0\r\nContent-Length: 5\r\n\r\n"),
            [201, 400],
            ends: nil, writes: true),
        BadInput(
            25, "a host behind the body", post(chunked, "13\r\n\(body)\r\n0\r\nHost: evil.com\r\n\r\n"), [201, 400],
            ends: nil, writes: true),
        BadInput(
            25, "a session behind the body",
            get(
                "POST {data}/sobjects/Account HTTP/1.1",
                "Content-Type: application/json\r\n\(chunked)\r\n")
                + "13\r\n\(body)\r\n0\r\nAuthorization: Bearer {token}\r\n\r\n",
            [401], "INVALID_SESSION_ID"),
        BadInput(26, "an endless trailer", post(chunked, "13\r\n\(body)\r\n0\r\nX: \(long)\r\n\r\n"), [0, 413, 431]),
        BadInput(
            26, "20,000 trailers",
            post(chunked, "13\r\n\(body)\r\n0\r\n\(String(repeating: "X: y\r\n", count: 20_000))\r\n"),
            [0, 413, 431]),
    ]

    private static let fields: [BadInput] = [
        BadInput(24, "line feeds alone in the head", "GET /services/data HTTP/1.1\nHost: {host}\n\n", [400]),
        BadInput(
            24, "a line feed alone between fields", "GET /services/data HTTP/1.1\r\nHost: {host}\nX: y\r\n\r\n", [400]),
        BadInput(
            24, "a carriage return in a field", "GET /services/data HTTP/1.1\r\nHost: {host}\rX: y\r\n\r\n", [400]),
        BadInput(27, "a blank before the colon", "GET /services/data HTTP/1.1\r\nHost : {host}\r\n\r\n", [400]),
        BadInput(27, "the same in another field", with("Content-Length : 5\r\n"), [400]),
        BadInput(28, "a folded field", with("X: y\r\n z\r\n"), [400]),
        BadInput(28, "a folded length", post("X: y\r\n Content-Length: 5"), [400]),
        BadInput(
            28, "a fold before the first field", "GET /services/data HTTP/1.1\r\n X: y\r\nHost: {host}\r\n\r\n", [400]),
        BadInput(29, "a control character in a name", with("X\u{01}: a\r\n"), [400]),
        BadInput(29, "UTF-8 in a name", with("Xé: a\r\n"), [400]),
        BadInput(29, "no name, last", with(": a\r\n"), [400]),
        BadInput(29, "no name, first", "GET /services/data HTTP/1.1\r\n: a\r\nHost: {host}\r\n\r\n", [400]),
        BadInput(29, "no colon", with("abc\r\n"), [400]),
        BadInput(29, "separators in a name", with("X(y): a\r\n"), [400]),
        BadInput(30, "NUL in a value, last", with("X: a\u{0}b\r\n"), [400]),
        BadInput(
            30, "NUL in a value, first", "GET /services/data HTTP/1.1\r\nX: a\u{0}b\r\nHost: {host}\r\n\r\n", [400]),
        BadInput(30, "NUL in the host", "GET /services/data HTTP/1.1\r\nHost: {host}\u{0}.evil.com\r\n\r\n", [400]),
        BadInput(30, "NUL in a name", with("X\u{0}Y: a\r\n"), [400]),
        BadInput(30, "a carriage return in a value", with("X: a\rb\r\n"), [400]),
        BadInput(30, "a control character in a value", with("X: a\u{1B}b\r\n"), [400]),
        BadInput(31, "10,000 fields", with(String(repeating: "X: y\r\n", count: 10_000)), [0, 431]),
        BadInput(31, "101 fields", with(String(repeating: "X: y\r\n", count: 101)), [431]),
        BadInput(31, "a field of 1 MB", with("X: \(long)\r\n"), [0, 431]),
        BadInput(31, "a field of 17 kB", with("X: \(long.prefix(17_000))\r\n"), [431]),
    ]

    private static let lines: [BadInput] = [
        BadInput(32, "an endless line", "GET /\(long)", [0, 400, 414]),
        BadInput(32, "a target of 17 kB", get("GET /\(long.prefix(17_000)) HTTP/1.1"), [414]),
        BadInput(
            33, "a comment as method", get("GET/**/ /services/data HTTP/1.1"), [405], "METHOD_NOT_ALLOWED", ends: false),
        BadInput(
            33, "300 letters", get(String(repeating: "G", count: 300) + " /services/data HTTP/1.1"), [405],
            "METHOD_NOT_ALLOWED", ends: false),
        BadInput(33, "small letters", get("get /services/data HTTP/1.1"), [405], "METHOD_NOT_ALLOWED", ends: false),
        BadInput(33, "NUL in the method", get("GET\u{0} /services/data HTTP/1.1"), [400]),
        BadInput(33, "no method", get(" /services/data HTTP/1.1"), [0, 400]),
        BadInput(33, "two blanks", get("GET  /services/data HTTP/1.1"), [0, 400]),
        BadInput(33, "a blank in the target", get("GET /services/data x HTTP/1.1"), [0, 400]),
        BadInput(34, "HTTP/1.2", get("GET /services/data HTTP/1.2"), [505]),
        BadInput(34, "HTTP/2.0", get("GET /services/data HTTP/2.0"), [505]),
        BadInput(34, "HTTP/1.1x", get("GET /services/data HTTP/1.1x"), [400]),
        BadInput(34, "HTTP/0.9", "GET /services/data\r\n\r\n", [0, 400]),
        BadInput(34, "http/1.1", get("GET /services/data http/1.1"), [400]),
        BadInput(34, "HTTP/01.1", get("GET /services/data HTTP/01.1"), [400]),
        BadInput(35, "TLS", "\u{16}\u{03}\u{01}\u{00}\u{05}\u{01}\u{00}\u{00}\u{01}\r\n\r\n", [0, 400]),
        BadInput(36, "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]),
        BadInput(40, "an expectation", post("Expect: x\r\nContent-Length: 19"), [417]),
    ]
}
