// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// An error of JSON-RPC.
struct MCPFault: Error {
    let code: Int
    let message: String
    var data: JSONValue?

    static func parse(_ message: String) -> MCPFault { MCPFault(code: -32_700, message: message) }
    static func invalidRequest(_ message: String) -> MCPFault { MCPFault(code: -32_600, message: message) }
    static func unknownMethod(_ name: String) -> MCPFault {
        MCPFault(code: -32_601, message: "there is no method '\(name.prefix(100))'")
    }
    static func invalidParameters(_ message: String) -> MCPFault { MCPFault(code: -32_602, message: message) }
    static func internalError(_ message: String) -> MCPFault { MCPFault(code: -32_603, message: message) }
    static let busy = MCPFault(code: -32_000, message: "too many requests at a time; wait for the answer of one")

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

/// The revisions of the protocol.
enum MCPVersion {
    /// Those that begin with `initialize`, the newest last.
    static let handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// The one whose requests tell their version each.
    static let stateless = "2026-07-28"
    static let all = handshakes + [stateless]

    /// The revision that a handshake agrees on: the one that was asked for if it is known, else the newest.
    static func agreed(on version: String) -> String {
        handshakes.contains(version) ? version : handshakes[handshakes.count - 1]
    }
}
