// SPDX-License-Identifier: Apache-2.0

import SystemSQLite

/// An SQLite file.
final class Database {
    /// The error message of a failed statement.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A value in a column of a row.
    enum Value: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    private let connection: OpaquePointer?

    /// Opens or creates a file in a mode in which readers never wait and commits survive a loss of power.
    init(path: String) throws(Failure) {
        var connection: OpaquePointer?
        let status = sqlite3_open(path, &connection)
        self.connection = connection
        guard status == SQLITE_OK else { throw failure("'\(path)'") }
        sqlite3_busy_timeout(connection, 10_000)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs the work in a transaction, which is rolled back if the work throws.
    func transaction<Result>(_ work: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try work()
            try run("COMMIT")
            return result
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement once for each list of values.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ statement: String, for lists: [[Value]] = [[]]) throws(Failure) -> Int {
        let before = sqlite3_total_changes64(connection)
        _ = try results(of: statement, for: lists)
        return Int(sqlite3_total_changes64(connection) - before)
    }

    /// Returns the rows of a query.
    func rows(_ statement: String, _ values: [Value] = []) throws(Failure) -> [[Value]] {
        try results(of: statement, for: [values])
    }

    private func results(of text: String, for lists: [[Value]]) throws(Failure) -> [[Value]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else { throw failure(text) }
        defer { sqlite3_finalize(statement) }
        var rows: [[Value]] = []
        for values in lists {
            for (index, value) in values.enumerated() { value.bind(to: statement, at: Int32(index + 1)) }
            var status = sqlite3_step(statement)
            while status == SQLITE_ROW {
                rows.append((0..<sqlite3_column_count(statement)).map { Value(of: statement, at: $0) })
                status = sqlite3_step(statement)
            }
            guard status == SQLITE_DONE else { throw failure(text) }
            sqlite3_reset(statement)
        }
        return rows
    }

    private func failure(_ what: String) -> Failure {
        Failure(description: "\(String(cString: sqlite3_errmsg(connection))): \(what)")
    }
}

extension Database.Value {
    /// Makes SQLite copy a string before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate func bind(to statement: OpaquePointer?, at index: Int32) {
        switch self {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, Self.copied)
        }
    }

    fileprivate init(of statement: OpaquePointer?, at column: Int32) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_NULL: self = .null
        default: self = sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        }
    }
}
