// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestJSON
import Testing

/// Requests that no client should send, byte for byte.
///
/// What libmicrohttpd reads more leniently than the RFCs allow is not listed: a lone LF as the line end of a chunk,
/// folded header lines (it unfolds them), a field without a name (it drops it), and a NUL in a value (it ends there).
@Suite("Malformed requests")
struct MalformedRequestTests {
    private static let body = #"{"Name":"Smuggled"}"#

    /// A POST that would make an account, with these framing fields and this body.
    private static func post(_ fields: String, _ body: String = Self.body, version: String = "1.1") -> String {
        """
        POST /services/data/v66.0/sobjects/Account HTTP/\(version)\r\nHost: {host}\r\nAuthorization: Bearer {token}\r
        Content-Type: application/json\r\n\(fields)\r\n\r\n\(body)
        """
    }

    private static func get(_ line: String, _ fields: String = "") -> String {
        "\(line)\r\nHost: {host}\r\n\(fields)\r\n"
    }

    private static let chunks = "13\r\n\(body)\r\n0\r\n\r\n"
    private static let long = String(repeating: "x", count: 1 << 20)

    private static let cases: [(name: String, bytes: String, statuses: [Int])] = [
        ("B14 two framings", post("Content-Length: 5\r\nTransfer-Encoding: chunked", chunks), [400]),
        ("B15 two lengths", post("Content-Length: 19\r\nContent-Length: 20"), [400]),
        ("B16 one length twice", post("Content-Length: 19, 19"), [400]),
        ("B16 two equal lengths", post("Content-Length: 19\r\nContent-Length: 19"), [400]),
        ("B17 plus", post("Content-Length: +19"), [400]), ("B17 letters", post("Content-Length: 19a"), [400]),
        ("B17 hexadecimal", post("Content-Length: 0x13"), [400]), ("B17 empty", post("Content-Length: "), [400]),
        ("B18 2^63-1", post("Content-Length: 9223372036854775807"), [413]),
        ("B18 20 digits", post("Content-Length: 99999999999999999999"), [400, 413]),
        ("B19 list", post("Transfer-Encoding: chunked, identity", chunks), [400]),
        ("B19 unknown", post("Transfer-Encoding: xchunked", chunks), [400]),
        ("B19 twice", post("Transfer-Encoding: chunked, chunked", chunks), [400]),
        ("B19 vertical tab", post("Transfer-Encoding: \u{0B}chunked", chunks), [400]),
        ("B20 HTTP/1.0", post("Transfer-Encoding: chunked", chunks, version: "1.0"), [400]),
        ("B21 huge", post("Transfer-Encoding: chunked", "ffffffffffffffff1\r\n\(chunks)"), [400, 413]),
        ("B21 negative", post("Transfer-Encoding: chunked", "-1\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("B21 prefix", post("Transfer-Encoding: chunked", "0x13\r\n\(body)\r\n0\r\n\r\n"), [400]),
        ("B21 empty", post("Transfer-Encoding: chunked", "\r\n\(body)\r\n0\r\n\r\n"), [400]),
        (
            "B22 long extension", post("Transfer-Encoding: chunked", "13;\(long)\r\n\(body)\r\n0\r\n\r\n"),
            [400, 413, 431, 500]
        ),
        ("B23 no line end", post("Transfer-Encoding: chunked", "13\r\n\(body)XX0\r\n\r\n"), [400]),
        ("B26 long trailer", post("Transfer-Encoding: chunked", "13\r\n\(body)\r\n0\r\nX: \(long)\r\n\r\n"), [431]),
        ("B27 space before colon", "GET /services/data HTTP/1.1\r\nHost : {host}\r\n\r\n", [400]),
        ("B29 control in name", get("GET /services/data HTTP/1.1", "X\u{01}: a\r\n"), [400]),
        ("B31 10,000 fields", get("GET /services/data HTTP/1.1", String(repeating: "X: y\r\n", count: 10_000)), [431]),
        ("B32 endless line", "GET /" + long, [414]),
        ("B33 odd method", get("GET/**/ /services/data HTTP/1.1"), [405]),
        ("B33 long method", get(String(repeating: "G", count: 300) + " /services/data HTTP/1.1"), [405]),
        ("B34 HTTP/1.2", get("GET /services/data HTTP/1.2"), [505]),
        ("B34 HTTP/2.0", get("GET /services/data HTTP/2.0"), [505]),
        ("B34 suffix", get("GET /services/data HTTP/1.1x"), [400]),
        ("B34 HTTP/0.9", "GET /services/data\r\n\r\n", [400]),
        ("B36 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505]),
        ("B40 expectation", post("Expect: x\r\nContent-Length: 19"), [417]),
    ]

    @Test("is refused, makes nothing, and leaves the org well", arguments: cases.indices)
    func refused(index: Int) async throws {
        let (name, bytes, statuses) = Self.cases[index]
        let client = try await SharedOrg.client
        let raw = try RawClient(port: client.org.port)
        let text = bytes.replacing("{host}", with: "127.0.0.1:\(client.org.port)").replacing(
            "{token}", with: client.token)
        try? raw.send(Array(text.utf8))
        // A refusal may be cut off by the reset that follows unread input.
        let answer = try? raw.receive()
        let isRefused = answer.map { statuses.contains($0.status) } ?? (text.utf8.count > 100_000)
        #expect(isRefused, "\(name): \(answer?.head ?? "no answer")")
        let made = try client.query("SELECT COUNT() FROM Account WHERE Name = 'Smuggled'")
        #expect(made.json["totalSize"]?.int == 0)
    }

    @Test("a body longer than its announced length is read as the next request (B38)")
    func pipelined() async throws {
        let client = try await OrgClient.start()
        let raw = try RawClient(port: client.org.port)
        let host = "Host: 127.0.0.1:\(client.org.port)\r\n"
        let hidden = "GET /services/data HTTP/1.1\r\n\(host)\r\n"
        let first = "POST /services/oauth2/token HTTP/1.1\r\n\(host)Content-Length: 4\r\n\r\na=b&\(hidden)"
        try raw.send(Array((first + String(repeating: hidden, count: 99)).utf8))
        #expect(try raw.receive().status == 400)
        for _ in 0..<100 { #expect(try raw.receive().status == 200) }
        #expect(client.org.journal.count == 101)
        await client.org.stop()
    }

    @Test("more connections than are allowed at once come and go, in all states, and none is kept (B44, B47)")
    func abandonedConnections() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.limits.connections = 64
        let client = try await OrgClient.start(configuration)
        for round in 0..<600 {
            let raw = try RawClient(port: client.org.port)
            let line = "GET /services/data HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n"
            if round % 3 > 0 { try raw.send(Array(line.utf8)) }
            if round % 3 > 1 { try raw.send(Array("\r\n".utf8)) }
        }
        #expect(try client.get("/limits").status == 200)
        await client.org.stop()
    }
}
