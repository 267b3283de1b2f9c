// SPDX-License-Identifier: Apache-2.0

/// What a reader accepts before it gives up: bounds on the memory that one row may take.
public struct CSVLimits: Sendable, Hashable {
    /// The longest field in bytes, its quotes included.
    public var maximumFieldBytes: Int
    /// The longest row in bytes, without its line ending.
    public var maximumRowBytes: Int
    /// The most fields of a row.
    public var maximumColumns: Int

    /// 16 MiB for a field, 64 MiB for a row, 16,384 columns.
    public static let `default` = CSVLimits()

    /// Makes limits; each is at least 1.
    public init(
        maximumFieldBytes: Int = 16 << 20, maximumRowBytes: Int = 64 << 20, maximumColumns: Int = 16_384
    ) {
        self.maximumFieldBytes = max(1, maximumFieldBytes)
        self.maximumRowBytes = max(1, maximumRowBytes)
        self.maximumColumns = max(1, maximumColumns)
    }
}
