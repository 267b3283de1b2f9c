// SPDX-License-Identifier: Apache-2.0

/// Rows of a text, over its bytes: nothing is copied until a field is asked for.
public struct CSVRows: RandomAccessCollection, Sendable {
    private let batch: CSVBatch
    private let range: Range<Int>

    /// No rows.
    public init() { self.init(.empty) }

    init(_ batch: CSVBatch, _ range: Range<Int>? = nil) {
        self.batch = batch
        self.range = range ?? 0..<batch.table.rows.count
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { range.count }

    /// A row by its position in this collection.
    public subscript(position: Int) -> CSVRow {
        precondition(position >= 0 && position < range.count, "no such row")
        return CSVRow(batch: batch, index: range.lowerBound &+ position)
    }
}
