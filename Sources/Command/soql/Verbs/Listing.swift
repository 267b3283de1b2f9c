// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Facts about an org as records: a verb and the session's command of the same name print the same.
struct Listing: Sendable {
    var columns: [String]
    let rows: [JSONObject]

    /// Records as they come.
    init(_ rows: [JSONObject], columns: [String]) { (self.rows, self.columns) = (rows, columns) }

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
                "is": Self.list(field.marks), "clauses": Self.list(field.clauses),
                "relationship": field.relationshipName.map { JSONValue($0) } ?? .null,
                "controller": field.controllerName.map { JSONValue($0) } ?? .null,
            ]
        }
    }

    /// The relationships of an object to its children.
    init(_ children: [ObjectDescription.ChildRelationship]) {
        columns = ["children", "object", "field"]
        rows = children.compactMap { child in
            child.name.map {
                ["children": JSONValue($0), "object": JSONValue(child.object), "field": JSONValue(child.field)]
            }
        }
    }

    /// The plans of a query, the cheapest first.
    init(_ plans: [SOQL.Plan]) {
        columns = ["operation", "object", "cost", "cardinality", "records", "fields", "notes"]
        rows = plans.sorted { $0.relativeCost < $1.relativeCost }.map { plan in
            let notes = plan.notes.map { note in
                note.fields.isEmpty ? note.description : "\(note.description) (\(note.fields.joined(separator: ", ")))"
            }
            return [
                "operation": JSONValue(plan.leadingOperation), "object": JSONValue(plan.type),
                "cost": JSONValue(plan.relativeCost) ?? .null, "cardinality": JSONValue(plan.cardinality),
                "records": JSONValue(plan.objectCardinality), "fields": Self.list(plan.fields),
                "notes": notes.isEmpty ? .null : JSONValue(notes.joined(separator: "; ")),
            ]
        }
    }

    /// Logins of this user.
    init(_ accounts: [LinkedAccount], current: String?) {
        columns = ["name", "user", "org", "current"]
        rows = accounts.map { account in
            [
                "name": JSONValue(account.id), "user": account.username.map { JSONValue($0) } ?? .null,
                "org": JSONValue("\(account.instance)"), "current": JSONValue(account.id == current),
            ]
        }
    }

    /// Records that a search found, of all objects in one list.
    init(found: [Record]) {
        var columns = ["Type"]
        rows = found.map { record in
            var row: JSONObject = ["Type": record.type.map { JSONValue($0) } ?? .null]
            for (name, value) in record.fields where name != "attributes" {
                row[name] = value
                if !columns.contains(name) { columns.append(name) }
            }
            return row
        }
        self.columns = columns
    }

    private static func list(_ texts: [String]) -> JSONValue {
        texts.isEmpty ? .null : JSONValue(texts.joined(separator: ";"))
    }

    /// Prints the records, each with a value or null for every column; without a destination they go where the
    /// options say.
    func print(_ options: OutputOptions, to destination: OutputDestination? = nil) async throws {
        let list = JSONArray(rows.map { JSONValue($0) })
        let show: @Sendable (OutputDestination) throws -> Void = { destination in
            var output = RecordOutput(fields: columns, options: options, to: destination)
            try output.print(list, of: list.count)
            try output.finish(isWhole: true)
        }
        if let destination { return try show(destination) }
        try await OutputDestination.open(options) { try show($0) }
    }
}

extension ObjectDescription.Field {
    /// The type with its size: `string(80)`, `currency(16,2)`.
    fileprivate var typeText: String {
        if precision > 0 { return "\(kind.rawValue)(\(precision),\(scale))" }
        return length > 0 ? "\(kind.rawValue)(\(length))" : kind.rawValue
    }

    /// What is special about the field.
    fileprivate var marks: [String] {
        [
            (isRequired, "required"), (isNameField, "name"), (isUnique, "unique"), (isExternalID, "external id"),
            (isCustom, "custom"), (isCalculated, "formula"), (isAutoNumber, "auto number"),
            (!isCreateable && !isUpdateable && !isCalculated && !isAutoNumber, "read only"),
        ].filter(\.0).map(\.1)
    }

    /// Where in a query the field can stand.
    fileprivate var clauses: [String] {
        let uses = [(isFilterable, "WHERE"), (isSortable, "ORDER BY"), (isGroupable, "GROUP BY")]
        return ["SELECT"] + uses.filter(\.0).map(\.1)
    }
}
