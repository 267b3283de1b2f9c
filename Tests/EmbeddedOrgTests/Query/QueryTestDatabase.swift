// SPDX-License-Identifier: Apache-2.0

import CSQLite
import EmbeddedOrg
import Foundation
import LocalServer
import SOQLSyntax
import Testing

/// A database in memory that answers compiled queries.
@safe
final class QueryTestDatabase {
    private let handle: OpaquePointer
    /// Thursday, 2026-01-29 15:00 UTC.
    static let now: Int64 = 1_769_698_800_000

    struct Failure: Error {
        let message: String
    }

    init() throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open(":memory:", &opened)
        unsafe handle = try #require(opened)
        guard code == SQLITE_OK else { throw failure() }
        unsafe SQLiteFunctions.register(on: handle)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 1_000)
        for sql in QueryTestSchema.tables + [QueryTestSchema.rows] { try execute(sql) }
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    private func failure() -> Failure {
        unsafe Failure(message: String(cString: sqlite3_errmsg(handle)))
    }

    func execute(_ sql: String) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    // MARK: Queries

    static func compile(
        _ soql: String, all: Bool = false, now: Int64 = now
    ) throws(QueryError) -> CompiledQuery {
        let options = QueryOptions(
            now: now, version: 66, includesDeleted: all, userID: "005000000000001AAA")
        return try QueryCompiler(schema: QueryTestSchema.schema).compile(soql, options: options)
    }

    /// The records of a query as JSON texts; those that can be paged are read both ways.
    func records(_ soql: String, all: Bool = false) throws -> [String] {
        let compiled = try Self.compile(soql, all: all)
        switch compiled.shape {
        case .count:
            var count: Int64 = -1
            try run(compiled.rows()) { count = $0.integer(0) }
            return [String(count)]
        case .groups(let shape): return try texts(compiled.rows(), shape)
        case .records(let shape):
            let direct = try texts(compiled.rows(), shape)
            #expect(try paged(compiled, shape) == direct)
            return direct
        }
    }

    private func paged(_ compiled: CompiledQuery, _ shape: RecordShape) throws -> [String] {
        var numbers: [Int64] = []
        try run(compiled.rowNumbers) { numbers.append($0.integer(0)) }
        return try stride(from: 0, to: numbers.count, by: 2).flatMap { start in
            try texts(compiled.page(of: numbers[start..<min(start + 2, numbers.count)]), shape)
        }
    }

    private func texts(_ statement: SQLStatement, _ shape: RecordShape) throws -> [String] {
        var texts: [String] = []
        try run(statement) { row in
            var bytes: [UInt8] = []
            shape.append(row, to: &bytes)
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        for text in texts { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        return texts
    }

    /// The first field of each record.
    func column(_ soql: String, all: Bool = false) throws -> [String] {
        let name = try #require(SOQLQuery(parsing: soql).columns.first?.key)
        return try records(soql, all: all).map { text in
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return object?[name].map { $0 is NSNull ? "null" : "\($0)" } ?? "?"
        }
    }

    func run(_ statement: SQLStatement, each: (Row) -> Void) throws {
        var prepared: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, statement.sql, -1, &prepared, nil) == SQLITE_OK else { throw failure() }
        defer { unsafe sqlite3_finalize(prepared) }
        #expect(unsafe Int(sqlite3_bind_parameter_count(prepared)) == statement.bindings.count)
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, value) in statement.bindings.enumerated() {
            let position = CInt(index + 1)
            switch value {
            case .null: unsafe sqlite3_bind_null(prepared, position)
            case .integer(let number): unsafe sqlite3_bind_int64(prepared, position, number)
            case .real(let number): unsafe sqlite3_bind_double(prepared, position, number)
            case .text(let text):
                unsafe sqlite3_bind_text(prepared, position, text, CInt(text.utf8.count), transient)
            case .bytes: Issue.record("no query has bytes")
            }
        }
        var code = unsafe sqlite3_step(prepared)
        while code == SQLITE_ROW {
            each(unsafe Row(statement: prepared))
            code = unsafe sqlite3_step(prepared)
        }
        guard code == SQLITE_DONE else { throw failure() }
    }

    @safe
    struct Row: QueryRow {
        fileprivate let statement: OpaquePointer?

        fileprivate init(statement: OpaquePointer?) {
            unsafe self.statement = statement
        }

        func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }
        func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(column)) }
        func real(_ column: Int) -> Double { unsafe sqlite3_column_double(statement, CInt(column)) }

        func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
            let start = unsafe sqlite3_column_text(statement, CInt(column))
            let count = unsafe Int(sqlite3_column_bytes(statement, CInt(column)))
            return body(unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).span)
        }
    }
}
