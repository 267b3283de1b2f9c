// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCSV
import RestJSON
import RestSQLite
import SOQLCheck
import SOQLStore

/// Records for a new org: the JSON of `sf data export tree`, or a table of one object as CSV.
///
/// The JSON is `{"records": […]}`. Every record has `attributes` with its `type`. Its children are below the name of
/// their relationship. `"@REFERENCE"` in a reference field is the record whose `attributes` have that `referenceId`, in
/// this or another tree.
///
/// The first line of a table has the names of the fields. `Account.ExternalId__c` identifies a parent by its external
/// ID. Empty values are not written, and `#N/A` is null. A column `Id` identifies the rows for reference fields in this
/// or another table, as in an export. The records get new IDs.
public struct InitialRecords: Sendable {
    enum Content: Sendable {
        case tree(JSONArray)
        case table(object: String, CSVDocument)
    }

    let name: String
    let content: Content

    /// Reads a tree.
    ///
    /// - Parameters:
    ///   - json: The JSON text.
    ///   - name: The name in messages, such as the name of the file.
    /// - Throws: `StartError` with the code `invalidRecords`.
    public init(json: [UInt8], name: String = "the tree") throws(StartError) {
        self.name = name
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: json, limits: JSONDocument.Limits(maximumDepth: 64))
        } catch {
            throw StartError(
                .invalidRecords,
                "\(name) is not JSON: \(error.expected) expected at line \(error.line), column \(error.column)"
            )
        }
        guard let records = root["records"]?.array else {
            throw StartError(.invalidRecords, "\(name) must be an object with a list of 'records'")
        }
        content = .tree(records)
    }

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - csv: The text, with a header.
    ///   - object: The object of the records.
    ///   - name: The name in messages, such as the name of the file.
    /// - Throws: `StartError` with the code `invalidRecords`.
    public init(csv: [UInt8], of object: String, name: String = "the table") throws(StartError) {
        self.name = name
        do throws(CSVError) {
            content = .table(object: object, try CSVDocument(parsing: csv))
        } catch {
            throw StartError(.invalidRecords, "\(name) is not CSV: \(error.description)")
        }
    }
}

/// Writes trees into a new org, in the caller's transaction.
struct TreeLoader {
    let store: RecordStore
    /// The IDs of records by their references, or by their former IDs in a table.
    var ids: [String: String] = [:]
    /// The fields that refer to later records.
    var open: [Open] = []

    struct Open {
        let place: Place
        let object: SObjectSchema
        let id: String
        let field: String
        let reference: String
    }

    /// The position of a record, for messages.
    struct Place {
        let tree: String
        let path: String

        func error(_ message: String) -> StartError {
            StartError(.invalidRecords, "\(tree) cannot be loaded: \(message) (at \(path))")
        }
    }

    /// Writes all records of the trees as the org's first user.
    static func load(
        _ trees: [InitialRecords], _ schema: Schema, on connection: SQLiteConnection
    ) throws(StartError) {
        guard !trees.isEmpty else { return }
        var user = ""
        do throws(DatabaseError) {
            try connection.rows("SELECT \"Id\" FROM \"User\" ORDER BY rowid LIMIT 1") { user = $0.text(0) }
        } catch {
            throw StartError(.failed, "the org's users cannot be read: \(error.message)")
        }
        var loader = TreeLoader(
            store: RecordStore(
                database: Database(lent: connection), schema: schema, userID: user,
                bin: RecycleBin(capacity: 0, schema: schema), rules: StandardRules()))
        for tree in trees {
            let place = Place(tree: tree.name, path: "$")
            switch tree.content {
            case .tree(let records): try loader.add(records, below: nil, place)
            case .table(let object, let document): try loader.add(document, of: object, place)
            }
        }
        try loader.close()
    }

    private init(store: RecordStore) {
        self.store = store
    }

    private mutating func add(
        _ records: JSONArray, below parent: (field: String, id: String)?, _ list: Place
    ) throws(StartError) {
        for (number, record) in records.enumerated() {
            try add(record, below: parent, Place(tree: list.tree, path: "\(list.path).records[\(number)]"))
        }
    }

    private mutating func add(
        _ record: JSONValue, below parent: (field: String, id: String)?, _ place: Place
    ) throws(StartError) {
        guard let members = record.object, let type = record["attributes"]?["type"]?.string else {
            throw place.error("a record needs 'attributes' with its 'type'")
        }
        guard let object = store.schema.object(named: type) else {
            throw place.error("there is no object \(type.prefix(80)); describe it in the schema")
        }
        var values = JSONObject()
        var children: [(name: String, field: String, list: JSONArray)] = []
        var later: [(field: String, reference: String)] = []
        for (name, value) in members where name != "attributes" {
            if let list = value["records"]?.array {
                guard let relationship = object.childRelationship(named: name) else {
                    throw place.error("\(object.name) has no child relationship \(name.prefix(80))")
                }
                children.append((relationship.name ?? name, relationship.field, list))
            } else if let reference = Self.reference(value, object.field(named: name)) {
                if let id = ids[reference] { values[name] = JSONValue(id) } else { later.append((name, reference)) }
            } else {
                values[name] = value
            }
        }
        if let parent { values[parent.field] = JSONValue(parent.id) }
        let id = try writing(place) { () throws(OrgError) in try store.create(values, of: object) }
        open += later.map { Open(place: place, object: object, id: id, field: $0.field, reference: $0.reference) }
        if let reference = record["attributes"]?["referenceId"]?.string {
            guard ids.updateValue(id, forKey: reference) == nil else {
                throw place.error("the referenceId \(reference.prefix(80)) is used twice")
            }
        }
        for (name, field, list) in children {
            let below = Place(tree: place.tree, path: "\(place.path).\(name)")
            try add(list, below: (field, id), below)
        }
    }

    /// Returns the reference in a value of a reference field: `@AccountRef1`.
    private static func reference(_ value: JSONValue, _ field: FieldSchema?) -> String? {
        guard field?.type == .reference else { return nil }
        return value.string?.removing(prefix: "@").map(String.init)
    }

    private func close() throws(StartError) {
        for field in open {
            guard let id = ids[field.reference] else {
                throw field.place.error("no record has the referenceId \(field.reference.prefix(80)) of \(field.field)")
            }
            try writing(field.place) { () throws(OrgError) in
                try store.update(field.id, with: [field.field: JSONValue(id)], of: field.object)
            }
        }
    }

    func writing<Result>(
        _ place: Place, _ body: () throws(OrgError) -> Result
    ) throws(StartError) -> Result {
        do throws(OrgError) {
            return try body()
        } catch {
            throw place.error("\(error.code): \(error.message)")
        }
    }

    mutating func add(_ document: CSVDocument, of name: String, _ place: Place) throws(StartError) {
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

    /// Returns the columns, with `nil` for the former IDs.
    private func columns(
        _ names: [String], _ object: SObjectSchema, _ place: Place
    ) throws(StartError) -> [RecordColumn?] {
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
    ) throws(StartError) {
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
        let id = try writing(place) { () throws(OrgError) in try store.create(values, of: object) }
        open += later.map { Open(place: place, object: object, id: id, field: $0.field, reference: $0.reference) }
        guard !former.isEmpty else { return }
        guard ids.updateValue(id, forKey: former) == nil else { throw place.error("the Id is used twice") }
    }
}
