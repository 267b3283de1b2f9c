// SPDX-License-Identifier: Apache-2.0

import RestEvents

/// The table with the copy of an object's records.
struct Replica {
    /// The error if the file has a table with other columns.
    struct Conflict: Error, CustomStringConvertible {
        let description: String
    }

    /// A change of rows.
    enum Change {
        /// Replaces whole rows, and deletes others.
        case replace([Record], deleted: [String])
        /// Changes some columns of rows.
        case update(ids: [String], values: [(field: String, value: JSONValue)])
    }

    let object: String
    /// The copied fields, of which the first is `Id`.
    let fields: [String]
    let database: Database
    let positions: Positions

    /// Opens the table in a file, and creates it if it does not exist.
    init(of object: String, fields: [String], in file: String) throws {
        (self.object, self.fields) = (object, ["Id"] + fields.filter { $0 != "Id" })
        (database, positions) = (try Database(path: file), Positions(file: file))
        let columns = self.fields.map { $0 == "Id" ? "Id TEXT PRIMARY KEY" : $0.quoted }.joined(separator: ", ")
        try database.run("CREATE TABLE IF NOT EXISTS \(object.quoted) (\(columns)) WITHOUT ROWID")
        try database.run("CREATE TEMP TABLE seen (Id TEXT PRIMARY KEY) WITHOUT ROWID")
        try positions.prepare(database)
        let found = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(object)]).map { $0[0] }
        guard found == self.fields.map(Database.Value.text) else {
            throw Conflict(description: "the file has other fields of \(object); choose another file")
        }
    }

    /// Whether the feed has a position, which it has after the first event that follows its full read.
    var hasPosition: Bool {
        get throws { try !positions.positions(of: object, in: database).isEmpty }
    }

    /// Writes a change and the position of its event in one transaction, so that they match after a crash.
    func apply(_ change: Change, at position: EventPosition) throws {
        try database.transaction {
            try write(change)
            try positions.advance(to: position, of: object, in: database)
        }
    }

    private func write(_ change: Change) throws {
        switch change {
        case .replace(let records, let deleted):
            let places = fields.map { _ in "?" }.joined(separator: ", ")
            let rows = records.map { record in fields.map { Database.Value(record[$0]) } }
            try database.run("INSERT OR REPLACE INTO \(object.quoted) VALUES (\(places))", for: rows)
            try database.run("DELETE FROM \(object.quoted) WHERE Id = ?", for: deleted.map { [.text($0)] })
        case .update(let ids, let values):
            // A record that is not in the table was deleted after this change, as a later event will say.
            guard !values.isEmpty else { return }
            let columns = values.map { "\($0.field.quoted) = ?" }.joined(separator: ", ")
            let row = values.map { Database.Value($0.value) }
            try database.run(
                "UPDATE \(object.quoted) SET \(columns) WHERE Id = ?", for: ids.map { row + [.text($0)] })
        }
    }

    // MARK: - The full read

    /// Begins a full read, during which the table keeps its rows.
    func beginCopy() throws { try database.run("DELETE FROM seen") }

    /// Writes a page of a full read.
    func copy(_ records: [Record]) throws {
        try database.transaction {
            try write(.replace(records, deleted: []))
            try database.run(
                "INSERT OR IGNORE INTO seen VALUES (?)", for: records.map { [Database.Value($0["Id"])] })
        }
    }

    /// Ends a full read: rows of records that no longer exist are deleted.
    ///
    /// - Returns: the number of records.
    func endCopy() throws -> Int {
        try database.transaction {
            try database.run("DELETE FROM \(object.quoted) WHERE Id NOT IN (SELECT Id FROM seen)")
            guard case .integer(let count)? = try database.rows("SELECT count(*) FROM seen").first?.first else {
                return 0
            }
            return Int(count)
        }
    }

    /// Removes the position, so that the next run reads all records again.
    func startOver() throws { try positions.forget(object, in: database) }
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
