// SPDX-License-Identifier: Apache-2.0

package import RestJSON
package import RestSQLite
import SOQLCheck

/// Writes copies of records with the same fields, such as the records of a page, inside a transaction.
///
/// The SQL and the fields are found once. A parsed value goes from the text of the page to SQLite if it is stored as it
/// was sent. `FieldParser` converts all other values.
package struct RecordCopier {
    private let members: [(name: String, field: FieldSchema?)]
    /// The fields in the order of the parameters.
    private let fields: [(field: FieldSchema, form: PlainForm?)]
    private let idIndex: Int
    private var shape: JSONShape?
    private let writer: RowWriter

    /// Creates the copier for records with the fields of this record, which become visible if they were deleted.
    ///
    /// It does not write the fields with the names `local`.
    package init(
        for record: JSONObject, besides local: [String] = [], of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        var members: [(name: String, field: FieldSchema?)] = []
        for (name, _) in record {
            let field = object.field(named: name)
            guard field != nil || name == "attributes" else { throw .unknownColumn(name, of: object.name) }
            let isWritten = field.map { $0.isColumn && $0.name != "IsDeleted" && !local.contains($0.name) } ?? false
            members.append((name, isWritten ? field : nil))
        }
        let fields = members.compactMap(\.field)
        guard let id = fields.firstIndex(where: { $0.name == "Id" }) else { throw .missingFields(["Id"]) }
        let names = fields.map { "\"\($0.name)\"" } + ["\"IsDeleted\""]
        guard Set(names).count == names.count else { throw .parser("Duplicate field of \(object.name)") }
        (self.members, self.fields, idIndex) = (members, fields.map { ($0, PlainForm($0)) }, id)
        shape = JSONShape(
            names: members.map(\.name), wanted: members.indices.filter { members[$0].field != nil })
        let places = fields.indices.map { "?\($0 + 1)" } + ["0"]
        let others = names.filter { $0 != "\"Id\"" }
        // A record that has the values is not written again. Texts that differ in case are different values.
        let sql = """
            INSERT INTO "\(object.name)" (\(names.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))
            ON CONFLICT ("Id") DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE \(others.map { "\($0) COLLATE BINARY IS NOT excluded.\($0)" }.joined(separator: " OR "))
            """
        writer = try OrgError.wrapping { () throws(DatabaseError) in try RowWriter(sql, on: connection) }
    }

    /// Writes a record, and returns whether the copy had other values.
    ///
    /// Returns `nil` if the record has other fields than the first one, or no id.
    package mutating func write(_ record: JSONObject) throws(OrgError) -> Bool? {
        defer { writer.clear() }
        if let document = shape?.find(record), let shape {
            return try unsafe document.bytes.withUnsafeBufferPointer { text throws(OrgError) in
                // The text outlives the run and the values, which are cleared above.
                try run(document, unsafe text.span, shape)
            }
        }
        var values: [SQLValue] = []
        var index = 0
        for (name, value) in record {
            guard index < members.count, members[index].name == name else { return nil }
            if let field = members[index].field {
                values.append(try FieldParser.parse(value, for: field, isChecked: false))
            }
            index += 1
        }
        guard index == members.count, values[idIndex] != .null else { return nil }
        return try OrgError.wrapping { () throws(DatabaseError) in
            for (index, value) in values.enumerated() { try writer.bind(value, at: index + 1) }
            return try writer.run()
        }
    }

    private func run(
        _ document: JSONDocument, _ text: Span<UInt8>, _ shape: JSONShape
    ) throws(OrgError) -> Bool? {
        for index in fields.indices {
            let place = shape.place(of: index)
            if try fields[index].form?.bind(document, place, text, to: writer, at: index + 1) ?? false { continue }
            let value = try FieldParser.parse(document.value(at: place), for: fields[index].field, isChecked: false)
            if index == idIndex, value == .null { return nil }
            try OrgError.wrapping { () throws(DatabaseError) in try writer.bind(value, at: index + 1) }
        }
        return try OrgError.wrapping { () throws(DatabaseError) in try writer.run() }
    }
}

/// The JSON values of a field that are stored as they are, so that they need no conversion.
///
/// This exists only for speed: `FieldParser` gives the same values.
private enum PlainForm {
    case text, id, datetime, boolean, integer
    case real(below: Double)

    /// Returns the form, or `nil` for a field whose values are always converted.
    init?(_ field: FieldSchema) {
        switch field.type {
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring:
            self = .text
        case .id: self = .id
        // The master record type is stored as null.
        case .reference where field.referenceTo != ["RecordType"]: self = .id
        case .datetime: self = .datetime
        case .boolean: self = .boolean
        case .int: self = .integer
        case .double, .currency, .percent: self = .real(below: FieldParser.limit(of: field))
        case .reference, .date, .time, .base64, .location, .address: return nil
        }
    }

    /// Binds the value at a tape index, or returns `false` if it must be converted.
    func bind(
        _ document: JSONDocument, _ place: Int, _ text: Span<UInt8>, to writer: RowWriter, at index: Int
    ) throws(OrgError) -> Bool {
        do throws(DatabaseError) {
            switch self {
            case .text, .datetime, .id:
                // Also for null and for strings with escapes.
                guard let range = document.plainRange(at: place), !range.isEmpty else { return false }
                let bytes = text.extracting(range)
                if case .datetime = self, !WireTime.isNormalized(bytes) { return false }
                if case .id = self, !RecordID.isNormalized(bytes) { return false }
                try writer.bind(borrowing: bytes, at: index)
            case .boolean:
                guard let isTrue = document.bool(at: place) else { return false }
                try writer.bind(.integer(isTrue ? 1 : 0), at: index)
            case .integer:
                guard let number = document.int64(at: place), Int32(exactly: number) != nil else { return false }
                try writer.bind(.integer(number), at: index)
            case .real(let limit):
                // A double preserves all numbers of up to 15 digits.
                guard let range = document.plainRange(at: place, isNumber: true), range.count <= 15,
                    let number = document.double(at: place), number.magnitude < limit,
                    number == 0 || number.magnitude > 1e-290
                else { return false }
                try writer.bind(.real(number), at: index)
            }
            return true
        } catch {
            throw OrgError(error)
        }
    }
}
