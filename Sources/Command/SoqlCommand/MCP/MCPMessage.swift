// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A message from the client.
enum MCPMessage: Sendable {
    case request(MCPRequest)
    /// A method without an id, which gets no response.
    case notification(String, JSONValue)
    /// A response, although no request was sent.
    case response

    private static let limits = JSONDocument.Limits(maximumDepth: 64)

    init(_ line: [UInt8]) throws(MCPFault) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw .parse("the line is not JSON: \(error.reason) at byte \(error.offset)")
        }
        guard value.array == nil else { throw .invalidRequest("batches are not supported; send one message per line") }
        guard value.object != nil, value["jsonrpc"]?.string == "2.0" else {
            throw .invalidRequest("the message must be an object with \"jsonrpc\": \"2.0\"")
        }
        guard let method = value["method"] else {
            guard value["result"] != nil || value["error"] != nil else {
                throw .invalidRequest("the message must have a method")
            }
            self = .response
            return
        }
        guard let name = method.string else { throw .invalidRequest("the method must be a string") }
        let parameters = value["params"] ?? [:]
        guard parameters.object != nil else { throw .invalidRequest("the params must be an object") }
        guard let id = value["id"] else {
            self = .notification(name, parameters)
            return
        }
        guard let known = MCPRequest.ID(id) else { throw .invalidRequest("the id must be a string or a whole number") }
        self = .request(MCPRequest(id: known, method: name, parameters: parameters))
    }
}

/// A request, which gets exactly one response.
struct MCPRequest: Sendable {
    /// The identifier of a response: a string or a whole number.
    struct ID: Hashable, Sendable {
        let json: JSONValue

        /// Returns `nil` for an invalid id.
        init?(_ value: JSONValue) {
            let number = value.numberText?.utf8
            guard
                value.string != nil
                    || number.map({ $0.count <= 40 && !$0.contains(where: ".eE".utf8.contains) }) == true
            else { return nil }
            json = value
        }
    }

    let id: ID
    let method: String
    let parameters: JSONValue

    private static let prefix = "io.modelcontextprotocol/"

    /// Whether the request states its protocol version itself, which must be supported.
    func isStateless() throws(MCPFault) -> Bool {
        guard let meta = parameters["_meta"], let version = meta[Self.prefix + "protocolVersion"] else {
            guard method == "server/discover" else { return false }
            throw .invalidParameters("_meta must have \(Self.prefix)protocolVersion")
        }
        guard let version = version.string else {
            throw .invalidParameters("\(Self.prefix)protocolVersion must be a string")
        }
        guard meta[Self.prefix + "clientCapabilities"]?.object != nil else {
            throw .invalidParameters("_meta must have \(Self.prefix)clientCapabilities")
        }
        guard version == MCPVersion.stateless else { throw .unsupported(version: version) }
        return true
    }

    /// The token by which the client identifies the progress reports that it requested.
    var progressToken: ID? { parameters["_meta"]?["progressToken"].flatMap { ID($0) } }
}

/// An error of JSON-RPC.
struct MCPFault: Error {
    let code: Int
    let message: String
    var data: JSONValue?

    static func parse(_ message: String) -> MCPFault { MCPFault(code: -32_700, message: message) }
    static func invalidRequest(_ message: String) -> MCPFault { MCPFault(code: -32_600, message: message) }
    static func unknownMethod(_ name: String) -> MCPFault {
        MCPFault(code: -32_601, message: "unknown method '\(name.prefix(100))'")
    }
    static func invalidParameters(_ message: String) -> MCPFault { MCPFault(code: -32_602, message: message) }
    static let busy = MCPFault(code: -32_000, message: "too many concurrent requests; wait for a response")

    static func unsupported(version: String) -> MCPFault {
        let supported = MCPVersion.all.map { JSONValue($0) }
        return MCPFault(
            code: -32_022, message: "Unsupported protocol version",
            data: ["supported": JSONValue(JSONArray(supported)), "requested": JSONValue(version)])
    }

    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [("code", JSONValue(code)), ("message", JSONValue(message))]
        if let data { members.append(("data", data)) }
        return JSONValue(JSONObject(members: members))
    }
}

/// The protocol revisions.
enum MCPVersion {
    /// The revisions with an `initialize` handshake, the newest last.
    static let handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// The revision in which each request states its version.
    static let stateless = "2026-07-28"
    static let all = handshakes + [stateless]

    /// The revision of a handshake: the requested revision if it is supported, else the newest.
    static func agreed(on version: String) -> String {
        handshakes.contains(version) ? version : handshakes[handshakes.count - 1]
    }
}
