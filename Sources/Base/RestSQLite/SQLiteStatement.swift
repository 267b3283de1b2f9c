// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A prepared statement, which is finalized with its last reference and used only under the connection's lock.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds the parameters in order, or returns `false` if there are too many or one is too large.
    func bind(_ parameters: [SQLValue]) -> Bool {
        for (index, value) in parameters.enumerated() {
            guard bind(value, at: CInt(truncatingIfNeeded: index &+ 1)) else { return false }
        }
        return true
    }

    func bind(_ value: SQLValue, at index: CInt) -> Bool {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index) == SQLITE_OK
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number) == SQLITE_OK
        case .real(let number): return unsafe sqlite3_bind_double(handle, index, number) == SQLITE_OK
        case .bytes(let bytes):
            guard let length = CInt(exactly: bytes.count) else { return false }
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, length) == SQLITE_OK
            }
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let length = CInt(exactly: bytes.count) else { return false }
                guard let start = bytes.baseAddress else {
                    return unsafe csqlite_bind_text(handle, index, "", 0) == SQLITE_OK
                }
                return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                    unsafe csqlite_bind_text(handle, index, start, length) == SQLITE_OK
                }
            }
        }
    }

    /// Binds text that is not copied, because there is no destructor (`SQLITE_STATIC`), and outlives the binding.
    func bind(borrowing text: Span<UInt8>, at index: CInt) -> Bool {
        guard let length = CInt(exactly: text.count), length > 0 else { return false }
        return unsafe text.withUnsafeBytes { bytes in
            unsafe sqlite3_bind_text(
                handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length, nil) == SQLITE_OK
        }
    }

    /// The memory of the statement, without its SQL.
    var size: Int { Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_MEMUSED, 0)) }

    func step() -> CInt { unsafe sqlite3_step(handle) }

    /// Ends the execution, and keeps the bindings.
    func rewind() { unsafe sqlite3_reset(handle) }

    /// Ends the execution, to release its locks, and clears the bindings.
    func reset() {
        rewind()
        unsafe sqlite3_clear_bindings(handle)
    }

    var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }
    func type(_ column: Int) -> CInt { unsafe sqlite3_column_type(handle, CInt(truncatingIfNeeded: column)) }
    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, CInt(truncatingIfNeeded: column)) }
    func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, CInt(truncatingIfNeeded: column)) }

    func bytes(_ column: Int) -> [UInt8] {
        let column = CInt(truncatingIfNeeded: column)
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// Lends the bytes of a text column, which are valid until the next step.
    func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let column = CInt(truncatingIfNeeded: column)
        let start = unsafe sqlite3_column_text(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let bytes = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        return body(unsafe bytes.span)
    }
}

/// A prepared statement that writes many rows, inside a transaction.
///
/// Bound values stay from row to row.
package struct RowWriter {
    private let statement: SQLiteStatement
    private let connection: SQLiteConnection

    package init(_ sql: String, on connection: SQLiteConnection) throws(DatabaseError) {
        (statement, self.connection) = (try connection.statement(sql), connection)
        statement.reset()
    }

    /// Binds a parameter, counted from 1.
    ///
    /// A value that is too large makes ``run()`` throw, because the parameter is not bound.
    package func bind(_ value: SQLValue, at index: Int) throws(DatabaseError) {
        guard statement.bind(value, at: CInt(truncatingIfNeeded: index)) else { throw connection.error(SQLITE_RANGE) }
    }

    /// Binds text in UTF-8 without copying it, so the text must outlive the call of ``clear()``.
    package func bind(borrowing text: Span<UInt8>, at index: Int) throws(DatabaseError) {
        guard statement.bind(borrowing: text, at: CInt(truncatingIfNeeded: index)) else {
            throw connection.error(SQLITE_RANGE)
        }
    }

    /// Writes a row, and returns whether the statement has changed one.
    package func run() throws(DatabaseError) -> Bool {
        defer { statement.rewind() }
        while try connection.advance(statement) {}
        return connection.changes > 0
    }

    /// Clears the values.
    package func clear() { statement.reset() }
}

/// The current row of a running statement, with columns from 0 and null past the end.
package struct RowReader {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// The type of a column's value.
    package enum Kind: Sendable, Hashable {
        case null, integer, real, text
    }

    package var columnCount: Int { statement.columnCount }

    package func kind(_ column: Int) -> Kind {
        switch statement.type(column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_NULL: .null
        default: .text
        }
    }

    package func isNull(_ column: Int) -> Bool { kind(column) == .null }
    package func integer(_ column: Int) -> Int64 { statement.integer(column) }
    package func real(_ column: Int) -> Double { statement.real(column) }

    package func text(_ column: Int) -> String {
        statement.withText(column) { bytes in
            // The buffer is only read, and not stored.
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The bytes of a blob column, or an empty array for null.
    package func bytes(_ column: Int) -> [UInt8] { statement.bytes(column) }

    /// Lends the UTF-8 bytes of a text column without a copy.
    package func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        statement.withText(column, body)
    }

    package func value(_ column: Int) -> SQLValue {
        switch kind(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(text(column))
        }
    }
}

/// A value that is bound to a parameter of a statement, or read from a column.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}
