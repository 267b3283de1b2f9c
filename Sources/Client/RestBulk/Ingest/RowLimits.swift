// SPDX-License-Identifier: Apache-2.0

/// What the platform takes of a row; it refuses the rest after it was sent.
struct RowLimits: Sendable {
    /// The longest field, in characters.
    static let longestField = 131_072
    /// The longest row, in characters.
    static let longestRow = 400_000

    let columns: [String]
    let dialect: CSVDialect

    /// Refuses a row beyond the limits.
    ///
    /// - Parameters:
    ///   - bytes: the row as it is sent.
    ///   - number: its number among the rows, from 1.
    /// - Throws: ``BulkError/Code/tooLarge`` with the row and the column.
    func check(_ bytes: ArraySlice<UInt8>, _ number: Int) throws(BulkError) {
        // No text has more characters than bytes.
        guard bytes.count > Self.longestField else { return }
        let found: CSVRow?
        do throws(CSVError) {
            found = try CSVDocument(parsing: Array(bytes), dialect, options: .init(hasHeader: false)).rows.first
        } catch {
            throw BulkError(error, row: number)
        }
        guard let row = found else { return }
        var sum = 0
        for column in row.indices {
            let length = row[column].utf16.count
            sum += length
            guard length <= Self.longestField else {
                throw BulkError(
                    .tooLarge, "the field has \(length) characters; the platform takes \(Self.longestField)",
                    row: number, column: column < columns.count ? columns[column] : nil)
            }
        }
        guard sum <= Self.longestRow else {
            throw BulkError(
                .tooLarge, "the row has \(sum) characters; the platform takes \(Self.longestRow)", row: number)
        }
    }
}
