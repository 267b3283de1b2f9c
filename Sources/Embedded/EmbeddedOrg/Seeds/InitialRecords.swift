// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCSV
import RestJSON
import RestSQLite
import SOQLCheck
import SOQLStore

/// Records for a new org: the JSON that `sf data export tree` writes, or a table of one object as CSV.
///
/// The JSON is `{"records": […]}`. Every record has `attributes` with its `type`. Its children stand below the name of
/// their relationship, and `"@REFERENCE"` in a reference field is the record whose `attributes` have that
/// `referenceId`, here or in another tree.
///
/// The first line of a table names the fields; `Account.ExternalId__c` names a parent by its external id. Empty values
/// are not written, and `#N/A` is null. Values of a column `Id` name the rows for reference fields, here or in another
/// table, as in an export; the records get ids of their own.
public struct InitialRecords: Sendable {
    /// What the records were read from.
    enum Content: Sendable {
        case tree(JSONArray)
        case table(object: String, CSVDocument)
    }

    /// The name in messages, such as the file's.
    let name: String
    let content: Content

    /// Reads a tree.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - name: The name in messages, such as the file's.
    /// - Throws: `LocalOrgError` with the code `invalidRecords`.
    public init(json: [UInt8], name: String = "the tree") throws(LocalOrgError) {
        self.name = name
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: json, limits: JSONDocument.Limits(maximumDepth: 64))
        } catch {
            throw LocalOrgError(
                code: .invalidRecords,
                message: "\(name) is not JSON: \(error.expected) expected in line \(error.line), column \(error.column)"
            )
        }
        guard let records = root["records"]?.array else {
            throw LocalOrgError(code: .invalidRecords, message: "\(name) must be an object with a list of 'records'")
        }
        content = .tree(records)
    }

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - csv: The text, with a header.
    ///   - object: The name of the object that the rows are records of.
    ///   - name: The name in messages, such as the file's.
    /// - Throws: `LocalOrgError` with the code `invalidRecords`.
    public init(csv: [UInt8], of object: String, name: String = "the table") throws(LocalOrgError) {
        self.name = name
        do throws(CSVError) {
            content = .table(object: object, try CSVDocument(parsing: csv))
        } catch {
            throw LocalOrgError(code: .invalidRecords, message: "\(name) is not CSV: \(error.description)")
        }
    }
}

/// Writes trees into a new org, inside a transaction of its caller.
struct TreeLoader {
    let store: RecordStore
    /// The records by their references, and those of tables by the ids that they had.
    var ids: [String: String] = [:]
    /// The fields that name a record which comes later.
    var open: [Open] = []

    struct Open {
        let place: Place
        let object: SObjectSchema
        let id: String
        let field: String
        let reference: String
    }

    /// A record of a tree, for messages.
    struct Place {
        let tree: String
        let path: String

        func error(_ message: String) -> LocalOrgError {
            LocalOrgError(code: .invalidRecords, message: "\(tree) cannot be loaded: \(message) (at \(path))")
        }
    }

    /// Writes all records of the trees, as the org's first user.
    static func load(
        _ trees: [InitialRecords], _ schema: Schema, on connection: SQLiteConnection
    ) throws(LocalOrgError) {
        guard !trees.isEmpty else { return }
        var user = ""
        do throws(DatabaseError) {
            try connection.rows("SELECT \"Id\" FROM \"User\" ORDER BY rowid LIMIT 1") { user = $0.text(0) }
        } catch {
            throw LocalOrgError(code: .failed, message: "the org's users cannot be read: \(error.message)")
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
    ) throws(LocalOrgError) {
        for (number, record) in records.enumerated() {
            try add(record, below: parent, Place(tree: list.tree, path: "\(list.path).records[\(number)]"))
        }
    }

    private mutating func add(
        _ record: JSONValue, below parent: (field: String, id: String)?, _ place: Place
    ) throws(LocalOrgError) {
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

    /// The reference in a value of a reference field: `@AccountRef1`.
    private static func reference(_ value: JSONValue, _ field: FieldSchema?) -> String? {
        guard field?.type == .reference else { return nil }
        return value.string?.removing(prefix: "@").map(String.init)
    }

    /// Writes the references to records that came later.
    private func close() throws(LocalOrgError) {
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
    ) throws(LocalOrgError) -> Result {
        do throws(OrgError) {
            return try body()
        } catch {
            throw place.error("\(error.code): \(error.message)")
        }
    }
}

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
        let id = try writing(place) { () throws(OrgError) in try store.create(values, of: object) }
        open += later.map { Open(place: place, object: object, id: id, field: $0.field, reference: $0.reference) }
        guard !former.isEmpty else { return }
        guard ids.updateValue(id, forKey: former) == nil else { throw place.error("the Id is used twice") }
    }
}
