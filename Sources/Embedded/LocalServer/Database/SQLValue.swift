// SPDX-License-Identifier: Apache-2.0

/// A value bound to a parameter of an SQL statement, or kept in a column.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}
