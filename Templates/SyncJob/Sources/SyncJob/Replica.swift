// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK

/// The table with the copy of an object's records, and the progress of the copy.
struct Replica {
    /// The error if another process or program uses the file in a conflicting way.
    struct Conflict: Error, CustomStringConvertible {
        let description: String
    }

    let object: String
    /// The copied fields, of which the first is `Id`.
    let fields: [String]
    private let database: Database

    /// Opens the table, and creates it if it does not exist.
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

    /// The progress of the copy, or `nil` before its first transaction.
    var progress: Progress? {
        get throws {
            let rows = try database.rows("SELECT progress FROM sync_progress WHERE object = ?", [.text(object)])
            guard case .text(let text)? = rows.first?.first else { return nil }
            return try Progress(text: text)
        }
    }

    /// Writes and deletes records and updates the progress in one transaction, so that they match after a crash.
    ///
    /// - Throws: ``Conflict`` if another process has updated the progress in the meantime. Nothing is changed in this
    ///   case.
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

    /// Starts a copy from the beginning.
    ///
    /// - Parameter position: the position from which changes are read after all records.
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
    /// Converts a field's value, as JSON if SQLite has no type for it.
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
    /// The name as an SQL identifier in quotes.
    fileprivate var quoted: String {
        // Escapes scalars, because a quote and a combining mark after it are one `Character`.
        "\"" + unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
