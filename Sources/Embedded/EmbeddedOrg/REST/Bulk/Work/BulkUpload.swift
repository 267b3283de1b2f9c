// SPDX-License-Identifier: Apache-2.0

import RestCSV
import RestJSON
import RestSQLite
import SOQLStore

struct BulkRow {
    enum Content {
        /// The values by column name. `nil` is null, and an empty column is left out.
        case texts([(name: String, text: String?)])
        case fault(OrgError)
    }

    let content: Content
    /// The uploaded line with its line end.
    let line: String
}

/// The lines of a CSV upload, which are read from the database in chunks.
struct CSVUpload {
    private let database: Database
    private let content: Int64
    private let lineEnding: String
    private var reader: CSVReader
    private var position = 0
    private var isAtEnd = false
    private var rows: CSVRows?
    private var index = 0

    private(set) var header = ""
    private(set) var names: [String] = []
    private static let step = 1 << 20

    /// Salesforce's limits in characters: 131,072 in a field, 400,000 in a record, 5,000 fields.
    private static let limits = CSVLimits(
        maximumFieldBytes: 4 * 131_072, maximumRowBytes: 4 * 400_000, maximumColumns: 5_000)
    private static let mostHeader = 32_000

    /// Reads the first line with the names of the columns.
    init(_ job: BulkJob, _ database: Database) throws(OrgError) {
        (self.database, content) = (database, job.upload)
        lineEnding = job.endsInCRLF ? "\r\n" : "\n"
        reader = CSVReader(
            job.dialect, options: .init(hasHeader: false, allowsAnyWidth: true, limits: Self.limits))
        guard let first = try line() else { throw OrgError("InvalidBatch", "The upload is empty") }
        header = first.text
        guard header.utf8.count <= Self.mostHeader else {
            throw OrgError("InvalidBatch", "The names of the columns have more than 32,000 characters")
        }
        names = Array(first)
    }

    mutating func next() throws(OrgError) -> BulkRow? {
        guard let row = try line() else { return nil }
        let line = row.text + lineEnding
        guard row.count == names.count else {
            let message = "The line has \(row.count) fields and the header \(names.count)"
            return BulkRow(content: .fault(OrgError("INVALID_BATCH", message)), line: line)
        }
        var texts: [(name: String, text: String?)] = []
        for (column, name) in names.enumerated() where !row.isEmpty(at: column) {
            let text = row[column]
            texts.append((name, text == "#N/A" ? nil : text))
        }
        return BulkRow(content: .texts(texts), line: line)
    }

    private mutating func line() throws(OrgError) -> CSVRow? {
        while true {
            if let rows, index < rows.count {
                index += 1
                let row = rows[index - 1]
                if row.count == 1, row.isEmpty(at: 0), !row.isQuoted(at: 0) { continue }
                return row
            }
            guard !isAtEnd else { return nil }
            try read()
        }
    }

    private mutating func read() throws(OrgError) {
        let (number, range) = (content, position..<position + Self.step)
        let bytes = try database.read { (connection) throws(OrgError) -> [UInt8] in
            try ContentStore.bytes(of: number, range, connection)
        }
        position += bytes.count
        isAtEnd = bytes.isEmpty
        index = 0
        do throws(CSVError) {
            rows = bytes.isEmpty ? try reader.finish() : try reader.push(bytes)
        } catch {
            throw OrgError("ClientInputError", message(error))
        }
    }

    private func message(_ error: CSVError) -> String {
        guard error.reason == .lineEnding else { return error.description }
        let name = lineEnding == "\n" ? "LF" : "CRLF"
        return "LineEnding is invalid on user data. Current LineEnding setting is \(name) (line \(error.line))"
    }
}

extension CSVRow {
    /// The original text of the row without its line end.
    fileprivate var text: String {
        guard let last = indices.last else { return "" }
        let start = range(at: 0).lowerBound - (isQuoted(at: 0) ? 1 : 0)
        let end = range(at: last).upperBound + (isQuoted(at: last) ? 1 : 0)
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

struct BulkRecord {
    let job: BulkJob
    let object: SObjectSchema
    let schema: Schema

    struct Outcome {
        var id: String?
        var isNew = false
        var fault: OrgError?
    }

    private var isDelete: Bool { job.operation == "delete" || job.operation == "hardDelete" }

    /// The column that identifies the record.
    private var key: String? {
        switch job.operation {
        case "insert": nil
        case "upsert": job.externalID
        default: "Id"
        }
    }

    /// Rejects unknown field names before anything is written.
    func check(_ names: [String]) throws(OrgError) {
        for name in names where RecordColumn(name, object, schema) == nil {
            throw OrgError("InvalidBatch", "Field name not found : \(name.prefix(100))")
        }
        guard Set(names.map { $0.lowercased() }).count == names.count else {
            throw OrgError("InvalidBatch", "A field name is repeated in the header")
        }
        guard let key else { return }
        guard names.contains(where: { $0.lowercased() == key.lowercased() }) else {
            throw OrgError("InvalidBatch", "The column \(key) is missing")
        }
        guard !isDelete || names.count == 1 else {
            throw OrgError("InvalidBatch", "The '\(job.operation)' batch must contain only ids")
        }
    }

    func save(_ row: BulkRow, in store: RecordStore) -> Outcome {
        var id = ""
        do throws(OrgError) {
            let (key, members) = try parts(row.content)
            id = key
            guard !isDelete || members.isEmpty else {
                throw OrgError("INVALID_FIELD", "The '\(job.operation)' batch must contain only ids")
            }
            return try write(members, key, store)
        } catch {
            return Outcome(id: RecordID.normalized(id), fault: error)
        }
    }

    private func parts(_ content: BulkRow.Content) throws(OrgError) -> (key: String, members: JSONObject) {
        var (key, members) = ("", [(key: String, value: JSONValue)]())
        switch content {
        case .fault(let fault): throw fault
        case .texts(let texts):
            for (name, text) in texts {
                if isKey(name) { key = text ?? "" } else { members.append(try member(name, text)) }
            }
        }
        return (key, JSONObject(members: members))
    }

    private func isKey(_ name: String) -> Bool { key.map { name.lowercased() == $0.lowercased() } ?? false }

    private func member(_ name: String, _ text: String?) throws(OrgError) -> (key: String, value: JSONValue) {
        guard let column = RecordColumn(name, object, schema) else { throw .unknownColumn(name, of: object.name) }
        return column.member(text)
    }

    private func write(_ members: JSONObject, _ key: String, _ store: RecordStore) throws(OrgError) -> Outcome {
        switch job.operation {
        case "insert": return Outcome(id: try store.save(members, of: object).id, isNew: true)
        case "update": try store.update(key, with: members, of: object)
        case "upsert":
            guard let field = object.field(named: job.externalID) else { throw .notFound }
            if field.type == .id, key.isEmpty {
                return Outcome(id: try store.create(members, of: object), isNew: true)
            }
            guard !key.isEmpty else { throw OrgError("MISSING_ARGUMENT", "\(field.name) not specified") }
            let saved = try store.upsert(field, field.value(of: key), with: members, of: object)
            return Outcome(id: saved.id, isNew: saved.isNew)
        default: try store.delete(key, of: object, isFinal: job.operation == "hardDelete")
        }
        return Outcome(id: RecordID.normalized(key))
    }
}
