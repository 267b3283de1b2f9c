// SPDX-License-Identifier: Apache-2.0

/// A whole CSV text and its rows.
public struct CSVDocument: Sendable {
    /// The names of the columns; nil if the text has none, or no row at all.
    public let header: CSVHeader?
    /// The rows, without the header.
    public let rows: CSVRows

    /// Reads a text.
    ///
    /// - Throws: `CSVError` for the first fault.
    public init(
        parsing bytes: [UInt8], _ dialect: CSVDialect = .rfc4180, options: CSVReader.Options = .init()
    ) throws(CSVError) {
        var reader = CSVReader(dialect, options: options)
        rows = try reader.finish(with: bytes)
        header = reader.header
    }

    /// Reads a text.
    ///
    /// - Throws: `CSVError` for the first fault.
    public init(
        parsing text: String, _ dialect: CSVDialect = .rfc4180, options: CSVReader.Options = .init()
    ) throws(CSVError) {
        try self.init(parsing: Array(text.utf8), dialect, options: options)
    }
}
