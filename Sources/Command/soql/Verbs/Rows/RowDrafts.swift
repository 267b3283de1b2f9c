// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Rows as the records that are sent, in the order of the rows.
enum RowDrafts {
    case create([RecordDraft])
    case update([RecordDraft])
    case upsert(externalID: String, type: String, [JSONObject])
    case delete([String])

    /// The most records of one call.
    static let callSize = RestRequest.maximumRecords

    var count: Int {
        switch self {
        case .create(let drafts), .update(let drafts): drafts.count
        case .upsert(_, _, let records): records.count
        case .delete(let ids): ids.count
        }
    }

    /// The request for one call's records.
    func request(_ places: Range<Int>, allOrNone: Bool) -> RestRequest {
        switch self {
        case .create(let drafts): .create(Array(drafts[places]), allOrNone: allOrNone)
        case .update(let drafts): .update(Array(drafts[places]), allOrNone: allOrNone)
        case .upsert(let field, let type, let records):
            .upsert(type, externalID: field, Array(records[places]), allOrNone: allOrNone)
        case .delete(let ids): .delete(ids: Array(ids[places]), allOrNone: allOrNone)
        }
    }

    /// The runs of records that are sent together.
    var calls: [Range<Int>] {
        stride(from: 0, to: count, by: Self.callSize).map { $0..<min($0 + Self.callSize, count) }
    }
}

extension RowDrafts {
    /// Makes the records of rows; without a form, the ids of those that are deleted.
    ///
    /// - Throws: ``CommandFailure`` naming the row.
    init(_ input: InputRows, _ operation: RecordOperation, _ form: RecordForm?) throws(CommandFailure) {
        guard let form else {
            self = .delete(try Self.ids(of: input))
            return
        }
        var columns: [String: RecordForm.Column] = [:]
        for name in input.columns { columns[name] = try form.column(name) }
        let type = form.object.name
        var records: [JSONObject] = []
        for row in input.rows { records.append(try Self.record(row, columns, form)) }
        switch operation {
        case .update:
            self = .update(try Self.drafts(records, of: type))
        case .upsert(let name):
            let field = try form.column(name).name
            for (place, record) in records.enumerated() where record[field].map(\.isNull) ?? true {
                throw CommandFailure("row \(place + 1): \(field) is empty, by which the record is found")
            }
            self = .upsert(externalID: field, type: type, records)
        case .create, .delete: self = .create(records.map { RecordDraft(type, $0) })
        }
    }

    private static func record(
        _ row: InputRows.Row, _ columns: [String: RecordForm.Column], _ form: RecordForm
    ) throws(CommandFailure) -> JSONObject {
        var record = JSONObject()
        do throws(CommandFailure) {
            for (name, cell) in row.cells {
                guard let column = columns[name] else { continue }
                let value: JSONValue =
                    switch cell {
                    case .text(let text): try form.value(text, of: column)
                    case .json(let value): value
                    }
                try form.set(value, of: column, in: &record)
            }
        } catch {
            throw CommandFailure("row \(row.number): \(error.description)")
        }
        return record
    }

    private static func drafts(_ records: [JSONObject], of type: String) throws(CommandFailure) -> [RecordDraft] {
        var drafts: [RecordDraft] = []
        for (place, record) in records.enumerated() {
            let id = try checked(record["Id"]?.string, row: place + 1)
            var fields = JSONObject()
            for member in record where member.key != "Id" { fields[member.key] = member.value }
            drafts.append(RecordDraft(type, id: id, fields))
        }
        return drafts
    }

    private static func ids(of input: InputRows) throws(CommandFailure) -> [String] {
        var ids: [String] = []
        for row in input.rows {
            let cell = row.cells.first { $0.column.lowercased() == "id" }?.cell
            let text: String? =
                switch cell {
                case .text(let text): text
                case .json(let value): value.string
                case nil: nil
                }
            ids.append(try checked(text, row: row.number))
        }
        return ids
    }

    private static func checked(_ id: String?, row: Int) throws(CommandFailure) -> String {
        guard let id else { throw CommandFailure("row \(row): the column Id is missing or empty") }
        guard id.isRecordID else {
            throw CommandFailure("row \(row): '\(id)' is no id; one has 15 or 18 letters and digits")
        }
        return id
    }
}
