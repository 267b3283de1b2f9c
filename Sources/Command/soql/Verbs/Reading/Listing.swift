// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// What an org tells of itself, as records: a verb and the session's command of the same name print the same.
struct Listing {
    var columns: [String]
    let rows: [JSONObject]

    /// The limits in the order of their names.
    init(_ limits: [String: RestClient.OrgLimits.Limit]) {
        columns = ["name", "maximum", "remaining", "used"]
        rows = limits.sorted { $0.key < $1.key }.map { name, limit in
            [
                "name": JSONValue(name), "maximum": JSONValue(limit.maximum), "remaining": JSONValue(limit.remaining),
                "used": JSONValue(limit.maximum - limit.remaining),
            ]
        }
    }

    /// Objects, in the org's order.
    init(_ objects: [ObjectDescription.Summary]) {
        columns = ["name", "label", "prefix", "custom", "query", "create", "update", "delete"]
        rows = objects.map { object in
            [
                "name": JSONValue(object.name), "label": JSONValue(object.label),
                "prefix": object.keyPrefix.map { JSONValue($0) } ?? .null, "custom": JSONValue(object.isCustom),
                "query": JSONValue(object.isQueryable), "create": JSONValue(object.isCreateable),
                "update": JSONValue(object.isUpdateable), "delete": JSONValue(object.isDeletable),
            ]
        }
    }

    /// The fields of an object, in the org's order.
    init(_ fields: [ObjectDescription.Field]) {
        columns = ["name", "type", "required", "label", "references", "values"]
        rows = fields.map { field in
            let values = field.picklistValues.filter(\.isActive).map(\.value)
            return [
                "name": JSONValue(field.name), "type": JSONValue(field.typeText),
                "required": JSONValue(field.isRequired), "label": JSONValue(field.label),
                "references": Self.list(field.referenceTo), "values": Self.list(values),
            ]
        }
    }

    private static func list(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : JSONValue(texts.joined(separator: ";"))
    }

    func print(_ options: OutputOptions, to destination: OutputDestination? = nil) async throws {
        try await RecordList.print(rows, columns: columns, options, to: destination)
    }
}

extension ObjectDescription.Field {
    /// The type with its size: `string(80)`, `currency(16,2)`.
    var typeText: String {
        if precision > 0 { return "\(kind.rawValue)(\(precision),\(scale))" }
        return length > 0 ? "\(kind.rawValue)(\(length))" : kind.rawValue
    }
}
