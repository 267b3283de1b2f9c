// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestEvents
import RestJSON
import RestSDK
import SOQLCheck

struct ToolProgress: Sendable {
    let done: Int
    let total: Int
}

extension Option {
    // Parameters that only a model provides.
    fileprivate static let match = Option("match", .text(""), "list only names and labels that contain this text")
    fileprivate static let offset = Option("offset", .number(0...1_000_000), "skip this number of entries")
    fileprivate static let cursor = Option(
        "cursor", .text(""), "the nextCursor of the previous response, instead of soql")
    fileprivate static let mostRecords = Option("limit", .number(1...2_000), "the maximum number of records to return")
}

extension Operation {
    /// The operation as described to clients of the protocol.
    var tool: JSONValue {
        let properties = parameters.map { (key: $0.key, value: $0.schema) }
        let required = parameters.filter { $0.missing != nil }.map { JSONValue($0.key) }
        return [
            "name": JSONValue(name), "title": JSONValue(name.sentenceStart),
            "description": JSONValue("\(summary.sentenceStart). \(advice)".trimmingBlanks),
            "inputSchema": [
                "type": "object", "properties": JSONValue(JSONObject(members: properties)),
                "required": JSONValue(JSONArray(required)), "additionalProperties": false,
            ],
            "annotations": [
                "readOnlyHint": JSONValue(effect == .reads), "openWorldHint": true,
                "destructiveHint": JSONValue(effect == .changes || effect == .removes),
                "idempotentHint": JSONValue(effect != .adds),
            ],
        ]
    }
}

final class ToolBox: Sendable {
    private static let reading: [Operation] = [
        Operation.query.adding([.cursor, .mostRecords]), .search, Operation.describe.adding([.match, .offset]),
        .explain, .get, .wait,
    ]
    private static let writing = [Operation.create, .update, .delete]

    private let connection: Connection
    private let maxRows: Int
    private let maxBytes: Int
    let allowsWrites: Bool
    private let cursors = QueryCursors()
    private let tools: [Operation]

    /// Creates the tools that the options of `soql mcp` allow.
    init(_ connection: Connection, _ arguments: Arguments) {
        self.connection = connection
        (maxRows, maxBytes) = (arguments.number(.maxRows) ?? 200, arguments.number(.maxBytes) ?? 100_000)
        allowsWrites = arguments.has(.allowWrites)
        tools = Self.reading + (allowsWrites ? Self.writing : [])
    }

    var list: JSONValue { JSONValue(JSONArray(tools.map(\.tool))) }

    /// Runs a tool, and throws ``MCPFault`` if it is unknown, or else the error of the tool.
    func call(
        _ name: String, _ arguments: JSONObject, _ report: @Sendable (ToolProgress) -> Void
    ) async throws -> JSONValue {
        guard let tool = tools.first(where: { $0.name == name }) else {
            let isWriting = Self.writing.contains { $0.name == name }
            throw MCPFault.invalidParameters(
                isWriting
                    ? "the tool '\(name)' is disabled; start the server with --allow-writes"
                    : "unknown tool '\(name.prefix(100))'")
        }
        let input = try Arguments(arguments, for: tool)
        return try await connection.withClient { client in
            if tool.name == Operation.query.name { return try await records(input, client, report) }
            return try await respond(try await tool.run(input, OrgAccess(client: client)), input, tool.effect, client)
        }
    }

    private func respond(
        _ outcome: Outcome, _ input: Arguments, _ effect: Operation.Effect, _ client: RestClient
    ) async throws -> JSONValue {
        switch outcome {
        case .objects(let objects):
            return described(
                "objects",
                objects.filter(\.isQueryable).map { ["name": JSONValue($0.name), "label": JSONValue($0.label)] }, input)
        case .object(let object): return described(object.sorted.compact, input)
        case .rows(let listing): return ["plans": JSONValue(JSONArray(listing.rows.map { JSONValue($0) }))]
        case .record(let record, _): return FittingValue(JSONValue(record), maxBytes: maxBytes).value
        case .found(let records): return found(records)
        case .pages: return [:]
        case .events(let events, let gaps): return arrived(events, gaps)
        case .change(let request):
            let made = try await client.send(request).payload["id"] ?? JSONValue(input.text(.id))
            switch effect {
            case .adds: return ["id": made, "created": true]
            case .removes: return ["id": made, "deleted": true]
            case .changes, .reads: return ["id": made, "updated": true]
            }
        }
    }

