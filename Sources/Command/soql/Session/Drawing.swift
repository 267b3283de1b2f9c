// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// What `\d OBJECT` shows: the fields, then the relationships to children.
struct ObjectDrawing {
    let text: String

    init(_ object: ObjectDescription) {
        let fields = object.fields.map { field in
            [field.name, field.typeText, field.marks.joined(separator: ", "), field.leadText]
        }
        let children = object.childRelationships.compactMap { child in
            child.name.map { [$0, "\(child.object).\(child.field)"] }
        }
        let title = object.summary.label == object.name ? object.name : "\(object.name) (\(object.summary.label))"
        text =
            "\(title.singleLine)\n" + TextTable(["Field", "Type", "", "Leads to"], fields).text
            + (children.isEmpty ? "" : "\n" + TextTable(["Children", "By"], children).text)
    }
}

/// What `\d OBJECT.FIELD` shows: all about one field.
struct FieldDrawing {
    let text: String

    init(_ field: ObjectDescription.Field) {
        var lines = [("Label", field.label), ("Type", field.typeText)]
        if !field.marks.isEmpty { lines.append(("Is", field.marks.joined(separator: ", "))) }
        if !field.referenceTo.isEmpty { lines.append(("Leads to", field.leadText)) }
        if let controller = field.controllerName { lines.append(("Depends on", controller)) }
        let uses = [(field.isFilterable, "WHERE"), (field.isSortable, "ORDER BY"), (field.isGroupable, "GROUP BY")]
        lines.append(("Can stand in", (["SELECT"] + uses.filter(\.0).map(\.1)).joined(separator: ", ")))
        for (index, value) in field.picklistValues.enumerated() {
            let notes = [
                value.label == value.value ? nil : value.label, value.isDefault ? "default" : nil,
                value.isActive ? nil : "inactive",
            ].compactMap(\.self)
            let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
            lines.append((index == 0 ? "Values" : "", value.value + note))
        }
        let width = lines.map(\.0.count).max() ?? 0
        let rows = lines.map { name, value in
            "  \(name)" + String(repeating: " ", count: width - name.count + 2) + value.singleLine + "\n"
        }
        text = field.name.singleLine + "\n" + rows.joined()
    }
}

extension ObjectDescription.Field {
    /// What is special about the field.
    fileprivate var marks: [String] {
        [
            (isRequired, "required"), (isNameField, "name"), (isUnique, "unique"), (isExternalID, "external id"),
            (isCustom, "custom"), (isCalculated, "formula"), (isAutoNumber, "auto number"),
            (!isCreateable && !isUpdateable && !isCalculated && !isAutoNumber, "read only"),
        ].filter(\.0).map(\.1)
    }

    /// Where a reference leads: `Owner: User, Group`.
    fileprivate var leadText: String {
        let objects = referenceTo.joined(separator: ", ")
        return relationshipName.map { "\($0): \(objects)" } ?? objects
    }
}

/// The plans of a query, the cheapest first: how each begins, how many records it finds, and what it costs.
struct PlanDrawing {
    private static let barWidth = 20

    let text: String

    init(_ plans: [SOQL.Plan]) {
        guard !plans.isEmpty else {
            text = "The org tells no plan.\n"
            return
        }
        let drawn = plans.sorted { $0.relativeCost < $1.relativeCost }.enumerated().map(Self.lines)
        text = drawn.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private static func lines(_ number: Int, _ plan: SOQL.Plan) -> [String] {
        let fields = plan.fields.isEmpty ? "" : " by \(plan.fields.joined(separator: ", "))"
        let share = plan.objectCardinality > 0 ? " of \(plan.objectCardinality)" : ""
        let verdict = plan.relativeCost < 1 ? "selective" : "not selective"
        return [
            "\(number + 1). \(plan.leadingOperation) of \(plan.type)\(fields)".singleLine,
            "   records  \(plan.cardinality)\(share)",
            "   cost     \(bar(plan.relativeCost)) \(plan.relativeCost.hundredths) (\(verdict))",
        ]
            + plan.notes.map { note in
                let fields = note.fields.isEmpty ? "" : " (\(note.fields.joined(separator: ", ")))"
                return "   note     \(note.description)\(fields)".singleLine
            }
    }

    /// The cost as a bar; the whole of it is 1, from where on a query is not selective.
    private static func bar(_ cost: Double) -> String {
        let filled = Int(min(max(cost, 0), 1) * Double(barWidth))  // bounded: 0 to the bar's width
        let marks = Marks.current == .unicode ? (full: "█", empty: "░") : (full: "#", empty: ".")
        return String(repeating: marks.full, count: filled) + String(repeating: marks.empty, count: barWidth - filled)
    }
}

extension Double {
    /// The number with two digits behind its point; a very large one as it is.
    fileprivate var hundredths: String {
        guard abs(self) < 1e12 else { return "\(self)" }
        let whole = Int((abs(self) * 100).rounded())  // bounded: above
        let digits = whole % 100
        return (self < 0 ? "-" : "") + "\(whole / 100).\(digits < 10 ? "0" : "")\(digits)"
    }
}

/// A small table of what the org told about itself, in the form of the results' tables.
struct TextTable {
    let text: String

    /// Makes a table.
    init(_ titles: [String], _ rows: [[String]]) {
        let rows = rows.map { $0.map(\.singleLine) }
        let widths = titles.indices.map { column in
            rows.reduce(titles[column].columnWidth) { max($0, $1[column].columnWidth) }
        }
        let marks = Marks.current
        let lines = ([titles] + rows).map { cells in
            let padded = cells.indices.map { column in
                let room = String(repeating: " ", count: max(0, widths[column] - cells[column].columnWidth))
                return column == cells.count - 1 ? cells[column] : cells[column] + room
            }
            return " " + padded.joined(separator: " \(marks.vertical) ")
        }
        let rule = widths.map { String(repeating: marks.horizontal, count: $0 + 2) }.joined(separator: marks.cross)
        text = ([lines[0], rule] + lines.dropFirst()).map { $0 + "\n" }.joined()
    }
}
