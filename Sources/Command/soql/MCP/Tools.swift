// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import SOQLCheck

extension Tool {
    static let describe = Tool(
        name: "describe", title: "Describe",
        description: """
            Without 'object', lists the objects that can be queried. With it, tells its fields, picklists and \
            relationships. What is usual is left out: a field is nillable, createable, updateable, filterable, \
            sortable and groupable unless it says otherwise.
            """,
        arguments: [
            ("object", .text("The object, such as Account")),
            ("match", .text("Only names and labels with this text in them")),
            ("offset", ["type": "integer", "minimum": 0, "description": "Leave out so many, to go on"]),
        ], required: []
    ) { box, arguments, _ in
        let filter = (try arguments.text("match") ?? "").lowercased()
        let offset = try arguments.number("offset", 0...1_000_000) ?? 0
        guard try arguments.text("object") != nil else {
            let objects = try await box.client.send(.objects).filter(\.isQueryable)
            let list = objects.map { ["name": JSONValue($0.name), "label": JSONValue($0.label)] as JSONValue }
            return answer("objects", list, filter, offset, box.maxBytes)
        }
        let object = try await box.client.send(.describe(try arguments.object())).compact
        let fields = object["fields"]?.array.map { Array($0) } ?? []
        var head: [(key: String, value: JSONValue)] = ["name", "label"].compactMap { name in
            object[name].map { (name, $0) }
        }
        if filter.isEmpty, offset == 0, let children = object["childRelationships"] {
            head.append(("childRelationships", children))
        }
        return answer("fields", fields, filter, offset, box.maxBytes, head)
    }

    private static func answer(
        _ name: String, _ all: [JSONValue], _ filter: String, _ offset: Int, _ maxBytes: Int,
        _ head: [(key: String, value: JSONValue)] = []
    ) -> JSONValue {
        let wanted = all.filter { value in
            filter.isEmpty
                || ["name", "label"].contains { value[$0]?.string?.lowercased().contains(filter) == true }
        }
        let room = Swift.max(maxBytes - head.reduce(0) { $0 + $1.value.bytes().count }, 0)
        var answer = ListAnswer(name, maxBytes: room)
        for value in wanted.dropFirst(offset) { answer.add(value) }
        let next = offset + answer.count
        let note = next < wanted.count ? "go on with offset \(next), or narrow with match" : "those before are left out"
        return answer.json(of: wanted.count, head, note: note)
    }
}

extension ObjectDescription {
    /// The description in few words: what is usual is left out.
    fileprivate var compact: JSONValue {
        let schema = try? QuerySchema(json: JSONValue(JSONArray([JSONValue(json)])))
        return schema?.objects.first?.json ?? JSONValue(json)
    }
}

extension Tool {
    static let query = Tool(
        name: "query", title: "Query",
        description: """
            Runs a SOQL query and gives its records. Give 'soql', or the 'cursor' of an answer before to go on. Long \
            texts in records are cut.
            """,
        arguments: [
            ("soql", .text("The query, such as SELECT Id, Name FROM Account WHERE Industry = 'Banking' LIMIT 10")),
            ("cursor", .text("nextCursor of the answer before; without soql")),
            ("limit", ["type": "integer", "minimum": 1, "description": "The most records of this answer"]),
            ("allRows", ["type": "boolean", "description": "Whether deleted records count too"]),
        ], required: []
    ) { box, arguments, report in
        let limit = Swift.min(try arguments.number("limit", 1...2_000) ?? box.maxRows, box.maxRows)
        var answer = QueryAnswer(limit: limit, maxBytes: box.maxBytes)
        let (soql, cursor) = (try arguments.text("soql"), try arguments.text("cursor"))
        switch (soql, cursor) {
        case (let soql?, nil):
            let text = SOQL(raw: soql)
            let isAll = try arguments.flag("allRows")
            let first: RestRequest = isAll ? .queryAll(text, batchSize: 200) : .query(text, batchSize: 200)
            answer.take(try await page(first, box))
        case (nil, let cursor?):
            guard let rest = box.cursors.rest(of: cursor) else {
                throw ToolFailure("the cursor is not known any more; run the query again")
            }
            answer.take(rest)
        default: throw ToolFailure("give 'soql' or 'cursor'")
        }
        report(answer.progress)
        while answer.wantsMore, let path = answer.nextPath {
            answer.take(try await page(.nextPage(path), box))
            report(answer.progress)
        }
        return answer.json(box.cursors)
    }

    private static func page(_ request: RestRequest, _ box: ToolBox) async throws -> QueryPage {
        try QueryPage(await box.client.send(request))
    }
}

