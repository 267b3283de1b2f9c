// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestSDK
import SOQLCheck
import SOQLStore

/// The objects of a copy, as the org describes them.
public struct SyncSchema: Sendable {
    let schema: Schema
    /// The descriptions as JSON, which the copy stores.
    let text: String
    /// The objects whose descriptions have `IsDeleted`, which users and some other objects lack.
    let binned: Set<String>

    /// Reads descriptions in the form of a server's responses: one, a list of them, or `{"sobjects": […]}`.
    ///
    /// - Throws: ``SyncError/Code/schema`` with the object, the field and the position in the JSON.
    public init(describe json: [UInt8]) throws(SyncError) {
        do throws(SchemaError) {
            let objects = try DescribeNode.objects(of: json).map(\.value)
            let text = Self.known(objects)
            binned = Set(
                objects.filter { $0["fields"]?.array?.contains { $0["name"] == "IsDeleted" } ?? false }
                    .compactMap { $0["name"]?.string })
            var reader = DescribeReader()
            schema = try reader.read(Array(text.utf8))
            self.text = text
        } catch {
            throw SyncError(.schema, error.description)
        }
    }

    /// Reads the descriptions of objects from the org, one request for each object.
    ///
    /// - Parameters:
    ///   - objects: the API names of the objects. Queries can only use these objects, so include parents such as
    ///     `User`.
    ///   - client: the client of the org.
    /// - Returns: the schema.
    /// - Throws: ``SyncError/Code/request`` if an object cannot be described.
    public static func describing(_ objects: [String], of client: RestClient) async throws(SyncError) -> SyncSchema {
        var list: [JSONValue] = []
        for object in objects {
            do throws(RestError) {
                list.append(JSONValue(try await client.send(.describe(object)).json))
            } catch {
                throw SyncError(error)
            }
        }
        return try SyncSchema(describe: JSONValue(JSONArray(list)).bytes())
    }

    /// Returns the descriptions without fields of unknown types, and without references to custom objects that are not
    /// described.
    ///
    /// Only the server decides whether a value is unique, because the copy gets the server's records in any order.
    private static func known(_ objects: [JSONValue]) -> String {
        let names = Set(objects.compactMap { $0["name"]?.string?.lowercased() })
        let list = objects.map { object -> JSONValue in
            guard var members = object.object, let fields = members["fields"]?.array else { return object }
            members["fields"] = JSONValue(JSONArray(fields.compactMap { field($0, names) }))
            return JSONValue(members)
        }
        return JSONValue(JSONArray(list)).description
    }

    private static func field(_ field: JSONValue, _ names: Set<String>) -> JSONValue? {
        guard var members = field.object, let type = field["type"]?.string else { return field }
        guard FieldType(rawValue: type) != nil else { return nil }
        members["unique"] = false
        guard type == "reference", let targets = field["referenceTo"]?.array else { return JSONValue(members) }
        let known = targets.filter { target in
            guard let name = target.string?.lowercased() else { return false }
            return names.contains(name) || !name.hasBytes(suffix: "__c")
        }
        if known.isEmpty {
            // The ids remain readable as strings.
            (members["type"], members["referenceTo"], members["relationshipName"]) = ("string", [], .null)
            members["length"] = 18
        } else {
            members["referenceTo"] = JSONValue(JSONArray(known))
        }
        return JSONValue(members)
    }
}
