// SPDX-License-Identifier: Apache-2.0

import RestCSV
import RestJSON

extension TreeLoader {
    /// Writes the rows of a table.
    mutating func add(_ document: CSVDocument, of name: String, _ place: Place) throws(LocalOrgError) {
        guard let object = store.schema.object(named: name) else {
            throw place.error("there is no object \(name.prefix(80)); describe it in the schema")
        }
        let columns = try columns(document.header?.names ?? [], object, place)
        var own: Set<String> = []
        if let key = columns.firstIndex(where: { $0 == nil }) {
            for row in document.rows { own.insert(RecordColumn.key(row[key])) }
        }
        for row in document.rows {
            try add(row, columns, own, object, Place(tree: place.tree, path: "row \(row.number)"))
        }
    }

    /// What the columns are; `nil` for the one of the records' former ids.
    private func columns(
        _ names: [String], _ object: SObjectSchema, _ place: Place
    ) throws(LocalOrgError) -> [RecordColumn?] {
        var columns: [RecordColumn?] = []
        for name in names {
            if name.lowercased() == "id" {
                columns.append(nil)
            } else if let column = RecordColumn(name, object, store.schema) {
                columns.append(column)
            } else {
                throw place.error("\(object.name) has no field \(name.prefix(80))")
            }
        }
        return columns
    }

    private mutating func add(
        _ row: CSVRow, _ columns: [RecordColumn?], _ own: Set<String>, _ object: SObjectSchema, _ place: Place
    ) throws(LocalOrgError) {
        var members: [(key: String, value: JSONValue)] = []
        var later: [(field: String, reference: String)] = []
        var former = ""
        for (position, column) in columns.enumerated() where !row.isEmpty(at: position) {
            let text = row[position]
            guard let column else {
                former = RecordColumn.key(text)
                continue
            }
            let reference = column.field.type == .reference && column.parent == nil ? RecordColumn.key(text) : ""
            if let id = ids[reference] {
                members.append((column.field.name, JSONValue(id)))
            } else if own.contains(reference) {
                later.append((column.field.name, reference))
            } else {
                members.append(column.member(text == "#N/A" ? nil : text))
            }
        }
        let values = JSONObject(members: members)
        let id = try writing(place) { () throws(OrgFault) in try store.create(values, of: object) }
        open += later.map { Open(place: place, object: object, id: id, field: $0.field, reference: $0.reference) }
        guard !former.isEmpty else { return }
        guard ids.updateValue(id, forKey: former) == nil else { throw place.error("the Id is used twice") }
    }
}