    // MARK: Queries

    private func records(
        _ input: Arguments, _ client: RestClient, _ report: @Sendable (ToolProgress) -> Void
    ) async throws -> JSONValue {
        var response = QueryResponse(
            limit: Swift.min(input.number(.mostRecords) ?? maxRows, maxRows), maxBytes: maxBytes)
        guard input.has(.soql) != input.has(.cursor) else { throw UsageError("give 'soql' or 'cursor'") }
        var pages: QueryPages?
        if input.has(.cursor) {
            guard let rest = cursors.rest(of: input.text(.cursor)) else {
                throw UsageError("the cursor has expired; run the query again")
            }
            response.take(rest)
            report(response.progress)
            pages = response.rest.position.map { client.pages(from: $0, completingChildren: false) }
        } else if case .pages(let all) = try await Operation.query.run(input, OrgAccess(client: client)) {
            pages = all
        }
        pages?.recordsWanted = response.room
        guard response.wantsMore, let pages else { return response.json(cursors) }
        for try await page in pages {
            response.take(page)
            report(response.progress)
            guard response.wantsMore else { break }
        }
        return response.json(cursors)
    }

    private func found(_ records: [Record]) -> JSONValue {
        var response = ListResponse("records", maxBytes: maxBytes)
        for record in records.prefix(maxRows) {
            let fitting = FittingValue(JSONValue(record.fields), maxBytes: maxBytes)
            let object: [(key: String, value: JSONValue)] = [("object", JSONValue(record.type ?? ""))]
            response.add(JSONValue(JSONObject(members: object + (fitting.value.object.map { Array($0) } ?? []))))
        }
        return response.json(of: records.count, note: "narrow the search to see the rest")
    }

    private func arrived(_ events: [ReceivedEvent], _ gaps: [EventGap]) -> JSONValue {
        var response = ListResponse("events", maxBytes: maxBytes)
        for event in events {
            let fitting = FittingValue(event.json, .event, maxBytes: maxBytes)
            response.add(fitting.value, size: fitting.size)
        }
        let missed = gaps.map { JSONValue($0.channel) }
        return response.json(
            of: events.count, missed.isEmpty ? [] : [("gaps", JSONValue(JSONArray(missed)))],
            note: "listen to each channel from its last replayId to receive the others")
    }

    // MARK: Descriptions

    private func described(_ object: JSONValue, _ input: Arguments) -> JSONValue {
        var head: [(key: String, value: JSONValue)] = ["name", "label"].compactMap { name in
            object[name].map { (name, $0) }
        }
        if input.text(.match).isEmpty, input.number(.offset) ?? 0 == 0, let children = object["childRelationships"] {
            head.append(("childRelationships", children))
        }
        return described("fields", object["fields"]?.array.map { Array($0) } ?? [], input, head)
    }

    private func described(
        _ name: String, _ all: [JSONValue], _ input: Arguments, _ head: [(key: String, value: JSONValue)] = []
    ) -> JSONValue {
        let (filter, offset) = (input.text(.match).lowercased(), input.number(.offset) ?? 0)
        let wanted = all.filter { value in
            filter.isEmpty
                || ["name", "label"].contains { value[$0]?.string?.lowercased().contains(filter) == true }
        }
        let room = Swift.max(maxBytes - head.reduce(0) { $0 + $1.value.bytes().count }, 0)
        var response = ListResponse(name, maxBytes: room)
        for value in wanted.dropFirst(offset) { response.add(value) }
        let next = offset + response.count
        let note = next < wanted.count ? "continue with offset \(next), or use match" : "earlier entries are omitted"
        return response.json(of: wanted.count, head, note: note)
    }
}
