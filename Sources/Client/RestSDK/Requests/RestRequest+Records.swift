// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

extension RestRequest {
    /// Creates a record; the payload holds its `id`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func create(_ type: String, _ fields: JSONObject) -> RestRequest {
        record("create", .post, [type], body: fields).requiring(type, "type")
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - fields: the fields to read; all of them when empty.
    /// - Returns: the request.
    public static func retrieve(_ type: String, id: String, fields: [String] = []) -> RestRequest {
        record("retrieve", .get, [type, id]).requiring(type, "type").requiringID(id).reading(fields)
    }

    /// Changes fields of a record; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - fields: the fields to set; `null` empties one.
    /// - Returns: the request.
    public static func update(_ type: String, id: String, _ fields: JSONObject) -> RestRequest {
        record("update", .patch, [type, id], body: fields).requiring(type, "type").requiringID(id)
    }

    /// Creates or changes the record whose external id has the given value.
    ///
    /// The external id names the record, so the call may be sent again after a lost answer. The server's triggers run
    /// again then, and `created` in the answer is about the last time.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field, or `Id`.
    ///   - value: its value; must not be among `fields` too. `nil` creates a record, for the field `Id` only.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func upsert(_ type: String, externalID field: String, _ value: String?, _ fields: JSONObject)
        -> RestRequest
    {
        guard let value else {
            let request = record("upsert", .post, [type, field], body: fields).requiring(type, "type")
            return field == "Id" ? request : request.refused("value", "must be given, except for the field Id")
        }
        var request = record("upsert", .patch, [type, field, value], body: fields)
        // The external id names the record, so a second time changes nothing.
        request.effect = .writes(idempotent: true)
        return
            request
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }

    /// Deletes a record; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    /// - Returns: the request.
    public static func delete(_ type: String, id: String) -> RestRequest {
        record("delete", .delete, [type, id]).requiring(type, "type").requiringID(id)
    }

    private static func record(
        _ name: String, _ method: HTTPMethod, _ path: [String], body: JSONObject? = nil
    ) -> RestRequest {
        var request = RestRequest(name: name, method: method, resource: .data(["sobjects"] + path))
        guard let body else { return request }
        request.body = .bytes(JSONValue(body).bytes())
        request.fields = jsonContent
        return request
    }
}
