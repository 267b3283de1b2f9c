// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Information about an org as records, printed by both a verb and the session command of the same name.
struct Listing: Sendable {
    var columns: [String]
    var rows: [JSONObject]
    /// Draws the rows on a terminal in place of a table, or `nil`.
    var drawing: (@Sendable ([JSONObject], PrintStyle) -> [String])?

    /// Creates a listing of existing records.
    init(_ rows: [JSONObject], columns: [String]) { (self.rows, self.columns) = (rows, columns) }

    /// Creates a row for each element with the values of `cells`, of which the columns in `shown` are printed.
    init<Element>(
        _ elements: [Element], showing shown: [String]? = nil,
        _ cells: KeyValuePairs<String, (Element) -> JSONValue?>
    ) {
        columns = shown ?? cells.map(\.key)
        rows = elements.map { element in
            JSONObject(members: cells.map { ($0.key, $0.value(element) ?? .null) })
        }
    }

    /// The limits, sorted by name.
    init(_ limits: [String: RestClient.OrgLimits.Limit]) {
        self.init(
            limits.sorted { $0.key < $1.key },
            [
                "name": { JSONValue($0.key) }, "maximum": { JSONValue($0.value.maximum) },
                "remaining": { JSONValue($0.value.remaining) },
                "used": { JSONValue($0.value.maximum - $0.value.remaining) },
            ])
        drawing = { rows, style in
            let bars = rows.map { row in
                // bounded: drawn only
                let (rest, most) = (row["remaining"]?.double ?? 0, row["maximum"]?.double ?? 0)
                let numbers = ["remaining", "maximum"].map { row[$0]?.numberText ?? "" }
                return BarChart.Bar(
                    label: row["name"]?.string ?? "", value: most > 0 ? max(0, rest / most) : 0,
                    text: numbers.joined(separator: " of "))
            }
            return BarChart(titles: ("limit", "remaining"), bars: bars, full: 1).lines(style)
        }
    }

    /// Objects in the org's order.
    init(_ objects: [ObjectDescription.Summary]) {
        self.init(
            objects,
            [
                "name": { JSONValue($0.name) }, "label": { JSONValue($0.label) },
                "prefix": { $0.keyPrefix.map { JSONValue($0) } }, "custom": { JSONValue($0.isCustom) },
                "query": { JSONValue($0.isQueryable) }, "create": { JSONValue($0.isCreateable) },
                "update": { JSONValue($0.isUpdateable) }, "delete": { JSONValue($0.isDeletable) },
            ])
    }

    /// The fields of an object in the org's order.
    init(
        _ fields: [ObjectDescription.Field],
        showing columns: [String] = ["name", "type", "required", "label", "references", "values"]
    ) {
        self.init(
            fields, showing: columns,
            [
                "name": { JSONValue($0.name) }, "type": { JSONValue($0.typeText) },
                "required": { JSONValue($0.isRequired) }, "label": { JSONValue($0.label) },
                "references": { Self.list($0.referenceTo) },
                "values": { Self.list($0.picklistValues.filter(\.isActive).map(\.value)) },
                "is": { Self.list($0.marks) }, "clauses": { Self.list($0.clauses) },
                "relationship": { $0.relationshipName.map { JSONValue($0) } },
                "controller": { $0.controllerName.map { JSONValue($0) } },
            ])
    }

    init(_ children: [ObjectDescription.ChildRelationship]) {
        self.init(
            children.filter { $0.name != nil },
            [
                "children": { $0.name.map { JSONValue($0) } }, "object": { JSONValue($0.object) },
                "field": { JSONValue($0.field) },
            ])
    }

    /// The plans of a query, the cheapest first.
    init(_ plans: [SOQL.Plan]) {
        self.init(
            plans.sorted { $0.relativeCost < $1.relativeCost },
            [
                "operation": { JSONValue($0.leadingOperation) }, "object": { JSONValue($0.type) },
                "cost": { JSONValue($0.relativeCost) }, "cardinality": { JSONValue($0.cardinality) },
                "records": { JSONValue($0.objectCardinality) }, "fields": { Self.list($0.fields) },
                "notes": { Self.list($0.notes.map(\.text), "; ") },
            ])
        drawing = { rows, style in
            let costs = rows.map { $0["cost"]?.double ?? 0 }  // bounded: drawn only
            let bars = zip(rows, costs).map { row, cost in
                BarChart.Bar(
                    label: ["operation", "object"].compactMap { row[$0]?.string }.joined(separator: " "), value: cost,
                    text: row["cost"]?.numberText ?? "")
            }
            let lines = BarChart(titles: ("plan", "cost"), bars: bars, full: max(1, costs.max() ?? 1)).lines(style)
            return lines.prefix(1)
                + zip(lines.dropFirst(), zip(rows, costs)).flatMap { line, plan in
                    let counts = ["cardinality", "records"].map { plan.0[$0]?.numberText ?? "" }
                    let judged = plan.1 > 1 ? "not selective" : "selective"
                    let notes = plan.0["notes"]?.string.map { ["  " + $0.singleLine] } ?? []
                    return [line, "  \(counts.joined(separator: " of ")) records; \(judged)"] + notes
                }
        }
    }

    /// Logins of this user.
    init(_ accounts: [AccountManager.Account], current: String?) {
        self.init(
            accounts,
            [
                "name": { JSONValue($0.id) }, "user": { $0.username.map { JSONValue($0) } },
                "org": { JSONValue("\($0.instance)") }, "current": { JSONValue($0.id == current) },
            ])
    }

    /// Records that a search found, from all objects in one list.
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

    private static func list(_ texts: [String], _ separator: String = ";") -> JSONValue? {
        texts.isEmpty ? .none : JSONValue(texts.joined(separator: separator))
    }

    /// Prints the records with a value or null for every column, to `destination` or else as the options specify.
    func print(_ options: Arguments, to destination: OutputDestination? = nil) async throws {
        let list = JSONArray(rows.map { JSONValue($0) })
        try await OutputDestination.open(options, unless: destination) { destination in
            if let drawing, destination.isTerminal, ![.format, .expanded].contains(where: options.has) {
                let lines = drawing(rows, PrintStyle(options, to: destination))
                return try destination.write(Array(lines.map { $0 + "\n" }.joined().utf8))
            }
            var output = RecordOutput(fields: columns, options, to: destination)
            try output.print(list, of: list.count)
            try output.finish(isWhole: true)
        }
    }
}

extension SOQL.Plan.Note {
    fileprivate var text: String {
        fields.isEmpty ? description : "\(description) (\(fields.joined(separator: ", ")))"
    }
}

extension ObjectDescription.Field {
    /// The type with its size, such as `string(80)` or `currency(16,2)`.
    fileprivate var typeText: String {
        if precision > 0 { return "\(kind.rawValue)(\(precision),\(scale))" }
        return length > 0 ? "\(kind.rawValue)(\(length))" : kind.rawValue
    }

    /// The special properties of the field.
    fileprivate var marks: [String] {
        [
            (isRequired, "required"), (isNameField, "name"), (isUnique, "unique"), (isExternalID, "external id"),
            (isCustom, "custom"), (isCalculated, "formula"), (isAutoNumber, "auto number"),
            (!isCreateable && !isUpdateable && !isCalculated && !isAutoNumber, "read only"),
        ].filter(\.0).map(\.1)
    }

    /// The clauses of a query in which the field is allowed.
    fileprivate var clauses: [String] {
        let uses = [(isFilterable, "WHERE"), (isSortable, "ORDER BY"), (isGroupable, "GROUP BY")]
        return ["SELECT"] + uses.filter(\.0).map(\.1)
    }
}
