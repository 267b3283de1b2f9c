// SPDX-License-Identifier: Apache-2.0

import Testing

/// A request that no client should send, byte for byte, and its expected response.
struct BadRequest: Sendable, CustomTestStringConvertible {
    let name: String
    /// The bytes, in which `{host}`, `{port}`, `{token}`, `{data}` and `{id}` are placeholders for values of the org.
    let bytes: String
    /// The expected statuses, where 0 means that the connection is closed without a response.
    ///
    /// There are several if versions of libmicrohttpd differ, because the library itself answers requests with invalid
    /// framing.
    let statuses: Set<Int>
    /// Salesforce's error code, or OAuth's.
    var code: String?
    /// A string that the message must contain.
    var place: String?

    var testDescription: String { name }

    static let all = [hosts, framing, bodies, paths, queries, sessions, logins, files, composites].flatMap(\.self)

    init(_ name: String, _ bytes: String, _ statuses: Set<Int>, _ code: String? = nil, at place: String? = nil) {
        (self.name, self.bytes, self.statuses, self.code, self.place) = (name, bytes, statuses, code, place)
    }

    /// Returns a request with a valid head.
    static func call(
        _ name: String, _ method: String, _ path: String, body: String? = nil, fields: [String] = [],
        _ statuses: Set<Int>, _ code: String? = nil, at place: String? = nil
    ) -> BadRequest {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: {host}"] + fields
        if !fields.contains(where: { $0.hasPrefix("Authorization") }) { lines.append("Authorization: Bearer {token}") }
        if let body {
            if !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
                lines.append("Content-Type: application/json")
            }
            lines.append("Content-Length: \(body.utf8.count)")
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return BadRequest(name, head + (body ?? ""), statuses, code, at: place)
    }

    static func create(
        _ body: String, _ code: String, at place: String? = nil, object: String = "Account"
    ) -> BadRequest {
        call(String(body.prefix(60)), "POST", "{data}/sobjects/\(object)", body: body, [400], code, at: place)
    }

    static func query(
        _ soql: String, _ statuses: Set<Int> = [400], _ code: String? = nil, at place: String? = nil
    ) -> BadRequest {
        let hex = Array("0123456789ABCDEF")
        let encoded = soql.utf8.map { byte in
            let scalar = Character(UnicodeScalar(byte))
            return scalar.isASCII && (scalar.isLetter || scalar.isNumber)
                ? String(scalar) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
        }.joined()
        return call(String(soql.prefix(60)), "GET", "{data}/query?q=\(encoded)", statuses, code, at: place)
    }
}

/// Requests for another host, and requests that another site made a browser send.
extension BadRequest {
    private static func host(_ line: String, _ statuses: Set<Int>) -> BadRequest {
        BadRequest(line, "GET /services/data HTTP/1.1\r\n\(line)\r\n\r\n", statuses)
    }

    static let hosts: [BadRequest] = addresses + types

    private static let addresses: [BadRequest] = [
        host("Host: evil.com", [421]), host("Host: 127.0.0.1", [421]), host("Host: 127.0.0.1:1", [421]),
        host("Host: localhost.evil.com:{port}", [421]), host("Host: 2130706433:{port}", [421]),
        host("X: y", [400]), host("Host:", [400, 421]), host("Host: {host}\r\nHost: {host}", [400]),
        host("Host: {host}\r\nHost: evil.com", [400]), host("Host: 127.0.0.1@evil.com", [400]),
        host("Host: {host} evil", [400]), host("Host: {host}/", [400]),
        host("Host: {host}, evil.com", [400, 421]),
        BadRequest("absolute form", "GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\n\r\n", [400, 421]),
        BadRequest("CONNECT", "CONNECT evil.com:443 HTTP/1.1\r\nHost: {host}\r\n\r\n", [400, 405]),
        BadRequest("another authority", "GET http://evil.com/services/data HTTP/1.1\r\nHost: {host}\r\n\r\n", [400]),
        BadRequest("the same authority", "GET http://{host}/services/data HTTP/1.1\r\nHost: {host}\r\n\r\n", [400]),
        call(
            "a foreign WebSocket", "GET", "/services/data",
            fields: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Origin: https://evil.com",
            ],
            [403], "FORBIDDEN"),
    ]

    private static let types: [BadRequest] = [
        "text/plain", "application/x-www-form-urlencoded", "application/jsonx",
    ].map { (type: String) -> BadRequest in
        call(
            "JSON as \(type)", "POST", "{data}/sobjects/Account", body: "{}", fields: ["Content-Type: \(type)"], [415],
            "UNSUPPORTED_MEDIA_TYPE", at: "application/json")
    }
}

