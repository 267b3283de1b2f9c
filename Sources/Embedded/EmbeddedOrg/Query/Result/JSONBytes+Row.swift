// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

extension Array where Element == UInt8 {
    /// Appends a column as the JSON value of a field, straight from the database's bytes.
    mutating func appendJSON(_ row: RowReader, _ column: Int, type: FieldType) {
        switch row.kind(column) {
        case .null: append(contentsOf: "null".utf8)
        case .integer where type == .boolean: append(contentsOf: (row.integer(column) == 0 ? "false" : "true").utf8)
        case .integer: appendInteger(row.integer(column))
        case .real: appendNumber(row.real(column))
        case .text where type.isCompound: row.withText(column) { appendBytes($0) }
        case .text: row.withText(column) { appendQuoted($0) }
        }
    }
}
