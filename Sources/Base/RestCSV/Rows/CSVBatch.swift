// SPDX-License-Identifier: Apache-2.0

/// What the rows of one piece share; it lives as long as one of them.
final class CSVBatch: Sendable {
    let table: CSVTable
    let header: CSVHeader?
    let dialect: CSVDialect
    /// The text of a null field in bytes.
    let null: [UInt8]?
    /// The place in the text where the bytes begin.
    let place: CSVPlace

    static let empty = CSVBatch(
        CSVTable(bytes: [], ends: [], rows: [], fieldCount: 0), header: nil, place: CSVPlace(), dialect: .rfc4180)

    init(_ table: CSVTable, header: CSVHeader?, place: CSVPlace, dialect: CSVDialect) {
        (self.table, self.header, self.place, self.dialect) = (table, header, place, dialect)
        null = dialect.null.map { Array($0.utf8) }
    }
}
