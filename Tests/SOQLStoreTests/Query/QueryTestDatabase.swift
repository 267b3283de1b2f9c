// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryCorpus
import RestSQLite
import SOQLCheck
import SOQLSyntax
import Testing

@testable import SOQLStore

final class QueryTestDatabase {
    private let connection: SQLiteConnection
    /// Thursday, 2026-01-29 15:00 UTC.
    static let now: Int64 = 1_769_698_800_000

    init() throws {
        connection = try SQLiteConnection(path: ":memory:")
        try StoreTables.create(QueryTestSchema.schema, [], on: connection)
        try execute(QueryTestSchema.rows)
    }

    func execute(_ sql: String) throws { try connection.execute(sql) }

    static func compile(
        _ soql: String, all: Bool = false, now: Int64 = now
    ) throws(OrgError) -> CompiledQuery {
        let options = QueryOptions(
            now: now, version: 66, includesDeleted: all, userID: "005000000000001AAA")
        return try QueryCompiler(schema: QueryTestSchema.schema).compile(soql, options: options)
    }

    /// Returns the records of a query as JSON strings.
    ///
    /// If the query can be paged, the records of the pages must be the same.
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

    func column(_ soql: String, all: Bool = false) throws -> [String] {
        let name = try #require(SOQLQuery(parsing: soql).columns.first?.key)
        return try records(soql, all: all).map { text in
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return object?[name].map { $0 is NSNull ? "null" : "\($0)" } ?? "?"
        }
    }

    func run(_ statement: SQLStatement, each: (RowReader) -> Void) throws {
        #expect(statement.sql.count { $0 == "?" } == statement.bindings.count)
        try connection.rows(statement.sql, statement.bindings, isQuery: true, each: each)
    }
}
