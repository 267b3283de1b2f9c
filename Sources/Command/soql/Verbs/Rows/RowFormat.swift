// SPDX-License-Identifier: Apache-2.0

/// How rows are written down.
enum RowFormat: String {
    case csv, ndjson

    /// The text of CSV that empties a field, which is the one of the platform's bulk loads.
    static let null = "#N/A"
    /// More are the business of a bulk load.
    static let mostRows = 100_000
    /// The most text that is read into memory.
    static let mostBytes = 256 << 20

    /// What rows look like that nobody said more about.
    init(of text: String) {
        let first = text.utf8.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\n") }
        self = first == UInt8(ascii: "{") ? .ndjson : .csv
    }
}
