// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestSDK
import SOQLCheck
import SOQLStore
import SOQLSyntax

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

    /// Reads the descriptions of the objects that subsets need, including parents and lists of children.
    ///
    /// - Parameters:
    ///   - subsets: the queries of the subsets.
    ///   - known: a schema whose objects are added without a request.
    ///   - client: the client of the org.
    /// - Returns: the schema.
    /// - Throws: ``SyncError/Code/subset`` for a query that is not a subset, and ``SyncError/Code/request`` if a
    ///   request failed.
    public static func describing(
        _ subsets: [SOQL], adding known: SyncSchema? = nil, of client: RestClient
    ) async throws(SyncError) -> SyncSchema {
        var objects = SubsetObjects(known, client)
        for subset in subsets {
            if let problem = subset.problem { throw SyncError(.subset, problem) }
            let query = try SubsetQuery.parsed(subset.text)
            try await objects.add(query, of: query.from.path.last)
        }
        let schema = try SyncSchema(describe: JSONValue(objects.list).bytes())
        for subset in subsets { _ = try SubsetQuery(subset.text, schema.schema) }
        return schema
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

/// The descriptions of the objects of subsets, each of which is requested once.
private struct SubsetObjects {
    private(set) var list: JSONArray
    private var known: [String: ObjectDescription?]
    private let client: RestClient

    init(_ schema: SyncSchema?, _ client: RestClient) {
        list = schema.flatMap { try? JSONValue(parsing: $0.text) }?.array ?? []
        known = Dictionary(
            (schema?.schema.objects ?? []).map { ($0.name.lowercased(), $0.description) }, uniquingKeysWith: { $1 })
        self.client = client
    }

    /// Adds the object of a query, its parents and its lists of children.
    mutating func add(_ query: SOQLQuery, of name: String) async throws(SyncError) {
        guard let object = try await description(of: name) else {
            throw SyncError(.subset, "the org has no object '\(name.prefix(100))'; check the name in the query")
        }
        for item in query.select {
            switch item {
            case .field(.path(let path), _):
                var objects = [object]
                for name in path.parts.dropLast() {
                    let parents = Set(objects.flatMap { $0.parentField(named: name)?.referenceTo ?? [] }).sorted()
                    objects = []
                    for parent in parents {
                        if let found = try await description(of: parent) { objects.append(found) }
                    }
                }
            case .children(let children, _):
                let relationship = object.childRelationship(named: children.query.from.path.last)
                if let relationship { try await add(children.query, of: relationship.object) }
            default: continue
            }
        }
    }

    /// Returns the description of an object, or `nil` if the org has no such object or does not show it.
    private mutating func description(of name: String) async throws(SyncError) -> ObjectDescription? {
        if let found = known[name.lowercased()] { return found }
        var found: ObjectDescription?
        do throws(RestError) { found = try await client.send(.describe(name)) } catch {
            guard error.code == .notFound else { throw SyncError(error) }
        }
        known[name.lowercased()] = .some(found)
        if let found { list.append(JSONValue(found.json)) }
        return found
    }
}
