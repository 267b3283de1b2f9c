// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Runs the statements of compiled queries on a connection, under the authorizer and the time limit.
struct QueryReader {
    let connection: SQLiteConnection
    let timeLimit: Duration

    /// Rows printed as JSON objects with commas between them.
    func records(
        _ statement: SQLStatement, _ shape: RecordShape, each: (RowReader) -> Void = { _ in }
    ) throws(OrgFault) -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 << 10)  // a page of 2,000 records; untouched memory costs nothing
        var count = 0
        try run(statement) { row in
            if count > 0 { bytes.append(UInt8(ascii: ",")) }
            shape.append(row, to: &bytes)
            each(row)
            count += 1
        }
        return (bytes, count)
    }

    func count(_ query: CompiledQuery) throws(OrgFault) -> Int {
        var count = 0
        try run(query.rows()) { count = Int(clamping: $0.integer(0)) }
        return count
    }

    func rowNumbers(_ query: CompiledQuery) throws(OrgFault) -> [Int64] {
        var numbers: [Int64] = []
        try run(query.rowNumbers) { numbers.append($0.integer(0)) }
        return numbers
    }

    /// Hands out the rows of a statement one by one.
    func run(_ statement: SQLStatement, _ each: (RowReader) -> Void) throws(OrgFault) {
        do throws(DatabaseError) {
            try connection.rows(statement.sql, statement.bindings, isQuery: true, limit: timeLimit, each: each)
        } catch {
            throw OrgFault(error)
        }
    }
}

extension RowReader: QueryRow {}

extension OrgFault {
    /// A query's refusal in the platform's words.
    init(_ error: QueryError) {
        self.init(400, error.code.rawValue, error.message)
    }
}
