// SPDX-License-Identifier: Apache-2.0

import Testing

/// A request that no client should send, byte for byte, and how it is answered.
///
/// The rows are numbered B1 to B85, by kind: hosts and origins (1–13), framing (14–40), slow and many clients (37–47),
/// bodies (48–59), paths and ids (60–62), queries (63–70), logins (71–77), fields of answers (78), files (79–82),
/// composites and conditions (83, 84), and the database's file (85).
struct BadInput: Sendable, CustomTestStringConvertible {
    let row: Int
    let name: String
    /// `{host}`, `{port}`, `{token}`, `{data}` and `{id}` stand for what the org has.
    let bytes: String
    /// The statuses that are right; 0 is an end of the connection without an answer.
    ///
    /// There are several where versions of libmicrohttpd differ, which answers broken framing by itself.
    let statuses: Set<Int>
    /// The platform's code, or OAuth's.
    var code: String?
    /// What the message must name.
    var place: String?
    /// Whether the connection ends behind the answer; else the next request on it is answered as always.
    ///
    /// `nil`: as the answer says, where versions of libmicrohttpd differ.
    var ends: Bool?
    /// Whether the request may do what it says, since it is allowed after all.
    var writes = false

    var testDescription: String { "B\(row) \(name)" }

    init(
        _ row: Int, _ name: String, _ bytes: String, _ statuses: Set<Int>, _ code: String? = nil,
        at place: String? = nil,
        ends: Bool? = true, writes: Bool = false
    ) {
        (self.row, self.name, self.bytes, self.statuses) = (row, name, bytes, statuses)
        (self.code, self.place, self.ends, self.writes) = (code, place, ends, writes)
    }

    /// A request with a good head; refused behind the head, it leaves the connection as it is.
    static func call(
        _ row: Int, _ name: String, _ method: String, _ path: String, body: String? = nil, fields: [String] = [],
        _ statuses: Set<Int>, _ code: String? = nil, at place: String? = nil, ends: Bool = false, writes: Bool = false
    ) -> BadInput {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: {host}"] + fields
        if !fields.contains(where: { $0.hasPrefix("Authorization") }) { lines.append("Authorization: Bearer {token}") }
        if let body {
            if !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
                lines.append("Content-Type: application/json")
            }
            lines.append("Content-Length: \(body.utf8.count)")
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return BadInput(row, name, head + (body ?? ""), statuses, code, at: place, ends: ends, writes: writes)
    }

    /// A record that is to be made.
    static func create(
        _ row: Int, _ body: String, _ code: String, at place: String? = nil, object: String = "Account"
    ) -> BadInput {
        call(row, String(body.prefix(60)), "POST", "{data}/sobjects/\(object)", body: body, [400], code, at: place)
    }

    /// A query.
    static func query(
        _ row: Int, _ soql: String, _ statuses: Set<Int> = [400], _ code: String? = nil, at place: String? = nil
    ) -> BadInput {
        let hex = Array("0123456789ABCDEF")
        let encoded = soql.utf8.map { byte in
            let scalar = Character(UnicodeScalar(byte))
            return scalar.isASCII && (scalar.isLetter || scalar.isNumber)
                ? String(scalar) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
        }.joined()
        return call(row, String(soql.prefix(60)), "GET", "{data}/query?q=\(encoded)", statuses, code, at: place)
    }
}
