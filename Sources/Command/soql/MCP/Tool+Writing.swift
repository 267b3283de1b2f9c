// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

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
