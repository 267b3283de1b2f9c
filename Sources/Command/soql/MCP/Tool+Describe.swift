// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

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
            let objects = try await box.client.describeObjects().filter(\.isQueryable)
            let list = objects.map { ["name": JSONValue($0.name), "label": JSONValue($0.label)] as JSONValue }
            return answer("objects", list, filter, offset, box.maxBytes)
        }
        let object = try await box.client.describe(try arguments.object()).compact
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
