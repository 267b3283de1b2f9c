// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

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
        let records = try await box.client.search(try sosl(of: arguments))
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
        let answer = try await box.client.send(.explain(SOQL(raw: try arguments.required("soql"))))
        return ["plans": answer.payload["plans"] ?? []]
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

/// A list that is cut where the answer would get too long.
struct ListAnswer {
    private let name: String
    private let maxBytes: Int
    private var values: [JSONValue] = []
    private var bytes = 0
    private var isFull = false

    init(_ name: String, maxBytes: Int) {
        (self.name, self.maxBytes) = (name, maxBytes)
    }

    var count: Int { values.count }

    mutating func add(_ value: JSONValue) {
        let size = value.bytes().count + 1
        isFull = isFull || (bytes + size > maxBytes && !values.isEmpty)
        guard !isFull else { return }
        values.append(value)
        bytes += size
    }

    /// The list with what stands in front of it, and a note when others were left out.
    func json(of total: Int, _ head: [(key: String, value: JSONValue)] = [], note: String) -> JSONValue {
        var members = head + [("total", JSONValue(total)), (name, JSONValue(JSONArray(values)))]
        if values.count < total { members.append(("note", JSONValue("\(values.count) of \(total) are here; \(note)"))) }
        return JSONValue(JSONObject(members: members))
    }
}
