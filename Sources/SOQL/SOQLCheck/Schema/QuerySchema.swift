// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// The objects that queries are checked against.
///
/// Names are compared without case, as Salesforce does.
package struct QuerySchema: Sendable, Hashable {
    /// The objects, sorted by name.
    package let objects: [ObjectDescription]
    /// Whether the schema has every object of the org, so that an unknown name is an error.
    package let isWhole: Bool
    private let positions: [String: Int]

    /// Creates a schema of some objects.
    ///
    /// - Throws: ``SchemaError`` if two names are equal without case.
    package init(objects: [ObjectDescription]) throws(SchemaError) {
        self.objects = objects.sorted { $0.name.isBefore($1.name) }
        isWhole = false
        var positions: [String: Int] = [:]
        for (position, object) in self.objects.enumerated() {
            if let other = positions.updateValue(position, forKey: object.name.lowercased()) {
                throw SchemaError(
                    message: "two objects have the name \(object.name), one of them as \(self.objects[other].name)",
                    place: object.name)
            }
        }
        self.positions = positions
    }

    /// Creates the schema of all objects of an org, whose names must differ.
    package init(whole objects: [ObjectDescription]) {
        (self.objects, isWhole) = (objects, true)
        positions = Dictionary(objects.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
    }

    /// Creates a schema of some objects, by their names in lower case.
    package init(described objects: [String: ObjectDescription]) {
        (self.objects, isWhole) = (Array(objects.values), false)
        positions = Dictionary(uniqueKeysWithValues: zip(objects.keys, self.objects.indices))
    }

    /// Returns the object with this name, in any case.
    package func object(named name: String) -> ObjectDescription? { positions[name.lowercased()].map { objects[$0] } }
}

extension QuerySchema {
    /// The maximum size of a schema, in bytes.
    package static let maximumBytes = 256 << 20
    fileprivate static let version = 1

    /// Reads one describe, a list of describes, the output of ``json``, or the output of the SF CLI with `--json`.
    ///
    /// - Throws: ``SchemaError`` with the position of the first error.
    package init(json bytes: [UInt8]) throws(SchemaError) {
        var objects: [ObjectDescription] = []
        for node in try DescribeNode.objects(of: bytes) { objects.append(try ObjectDescription(node).sorted) }
        try self.init(objects: objects)
    }

    /// The schema as a file, with equal bytes for equal objects.
    ///
    /// A change of one field changes only the lines of the field.
    ///
    /// The file has the members of describes, so that programs that read lists of describes can read it. Members with
    /// their usual values are omitted.
    package var json: [UInt8] {
        let root: JSONValue = [
            "sobjects": JSONValue(JSONArray(objects.map(\.sorted.compact))), "version": JSONValue(Self.version),
        ]
        return root.bytes(pretty: true, sortedKeys: true) + [UInt8(ascii: "\n")]
    }
}

extension DescribeNode {
    /// Returns the objects of a text: the describe of one object, a list of describes, or an object with the list in
    /// `sobjects`.
    package static func objects(of bytes: [UInt8]) throws(SchemaError) -> [DescribeNode] {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(
                parsing: bytes, limits: JSONDocument.Limits(maximumDepth: 64, maximumBytes: QuerySchema.maximumBytes))
        } catch {
            throw SchemaError(
                message: "the schema is not JSON: \(error.expected) expected",
                place: "line \(error.line), column \(error.column)", line: error.line, column: error.column)
        }
        let top = DescribeNode(root, path: "$")
        if let list = root.array { return list.enumerated().map { DescribeNode($1, path: "$[\($0)]") } }
        guard root.object != nil else { throw top.error("it must be the describe of an object, or a list of them") }
        if let version = root["version"], version != JSONValue(QuerySchema.version) {
            throw top.error(
                "the file has version \(version), but this program reads version \(QuerySchema.version)",
                at: "version")
        }
        if top.present("sobjects") != nil { return try top.list("sobjects") { (item) throws(SchemaError) in item } }
        if root["fields"] == nil, let result = root["result"], result.object != nil {
            return [DescribeNode(result, path: "$.result")]
        }
        return [top]
    }
}

/// The kind of a value, as far as literals and functions are concerned.
package enum ValueKind: Sendable, Hashable {
    case id, text, boolean, integer, real, date, dateTime, time
    /// An address or a geolocation.
    case compound

    /// Creates the kind of a type name in a describe, or returns `nil` if the type is unknown.
    package init?(type: String) {
        switch type.lowercased() {
        case "id", "reference": self = .id
        case "string", "picklist", "multipicklist", "textarea", "email", "phone", "url", "combobox", "encryptedstring",
            "base64":
            self = .text
        case "boolean": self = .boolean
        case "int", "long": self = .integer
        case "double", "currency", "percent": self = .real
        case "date": self = .date
        case "datetime": self = .dateTime
        case "time": self = .time
        case "location", "address": self = .compound
        default: return nil
        }
    }

    /// The name of the type in Salesforce's messages.
    package var name: String {
        switch self {
        case .id, .text: "string"
        case .boolean: "boolean"
        case .integer: "int"
        case .real: "double"
        case .date: "date"
        case .dateTime: "dateTime"
        case .time: "time"
        case .compound: "location"
        }
    }

    /// Whether literals of this kind are quoted.
    var isQuoted: Bool { self == .id || self == .text }
}
