// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// The table that an object's records are copied to, and how far that has come.
struct Replica {
    /// Somebody else uses the file in a way that does not fit.
    struct Conflict: Error, CustomStringConvertible {
        let description: String
    }

    let object: String
    /// The fields that are copied, the first one is `Id`.
    let fields: [String]
    private let database: Database

    /// Makes the table, unless it is there.
    init(of object: String, fields: [String], in database: Database) throws {
        (self.object, self.fields, self.database) = (object, ["Id"] + fields.filter { $0 != "Id" }, database)
        let columns = self.fields.map { $0 == "Id" ? "Id TEXT PRIMARY KEY" : $0.quoted }.joined(separator: ", ")
        try database.run("CREATE TABLE IF NOT EXISTS \(object.quoted) (\(columns)) WITHOUT ROWID")
        try database.run("CREATE TABLE IF NOT EXISTS sync_progress (object TEXT PRIMARY KEY, progress TEXT NOT NULL)")
        let found = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(object)]).map { $0[0] }
        guard found == self.fields.map(Database.Value.text) else {
            throw Conflict(description: "the file has other fields of \(object); choose another file")
        }
    }

    /// How far the copy has come; `nil` before its first transaction.
    var progress: Progress? {
        get throws {
            let rows = try database.rows("SELECT progress FROM sync_progress WHERE object = ?", [.text(object)])
            guard case .text(let text)? = rows.first?.first else { return nil }
            return try Progress(text: text)
        }
    }

    /// Writes and deletes records and moves on, in one transaction: whatever ends the process, rows and progress fit.
    ///
    /// - Throws: ``Conflict`` when another process has moved on meanwhile; nothing is changed then.
    func apply(written: [Record], deleted: [String], from old: Progress, to new: Progress) throws {
        let places = fields.map { _ in "?" }.joined(separator: ", ")
        let rows = written.map { record in fields.map { Database.Value(record[$0]) } }
        try database.transaction {
            try database.run("DELETE FROM \(object.quoted) WHERE Id = ?", for: deleted.map { [.text($0)] })
            try database.run("INSERT OR REPLACE INTO \(object.quoted) VALUES (\(places))", for: rows)
            let moved = try database.run(
                "UPDATE sync_progress SET progress = ? WHERE object = ? AND progress = ?",
                for: [[.text(new.text), .text(object), .text(old.text)]])
            guard moved == 1 else { throw Conflict(description: "another process copies \(object) to the same file") }
        }
    }

    /// Begins a copy from nothing.
    ///
    /// - Parameter position: from where changes are followed once all records were read.
    /// - Returns: the progress of the copy.
    /// - Throws: the error of the database.
    func start(since position: RecordChanges.Window.Position = .init(.now)) throws -> Progress {
        let progress = Progress.copying(after: nil, since: position)
        try database.transaction {
            try database.run("DELETE FROM \(object.quoted)")
            try database.run(
                "INSERT OR REPLACE INTO sync_progress VALUES (?, ?)", for: [[.text(object), .text(progress.text)]])
        }
        return progress
    }
}

extension Database.Value {
    /// A field's value; what SQLite has no type for becomes its JSON.
    fileprivate init(_ value: JSONValue?) {
        guard let value, !value.isNull else {
            self = .null
            return
        }
        if let text = value.string {
            self = .text(text)
        } else if let isTrue = value.bool {
            self = .integer(isTrue ? 1 : 0)
        } else if let number = value.integer(as: Int64.self) {
            self = .integer(number)
        } else {
            self = value.double.map { .real($0) } ?? .text(value.description)
        }
    }
}

extension String {
    /// The name as SQL takes it, whatever it is.
    fileprivate var quoted: String {
        // By scalars: a quote and a combining mark after it are one `Character`.
        "\"" + unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
