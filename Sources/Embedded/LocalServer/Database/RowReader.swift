// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The current row of a running statement; columns count from 0 and one past the end reads as null.
package struct RowReader {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// What SQLite keeps in a column.
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

    /// The text of a column, empty when it is null.
    package func text(_ column: Int) -> String {
        statement.withText(column) { bytes in
            // The buffer is only read, and not kept.
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The bytes of a column that keeps bytes, empty when it is null.
    package func bytes(_ column: Int) -> [UInt8] { statement.bytes(column) }

    /// Lends the UTF-8 bytes of a text column without a copy.
    package func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        statement.withText(column, body)
    }

    /// The column as a value.
    package func value(_ column: Int) -> SQLValue {
        switch kind(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(text(column))
        }
    }
}