/// Requests with ambiguous or missing framing. libmicrohttpd checks other framing errors.
extension BadRequest {
    private static let record = #"{"Name":"Smuggled"}"#
    private static let long = String(repeating: "x", count: 20_000)

    /// Returns a POST with these framing headers and this body, which would create an account.
    private static func post(_ fields: String, _ body: String = Self.record, version: String = "1.1") -> String {
        """
        POST {data}/sobjects/Account HTTP/\(version)\r\nHost: {host}\r\nAuthorization: Bearer {token}\r
        Content-Type: application/json\r\n\(fields)\r\n\r\n\(body)
        """
    }

    private static func get(_ line: String, _ fields: String = "") -> String {
        "\(line)\r\nHost: {host}\r\n\(fields)\r\n"
    }

    private static let chunks = "13\r\n\(record)\r\n0\r\n\r\n"

    static let framing: [BadRequest] = lengths + codings + heads

    private static let lengths: [BadRequest] = [
        "-1", "+19", "19a", "0x13", "1 9", "", "19.0", "1e1", "19\r\nContent-Length: 20",
        "19\r\nContent-Length: 19", "19, 19", "9223372036854775807", "18446744073709551616",
        "5\r\nTransfer-Encoding: chunked",
    ].map {
        BadRequest("length '\($0)'", post("Content-Length: \($0)", $0.contains("ch") ? chunks : record), [400, 413])
    }

    private static let codings: [BadRequest] =
        ["chunked, identity", "xchunked", "identity", "", "gzip, chunked", "chunked\r\nTransfer-Encoding: chunked"].map
    {
        BadRequest("coding '\($0)'", post("Transfer-Encoding: \($0)", chunks), [400, 501])
    } + [
        BadRequest("chunks in HTTP/1.0", post("Transfer-Encoding: chunked", chunks, version: "1.0"), [400]),
        BadRequest("an expectation", post("Expect: x\r\nContent-Length: 19"), [417]),
    ]

    private static let heads: [BadRequest] = [
        BadRequest("a control character in a value", get("GET /services/data HTTP/1.1", "X: a\u{1B}b\r\n"), [400]),
        BadRequest("separators in a name", get("GET /services/data HTTP/1.1", "X(y): a\r\n"), [400]),
        BadRequest(
            "101 fields", get("GET /services/data HTTP/1.1", String(repeating: "X: y\r\n", count: 101)), [431]),
        BadRequest("a field of 20 kB", get("GET /services/data HTTP/1.1", "X: \(long)\r\n"), [431]),
        BadRequest("a target of 20 kB", get("GET /\(long) HTTP/1.1"), [414]),
        BadRequest("a comment as method", get("GET/**/ /services/data HTTP/1.1"), [405], "METHOD_NOT_ALLOWED"),
        BadRequest("small letters", get("get /services/data HTTP/1.1"), [405], "METHOD_NOT_ALLOWED"),
        BadRequest("HTTP/1.2", get("GET /services/data HTTP/1.2"), [505]),
        BadRequest("HTTP/2.0", get("GET /services/data HTTP/2.0"), [505]),
        BadRequest("HTTP/0.9", "GET /services/data\r\n\r\n", [0, 400]),
        BadRequest("TLS", "\u{16}\u{03}\u{01}\u{00}\u{05}\u{01}\u{00}\u{00}\u{01}\r\n\r\n", [0, 400]),
    ]
}