extension Tool {
    /// The tools that change nothing.
    static let reading = [query, search, describe, explain, get]

    static let search = Tool(
        name: "search", title: "Search",
        description: """
            Searches all objects. Give a plain 'text', with 'objects' to narrow it, or a whole SOSL search as 'sosl'.
            """,
        arguments: [
            ("text", .text("What to look for")), ("objects", .names("The objects to search, such as Account")),
            ("sosl", .text("A search such as FIND {Acme} IN NAME FIELDS RETURNING Account(Id, Name)")),
        ], required: []
    ) { box, arguments, _ in
        let records = try await box.client.send(.search(try sosl(of: arguments)))
        var answer = ListAnswer("records", maxBytes: box.maxBytes)
        for record in records.prefix(box.maxRows) {
            let fields = JSONValue(record.fields)
            let fitting = FittingValue(fields, maxBytes: box.maxBytes)
            let object: [(key: String, value: JSONValue)] = [("object", JSONValue(record.type ?? ""))]
            answer.add(JSONValue(JSONObject(members: object + (fitting.value.object.map { Array($0) } ?? []))))
        }
        return answer.json(of: records.count, note: "narrow the search to see the others")
    }

    private static func sosl(of arguments: ToolArguments) throws -> SOSL {
        let (text, sosl) = (try arguments.text("text"), try arguments.text("sosl"))
        switch (text, sosl) {
        case (nil, let sosl?): return SOSL(raw: sosl)
        case (let text?, nil):
            let objects = try arguments.names("objects")
            guard !objects.isEmpty else { return "FIND {\(text)} IN ALL FIELDS" }
            return "FIND {\(text)} IN ALL FIELDS RETURNING \(raw: objects.joined(separator: ", "))"
        default: throw ToolFailure("give 'text' or 'sosl'")
        }
    }

    static let explain = Tool(
        name: "explain", title: "Explain a query",
        description: "Tells how the org would run a query, without running it. A relativeCost above 1 is slow.",
        arguments: [("soql", .text("The query"))], required: ["soql"]
    ) { box, arguments, _ in
        let explain = RestRequest.Typed.explain(SOQL(raw: try arguments.required("soql"))).request
        return ["plans": try await box.client.send(explain).payload["plans"] ?? []]
    }

    static let get = Tool(
        name: "get", title: "Get a record", description: "Reads one record by its id, with all fields or some.",
        arguments: [
            ("object", .text("The object, such as Account")), ("id", .text("The record's id")),
            ("fields", .names("The fields to read; all without them")),
        ], required: ["object", "id"]
    ) { box, arguments, _ in
        let (object, id) = (try arguments.object(), try arguments.required("id"))
        let answer = try await box.client.send(
            .retrieve(object, id: id, fields: try arguments.names("fields")))
        guard let record = answer.payload.dictionary else { throw ToolFailure("the org gave no record") }
        return FittingValue(JSONValue(record), maxBytes: box.maxBytes).value
    }
}

extension Tool {
    /// The tools that change records.
    static let writing = [create, update, delete]

    private static let object: (name: String, schema: JSONValue) = ("object", .text("The object, such as Account"))
    private static let id: (name: String, schema: JSONValue) = ("id", .text("The record's id"))
    private static let fields: (name: String, schema: JSONValue) = (
        "fields", ["type": "object", "description": "Field names and their values; null empties a field"]
    )

    static let create = Tool(
        name: "create", title: "Create a record", description: "Creates a record and gives its id.",
        arguments: [object, fields], required: ["object", "fields"], effect: .adds
    ) { box, arguments, _ in
        let answer = try await box.client.send(
            .create(try arguments.object(), try arguments.record("fields")))
        return ["id": answer.payload["id"] ?? .null, "created": true]
    }

    static let update = Tool(
        name: "update", title: "Update a record", description: "Changes fields of a record.",
        arguments: [object, id, fields], required: ["object", "id", "fields"], effect: .changes
    ) { box, arguments, _ in
        let id = try arguments.required("id")
        _ = try await box.client.send(
            .update(try arguments.object(), id: id, try arguments.record("fields")))
        return ["id": JSONValue(id), "updated": true]
    }

    static let delete = Tool(
        name: "delete", title: "Delete a record", description: "Deletes a record.",
        arguments: [object, id], required: ["object", "id"], effect: .removes
    ) { box, arguments, _ in
        let id = try arguments.required("id")
        _ = try await box.client.send(.delete(try arguments.object(), id: id))
        return ["id": JSONValue(id), "deleted": true]
    }
}
