// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// Single records by an external id in place of their own, and those that a relationship leads to.
extension RestRequest {
    /// Reads the record that has this external id.
    ///
    /// Where several records have it the call fails, and ``RestError/matchingRecords`` has their addresses.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value.
    ///   - fields: the fields to read; all of them when empty.
    /// - Returns: the request.
    public static func retrieve(
        _ type: String, externalID field: String, _ value: String, fields: [String] = []
    ) -> RestRequest {
        byExternalID("retrieveByExternalID", .get, type, field, value).reading(fields)
    }

    /// Changes fields of the record that has this external id; where there is none, the call fails with
    /// ``RestError/Code/notFound`` and creates nothing.
    ///
    /// The external id names the record, so the call may be sent again after a lost answer.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value; must not be among `fields` too.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func update(
        _ type: String, externalID field: String, _ value: String, _ fields: JSONObject
    ) -> RestRequest {
        var request = byExternalID("updateByExternalID", .patch, type, field, value)
        request.query = [QueryItem("updateOnly", "true")]
        request.body = .bytes(JSONValue(fields).bytes())
        request.fields = jsonContent
        request.effect = .writes(idempotent: true)
        return request
    }

    /// Deletes the record that has this external id; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field.
    ///   - value: its value.
    /// - Returns: the request.
    public static func delete(_ type: String, externalID field: String, _ value: String) -> RestRequest {
        byExternalID("deleteByExternalID", .delete, type, field, value)
    }

    /// Reads what a relationship of a record leads to: a parent, or a first page of children.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id.
    ///   - path: the relationships to follow, such as `["Owner"]`, `["Account", "Contacts"]`.
    ///   - fields: the fields to read; the server's choice when empty.
    /// - Returns: the request.
    public static func related(
        _ type: String, id: String, _ path: [String], fields: [String] = []
    ) -> RestRequest {
        let request = RestRequest(name: "related", resource: .data(["sobjects", type, id] + path))
        return request.requiring(type, "type").requiringID(id).requiring(path.joined(), "path").reading(fields)
    }

    private static func byExternalID(
        _ name: String, _ method: HTTPMethod, _ type: String, _ field: String, _ value: String
    ) -> RestRequest {
        RestRequest(name: name, method: method, resource: .data(["sobjects", type, field, value]))
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }

    /// The same call, reading these fields alone.
    func reading(_ fields: [String]) -> RestRequest {
        guard !fields.isEmpty else { return self }
        var copy = self
        copy.query.append(QueryItem("fields", fields.joined(separator: ",")))
        return copy
    }
}
