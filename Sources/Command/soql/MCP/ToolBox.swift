// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import SOQLCheck

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

    /// Makes the tools that the options of `soql mcp` allow.
    init(_ connection: Connection, _ arguments: Arguments) {
        self.connection = connection
        (maxRows, maxBytes) = (arguments.number(.maxRows) ?? 200, arguments.number(.maxBytes) ?? 100_000)
        allowsWrites = arguments.has(.allowWrites)
        tools = Tool.reading + (allowsWrites ? Tool.writing : [])
    }

    var client: RestClient { connection.client }

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
        return try await connection.withClient { _ in try await tool.run(self, arguments, report) }
    }
}

/// What a model gave to a tool.
struct ToolArguments: Sendable {
    private let values: JSONObject

    init(_ values: JSONObject) {
        self.values = values
    }

    /// Refuses names that the tool lacks, and missing ones.
    func check(_ tool: Tool) throws(ToolFailure) {
        let known = tool.arguments.map(\.name)
        for name in values.keys where !known.contains(name) {
            let near = name.nearest(in: known).map { "; did you mean '\($0)'?" } ?? ""
            throw ToolFailure("'\(tool.name)' has no argument '\(name.prefix(100))'\(near)")
        }
        for name in tool.required where values[name] == nil {
            throw ToolFailure("'\(tool.name)' needs the argument '\(name)'")
        }
    }

    /// A member that is there and not null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = values[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(ToolFailure) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw ToolFailure("'\(name)' must be a text") }
        return text
    }

    func required(_ name: String) throws(ToolFailure) -> String {
        guard let text = try text(name), !text.isEmpty else { throw ToolFailure("'\(name)' must be a text") }
        return text
    }

    /// An object's name, which becomes a part of a path.
    func object() throws(ToolFailure) -> String {
        let name = try required("object")
        guard name.isObjectName else { throw ToolFailure("'\(name.prefix(100))' is no object's API name") }
        return name
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(ToolFailure) -> Int? {
        guard let value = present(name) else { return nil }
        // bounded: by the range
        guard let number = value.int, range.contains(number) else {
            throw ToolFailure("'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ name: String) throws(ToolFailure) -> Bool {
        guard let value = present(name) else { return false }
        guard let flag = value.bool else { throw ToolFailure("'\(name)' must be true or false") }
        return flag
    }

    func names(_ name: String) throws(ToolFailure) -> [String] {
        guard let value = present(name) else { return [] }
        let texts = value.array?.compactMap(\.string) ?? []
        guard let list = value.array, texts.count == list.count, texts.allSatisfy(\.isObjectName) else {
            throw ToolFailure("'\(name)' must be a list of API names")
        }
        return texts
    }

    func record(_ name: String) throws(ToolFailure) -> JSONObject {
        guard let value = present(name)?.object, !value.isEmpty else {
            throw ToolFailure("'\(name)' must be an object of field names and values")
        }
        return value
    }
}

extension String {
    /// Whether the text can be an object's or a field's API name.
    fileprivate var isObjectName: Bool {
        let letters = utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return !isEmpty && utf8.count <= 255 && letters
    }
}

/// Why a tool could not do what it was asked for, in words that a model can act on.
struct ToolFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The words for any failure; those of a server come with its codes.
    init(_ error: any Error) {
        guard let error = error as? RestError else {
            message = "\(error)"
            return
        }
        let faults = error.faults.map(\.description)
        let text = faults.isEmpty ? "\(error.code.rawValue): \(error.message)" : faults.joined(separator: "\n")
        guard let outcome = error.outcome, outcome != .notApplied else {
            message = text
            return
        }
        message = text + "\nIt is \(outcome == .applied ? "certain" : "not known") that the change was made."
    }
}
