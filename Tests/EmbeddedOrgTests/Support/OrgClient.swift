// SPDX-License-Identifier: Apache-2.0

import CZlib
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// Talks to an org the way a test reads best; one connection per request.
struct OrgClient {
    let org: LocalOrg
    var token: String

    init(_ org: LocalOrg) {
        self.org = org
        token = org.issueCredential().accessToken
    }

    /// Starts an org in memory and gives a client for it.
    static func start(_ configuration: LocalOrgConfiguration = .init()) async throws -> OrgClient {
        OrgClient(try await LocalOrg.start(configuration))
    }

    static let data = "/services/data/v66.0"

    /// Sends a request; a body goes as JSON.
    @discardableResult
    func send(
        _ method: String, _ path: String, body: String? = nil, fields: [String] = [], token: String?? = nil
    ) throws -> RawClient.Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(org.port)"]
        if let token = token ?? self.token { lines.append("Authorization: Bearer \(token)") }
        lines += fields
        if let body {
            if !fields.contains(where: { $0.hasPrefix("Content-Type") }) {
                lines.append("Content-Type: application/json")
            }
            lines.append("Content-Length: \(body.utf8.count)")
        }
        return try raw(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""), hasBody: method != "HEAD")
    }

    /// Sends bytes as they are.
    func raw(_ text: String, hasBody: Bool = true) throws -> RawClient.Answer {
        let client = try RawClient(port: org.port)
        try client.send(Array(text.utf8))
        return try client.receive(hasBody: hasBody)
    }

    func get(_ path: String) throws -> RawClient.Answer { try send("GET", Self.data + path) }

    func query(_ soql: String, batchSize: Int? = nil, resource: String = "query") throws -> RawClient.Answer {
        let text = soql.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let fields = batchSize.map { ["Sforce-Query-Options: batchSize=\($0)"] } ?? []
        return try send("GET", "\(Self.data)/\(resource)?q=\(text)", fields: fields)
    }

    /// Posts a form to an OAuth endpoint, without a session.
    @discardableResult
    func form(_ pairs: [(String, String)], to endpoint: String = "token", fields: [String] = []) throws
        -> RawClient.Answer
    {
        let body = pairs.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }.joined(separator: "&")
        return try send(
            "POST", "/services/oauth2/\(endpoint)", body: body,
            fields: ["Content-Type: application/x-www-form-urlencoded"] + fields, token: .some(nil))
    }

    /// Creates a record and gives its id.
    func create(_ object: String, _ body: String) throws -> String {
        try send("POST", "\(Self.data)/sobjects/\(object)", body: body).json["id"]?.string ?? ""
    }
}

extension RawClient.Answer {
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    /// The code of the first error of the API's shape.
    var errorCode: String? { json[0]?["errorCode"]?.string }
    /// The error of the OAuth endpoints' shape.
    var oauthError: String? { json["error"]?.string }
}

extension Array where Element == UInt8 {
    /// Base 64 by Foundation, the peer of the org's own.
    var base64: String { Data(self).base64EncodedString() }
}

/// The bytes in zlib's format (RFC 1950), which HTTP calls deflate.
func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var size = compressBound(uLong(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(size))
    let code = unsafe compress2(&output, &size, bytes, uLong(bytes.count), 9)
    try #require(code == Z_OK)
    return Array(output.prefix(Int(size)))
}
