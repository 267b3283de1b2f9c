// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// The response to one request.
struct MCPResponse {
    private let request: MCPRequest
    private let tools: ToolBox
    private let report: @Sendable (ToolProgress) -> Void

    init(_ request: MCPRequest, _ tools: ToolBox, report: @escaping @Sendable (ToolProgress) -> Void) {
        (self.request, self.tools, self.report) = (request, tools, report)
    }

    private var parameters: JSONValue { request.parameters }

    /// - Throws: ``MCPFault``, but not for an error of a tool, which is a result.
    func result() async throws(MCPFault) -> JSONValue {
        let isStateless = try request.isStateless()
        switch request.method {
        case "initialize": return try initialized()
        case "ping": return [:]
        case "server/discover":
            return finished(
                [
                    ("supportedVersions", JSONValue(JSONArray(MCPVersion.all.map { JSONValue($0) }))),
                    ("capabilities", Self.capabilities), ("instructions", JSONValue(instructions)),
                ], isStateless, isKept: true)
        case "tools/list": return finished([("tools", tools.list)], isStateless, isKept: true)
        case "tools/call": return finished(try await called(), isStateless)
        default: throw .unknownMethod(request.method)
        }
    }

    // MARK: What the server is

    private static let capabilities: JSONValue = ["tools": [:]]
    private static let identity: JSONValue = [
        "name": "soql", "title": "Salesforce-like org", "version": JSONValue(RestClient.version),
    ]

    private var instructions: String {
        """
        Tools for an org with a REST API like Salesforce's. Use 'describe' without arguments to see the objects and \
        with an object to see its fields before you write a query. Responses are limited: 'nextCursor' and 'note' say \
        how to continue. \(tools.allowsWrites ? "Records can be changed." : "Records cannot be changed.")
        """
    }

    private func initialized() throws(MCPFault) -> JSONValue {
        guard let version = parameters["protocolVersion"]?.string else {
            throw .invalidParameters("protocolVersion must be a string")
        }
        return [
            "protocolVersion": JSONValue(MCPVersion.agreed(on: version)), "capabilities": Self.capabilities,
            "serverInfo": Self.identity, "instructions": JSONValue(instructions),
        ]
    }

    /// A result with the members that its protocol revision requires.
    private func finished(
        _ members: [(key: String, value: JSONValue)], _ isStateless: Bool, isKept: Bool = false
    ) -> JSONValue {
        guard isStateless else { return JSONValue(JSONObject(members: members)) }
        var all = members + [("resultType", "complete")]
        // The client may cache descriptions of the org for a minute.
        if isKept { all += [("ttlMs", 60_000), ("cacheScope", "private")] }
        all.append(("_meta", ["io.modelcontextprotocol/serverInfo": Self.identity]))
        return JSONValue(JSONObject(members: all))
    }

    private func called() async throws(MCPFault) -> [(key: String, value: JSONValue)] {
        guard let name = parameters["name"]?.string else { throw .invalidParameters("name must be a string") }
        let arguments = parameters["arguments"] ?? [:]
        guard let arguments = arguments.object else { throw .invalidParameters("arguments must be an object") }
        do {
            let result = try await tools.call(name, arguments, report)
            return [
                ("content", [["type": "text", "text": JSONValue(result.description)]]),
                ("structuredContent", result), ("isError", false),
            ]
        } catch let fault as MCPFault {
            throw fault
        } catch {
            return [("content", [["type": "text", "text": JSONValue(Self.words(for: error))]]), ("isError", true)]
        }
    }

    /// A message about a tool's error that a model can act on, including the error codes of the server.
    private static func words(for error: any Error) -> String {
        guard let error = error as? RestError else { return (error as? UsageError)?.message ?? "\(error)" }
        let faults = error.faults.map(\.description)
        let text = faults.isEmpty ? "\(error.code.rawValue): \(error.message)" : faults.joined(separator: "\n")
        guard let outcome = error.outcome, outcome != .notApplied else { return text }
        return text + (outcome == .applied ? "\nThe change was made." : "\nThe change may have been made.")
    }
}
