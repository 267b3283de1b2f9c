// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// Runs the statements of compiled queries on a connection, with the authorizer and a time limit.
package struct QueryReader {
    package let connection: SQLiteConnection
    package let timeLimit: Duration

    package init(connection: SQLiteConnection, timeLimit: Duration) {
        self.connection = connection
        self.timeLimit = timeLimit
    }

    /// Returns the rows as JSON objects, separated by commas, with their count.
    package func records(
        _ statement: SQLStatement, _ shape: RecordShape, each: (RowReader) -> Void = { _ in }
    ) throws(OrgError) -> (bytes: [UInt8], count: Int) {
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

    /// Returns the whole result: the records separated by commas, and their count or the counted number.
    package func result(of query: CompiledQuery) throws(OrgError) -> (bytes: [UInt8], count: Int) {
        switch query.shape {
        case .count:
            var count = 0
            try run(query.rows()) { count = Int(clamping: $0.integer(0)) }
            return ([], count)
        case .groups(let shape):
            let groups = try records(query.rows(limit: CompiledQuery.maximumGroups + 1), shape)
            guard groups.count <= CompiledQuery.maximumGroups else { throw .tooManyGroups }
            return groups
        case .records(let shape): return try records(query.rows(), shape)
        }
    }

    package func rowNumbers(_ query: CompiledQuery) throws(OrgError) -> RowNumbers {
        var (numbers, isComplete) = (RowNumbers(), true)
        try run(query.rowNumbers) { isComplete = isComplete && numbers.append($0.integer(0)) }
        guard isComplete else { throw .tooManyRows }
        return numbers
    }

    package func run(_ statement: SQLStatement, _ each: (RowReader) -> Void) throws(OrgError) {
        try OrgError.wrapping { () throws(DatabaseError) in
            try connection.rows(statement.sql, statement.bindings, isQuery: true, limit: timeLimit, each: each)
        }
    }
}

extension RecordStore {
    /// Runs a query and returns all its records, in the format of an API version.
    ///
    /// - Returns: the number of records or the counted number, and the records as a JSON array.
    /// - Throws: `OrgError` for an invalid query, or for one that exceeds the time limit.
    package func query(
        _ text: String, version: Int, includesDeleted: Bool = false, timeLimit: Duration = .seconds(120)
    ) throws(OrgError) -> (total: Int, records: [UInt8]) {
        let options = QueryOptions(now: now(), version: version, includesDeleted: includesDeleted, userID: userID)
        let query = try QueryCompiler(schema: schema).compile(text, options: options)
        let result = try database.read { (connection) throws(OrgError) in
            try QueryReader(connection: connection, timeLimit: timeLimit).result(of: query)
        }
        return (result.count, Array("[".utf8) + result.bytes + Array("]".utf8))
    }
}
