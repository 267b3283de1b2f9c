// SPDX-License-Identifier: Apache-2.0

import Costs
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// A concise client for the tests of an org, with one connection for each request.
struct OrgClient {
    let org: LocalOrg
    var token: String

    init(_ org: LocalOrg) {
        self.org = org
        token = org.issueCredential().accessToken
    }

    static func start(_ configuration: LocalOrgConfiguration = .init()) async throws -> OrgClient {
        OrgClient(try await LocalOrg.start(configuration))
    }

    static func start(_ change: (inout LocalOrgConfiguration) throws -> Void) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        try change(&configuration)
        return try await start(configuration)
    }

    static let data = "/services/data/v66.0"

    @discardableResult
    func send(
        _ method: String, _ path: String, body: String? = nil, fields: [String] = [], token: String?? = nil
    ) throws -> RawClient.Response {
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

    func raw(_ text: String, hasBody: Bool = true) throws -> RawClient.Response {
        let client = try RawClient(port: org.port)
        try client.send(Array(text.utf8))
        return try client.receive(hasBody: hasBody)
    }

    func get(_ path: String) throws -> RawClient.Response { try send("GET", Self.data + path) }

    func query(_ soql: String, batchSize: Int? = nil, resource: String = "query") throws -> RawClient.Response {
        let text = soql.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let fields = batchSize.map { ["Sforce-Query-Options: batchSize=\($0)"] } ?? []
        return try send("GET", "\(Self.data)/\(resource)?q=\(text)", fields: fields)
    }

    /// Posts a form to an OAuth endpoint, without a session.
    @discardableResult
    func form(_ pairs: [(String, String)], to endpoint: String = "token", fields: [String] = []) throws
        -> RawClient.Response
    {
        let body = pairs.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }.joined(separator: "&")
        return try send(
            "POST", "/services/oauth2/\(endpoint)", body: body,
            fields: ["Content-Type: application/x-www-form-urlencoded"] + fields, token: .some(nil))
    }

    /// Requests tokens as the org's own app, with its secret.
    @discardableResult
    func grant(_ type: String, _ pairs: [(String, String)] = []) throws -> RawClient.Response {
        try form([("grant_type", type)] + app + pairs)
    }

    var app: [(String, String)] { [("client_id", org.clientID), ("client_secret", org.clientSecret)] }

    func create(_ object: String, _ body: String) throws -> String {
        try send("POST", "\(Self.data)/sobjects/\(object)", body: body).json["id"]?.string ?? ""
    }
}

extension OrgClient {
    /// Creates a bulk job, uploads its records, closes it and returns its path.
    func load(_ body: String, _ csv: String, version: Int = 66) throws -> String {
        let jobs = "/services/data/v\(version).0/jobs/ingest"
        let id = try #require(try send("POST", jobs, body: body).json["id"]?.string)
        let job = "\(jobs)/\(id)"
        #expect(try send("PUT", job + "/batches", body: csv, fields: ["Content-Type: text/csv"]).status == 201)
        #expect(try send("PATCH", job, body: #"{"state":"UploadComplete"}"#).status == 200)
        return job
    }

    func ended(_ path: String) async throws -> JSONValue {
        while true {
            let job = try send("GET", path).json
            let state = try #require(job["state"]?.string)
            if ["JobComplete", "Failed", "Aborted"].contains(state) { return job }
            await Task.yield()
        }
    }
}

extension RawClient.Response {
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var errorCode: String? { json[0]?["errorCode"]?.string }
    var oauthError: String? { json["error"]?.string }
}

extension Array where Element == UInt8 {
    /// The Base64 string as Foundation encodes it, for comparison with the org's own encoder.
    var base64: String { Data(self).base64EncodedString() }
}

/// One org for tests that need any org and count nothing, stopped with the process.
enum SharedOrg {
    private static let started = Task { try await OrgClient.start() }

    static var client: OrgClient {
        get async throws { try await started.value }
    }
}

/// A blocking HTTP client on a raw socket, which sends exactly the given bytes.
///
/// It reads a response until the server closes the connection or the announced body is complete. Every wait is limited
/// to two minutes, which only a failing test reaches.
final class RawClient {
    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine, at an IPv4 address in host byte order.
    init(port: Int, address host: UInt32 = 0x7F00_0001) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = CInt(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var wait = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure.notConnected }
    }

    deinit { close(descriptor) }

    enum Failure: Error, Equatable {
        case notConnected
        /// The server closed the connection normally after it had sent `received` bytes of the response.
        case closed(received: Int)
        case reset
        case timeout
    }

    struct Response {
        let status: Int
        let head: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst()
            where line.lowercased().hasPrefix(name.lowercased() + ":") {
                return line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Failure.reset }
            rest = rest.dropFirst(sent)
        }
    }

    /// Reads one response, without a body after HEAD.
    func receive(hasBody: Bool = true) throws -> Response {
        var end: Int?
        while end == nil {
            end = buffer.indices.first { buffer[$0...].starts(with: "\r\n\r\n".utf8) }
            if end == nil { try fill() }
        }
        let head = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self)
        buffer.removeFirst((end ?? 0) + 4)
        let parsed = Response(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: [])
        let length = hasBody ? Int(parsed.field("Content-Length") ?? "0") ?? 0 : 0
        while buffer.count < length { try fill() }
        defer { buffer.removeFirst(length) }
        return Response(status: parsed.status, head: head, body: Array(buffer[..<length]))
    }

    /// Whether the server has closed the connection, or closes it within the time limit.
    func isClosed() -> Bool {
        do { while true { try fill() } } catch { return error as? Failure != .timeout }
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count != 0 else { throw Failure.closed(received: buffer.count) }
        guard count > 0 else { throw errno == EAGAIN ? Failure.timeout : Failure.reset }
        buffer += chunk[..<count]
    }
}

enum Growth {
    /// Returns the ratio of the CPU times for four times the input: about 4 for a linear cost, 16 for a quadratic cost.
    static func factor(from size: Int, _ task: (Int) throws -> Void) rethrows -> Double {
        try costRatio(below: 7, floor: 0.000_05, short: { try task(size) }, long: { try task(size * 4) })
    }
}
