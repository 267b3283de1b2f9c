// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedBox
import Foundation
import RestBase
import RestCurl
import RestJSON
import RestTransport

/// A test server in the test's own process, and its client.
struct BoxClient: BoxCaller {
    let box: LocalBox
    var token: String
    let transport = CurlTransport()

    var origin: String { box.origin }

    init(_ box: LocalBox) {
        self.box = box
        token = box.accessToken
    }

    static func start(_ change: (inout LocalBoxConfiguration) -> Void = { _ in }) async throws -> BoxClient {
        var configuration = LocalBoxConfiguration()
        change(&configuration)
        return BoxClient(try await LocalBox.start(configuration))
    }
}

/// A client for tests of a server's HTTP interface, without the SDK.
protocol BoxCaller {
    var origin: String { get }
    var token: String { get }
    var transport: CurlTransport { get }
}

extension BoxCaller {
    func send(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields, _ body: HTTPBody = .empty
    ) async throws -> HTTPResponse {
        let url = try HTTPURL(parsing: origin + path)
        return try await transport.send(
            HTTPRequest(method: method, url: url, fields: fields, body: body), deadline: .now + .seconds(120))
    }

    /// Calls a route with the argument as the body.
    @discardableResult
    func call(_ route: String, _ argument: String = "null", fields: HTTPFields = [:]) async throws -> HTTPResponse {
        var fields = fields
        if fields["Authorization"] == nil { fields.append("Authorization", "Bearer \(token)") }
        if fields["Content-Type"] == nil { fields.append("Content-Type", "application/json") }
        return try await send(.post, "/2/" + route, fields, .bytes(Array(argument.utf8)))
    }

    /// Calls a route with file content as the body.
    @discardableResult
    func upload(
        _ route: String, _ argument: String, _ body: HTTPBody, more: HTTPFields = [:]
    ) async throws -> HTTPResponse {
        var fields: HTTPFields = [
            "Authorization": "Bearer \(token)", "Content-Type": "application/octet-stream",
            "Dropbox-API-Arg": argument,
        ]
        for field in more { fields.append(field.name, field.value) }
        return try await send(.post, "/2/" + route, fields, body)
    }

    @discardableResult
    func put(_ path: String, _ text: String) async throws -> JSONValue {
        try await upload("files/upload", #"{"path":"\#(path)","mode":"overwrite"}"#, .bytes(Array(text.utf8))).json
    }

    func download(_ path: String, range: String? = nil) async throws -> HTTPResponse {
        var fields: HTTPFields = ["Authorization": "Bearer \(token)", "Dropbox-API-Arg": #"{"path":"\#(path)"}"#]
        if let range { fields.append("Range", range) }
        return try await send(.post, "/2/files/download", fields)
    }

    func start(_ argument: String = "{}", _ body: String = "") async throws -> String {
        let response = try await upload("files/upload_session/start", argument, .bytes(Array(body.utf8)))
        return response.json["session_id"]?.string ?? ""
    }

    /// Appends to an upload session, with the remaining fields of the argument in `rest`.
    func append(_ id: String, _ offset: Int, _ body: [UInt8], _ rest: String = "") async throws -> HTTPResponse {
        let cursor = #""cursor":{"session_id":"\#(id)","offset":\#(offset)}"#
        return try await upload("files/upload_session/append_v2", "{\(cursor)\(rest)}", .bytes(body))
    }

    func finish(_ id: String, _ offset: Int, _ path: String, _ body: [UInt8] = []) async throws -> HTTPResponse {
        let cursor = #"{"session_id":"\#(id)","offset":\#(offset)}"#
        return try await upload(
            "files/upload_session/finish", #"{"cursor":\#(cursor),"commit":{"path":"\#(path)"}}"#, .bytes(body))
    }

    func form(_ pairs: [(String, String)]) async throws -> HTTPResponse {
        try await send(
            .post, "/oauth2/token", ["Content-Type": "application/x-www-form-urlencoded"],
            .bytes(Array(PercentEncoding.form(pairs).utf8)))
    }
}

extension HTTPResponse {
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    var status: Int { head.status }
    var summary: String? { json["error_summary"]?.string }
}

/// A test server in a separate process, which can be killed.
final class BoxProcess: BoxCaller, Sendable {
    let origin: String
    let token = "sl.kept-over-restarts"
    let transport = CurlTransport()
    /// The process exits when its standard input is closed, and therefore with the tests.
    private let program: RunningProgram

    struct DidNotStart: Error {}

    init(folder: String) throws {
        program = try RunningProgram(BuiltProgram.url("boxserver"), [folder, token], input: nil)
        let line = program.nextLine() ?? []
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw DidNotStart() }
        origin = "http://127.0.0.1:\(port)"
    }

    func kill() { program.kill() }
}
