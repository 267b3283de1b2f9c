// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// How far a tool is.
struct ToolProgress: Sendable {
    let done: Int
    let total: Int?
    let message: String
}

/// Something that a model can do.
struct Tool: Sendable {
    let name: String
    let title: String
    let description: String
    /// The arguments, each with its JSON schema.
    let arguments: [(name: String, schema: JSONValue)]
    let required: [String]
    /// What it does to the org.
    var effect = Effect.reads
    let run: @Sendable (ToolBox, ToolArguments, @Sendable (ToolProgress) -> Void) async throws -> JSONValue

    enum Effect {
        case reads, adds, changes, removes
    }

    /// The tool as clients see it.
    var json: JSONValue {
        let schema: JSONValue = [
            "type": "object",
            "properties": JSONValue(JSONObject(members: arguments.map { ($0.name, $0.schema) })),
            "required": JSONValue(JSONArray(required.map { JSONValue($0) })), "additionalProperties": false,
        ]
        return [
            "name": JSONValue(name), "title": JSONValue(title), "description": JSONValue(description),
            "inputSchema": schema,
            "annotations": [
                "readOnlyHint": JSONValue(effect == .reads), "openWorldHint": true,
                "destructiveHint": JSONValue(effect == .changes || effect == .removes),
                "idempotentHint": JSONValue(effect != .adds),
            ],
        ]
    }
}

/// The tools for one org.
final class ToolBox: Sendable {
    private let connection: Connection
    let maxRows: Int
    let maxBytes: Int
    let allowsWrites: Bool
    let cursors = QueryCursors()
    private let tools: [Tool]

    init(_ connection: Connection, _ options: MCPOptions) {
        self.connection = connection
        (maxRows, maxBytes, allowsWrites) = (options.maxRows, options.maxBytes, options.allowsWrites)
        tools = Tool.reading + (options.allowsWrites ? Tool.writing : [])
    }

    var client: RestClient { connection.client }

    /// Runs calls, once more if the server knows an older version of the API only.
    func withClient<Result>(_ body: (RestClient) async throws -> Result) async throws -> Result {
        try await connection.withClient(body)
    }

    var list: JSONValue { JSONValue(JSONArray(tools.map(\.json))) }

    /// Runs a tool.
    ///
    /// - Throws: ``MCPFault`` for a tool that there is not; anything else is a failure of the tool.
    func call(
        _ name: String, _ arguments: ToolArguments, _ report: @Sendable (ToolProgress) -> Void
    ) async throws -> JSONValue {
        guard let tool = tools.first(where: { $0.name == name }) else {
            let isWriting = Tool.writing.contains { $0.name == name }
            throw MCPFault.invalidParameters(
                isWriting
                    ? "the tool '\(name)' needs a server that was started with --allow-writes"
                    : "there is no tool '\(name.prefix(100))'")
        }
        try arguments.check(tool)
        return try await withClient { _ in try await tool.run(self, arguments, report) }
    }
}
