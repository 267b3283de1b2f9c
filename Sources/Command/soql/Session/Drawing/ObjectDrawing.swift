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
