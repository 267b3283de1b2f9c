// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

extension Verb {
    static let describe = Verb(
        "describe", operands: ["[OBJECT]"], "lists the objects of the org, or the fields of one",
        Option.output + Option.connection
    ) { try DescribeCommand($0) }
}

/// Prints what the org tells of its objects.
struct DescribeCommand: Command {
    private let object: String?
    private let output: OutputOptions
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 1)
        object = arguments.words.first
        (output, connection) = (OutputOptions(arguments), try ConnectionOptions(arguments))
    }

    func run() async throws {
        try await Connection.read(connection) { client in
            if let object {
                let fields = try await client.describe(object).fields
                let columns = ["name", "type", "required", "label", "references", "values"]
                try await RecordList.print(fields.map(Self.row), columns: columns, output)
            } else {
                let objects = try await client.describeObjects()
                let columns = ["name", "label", "prefix", "custom", "query", "create", "update", "delete"]
                try await RecordList.print(objects.map(Self.row), columns: columns, output)
            }
        }
    }

    private static func row(_ object: ObjectDescription.Summary) -> JSONObject {
        [
            "name": JSONValue(object.name), "label": JSONValue(object.label),
            "prefix": object.keyPrefix.map { JSONValue($0) } ?? .null, "custom": JSONValue(object.isCustom),
            "query": JSONValue(object.isQueryable), "create": JSONValue(object.isCreateable),
            "update": JSONValue(object.isUpdateable), "delete": JSONValue(object.isDeletable),
        ]
    }

    private static func row(_ field: ObjectDescription.Field) -> JSONObject {
        let values = field.picklistValues.filter(\.isActive).map(\.value)
        return [
            "name": JSONValue(field.name), "type": JSONValue(type(of: field)), "required": JSONValue(field.isRequired),
            "label": JSONValue(field.label), "references": list(field.referenceTo), "values": list(values),
        ]
    }

    /// The kind with its size: `string(255)`, `double(18,2)`.
    private static func type(of field: ObjectDescription.Field) -> String {
        let kind = field.kind.rawValue
        if field.precision > 0 { return "\(kind)(\(field.precision),\(field.scale))" }
        return field.length > 0 ? "\(kind)(\(field.length))" : kind
    }

    private static func list(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : JSONValue(texts.joined(separator: ";"))
    }
}
