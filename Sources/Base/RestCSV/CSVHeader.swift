// SPDX-License-Identifier: Apache-2.0

/// The names of the columns, in their order; no name stands twice.
///
/// A field of a related record has the way to it as its name, such as `Owner.Name`.
public struct CSVHeader: Sendable, Hashable {
    /// The names.
    public let names: [String]
    private let positions: [String: Int]

    /// Makes a header.
    ///
    /// - Throws: `CSVError` for a name that stands twice.
    public init(_ names: [String]) throws(CSVError) {
        var positions: [String: Int] = [:]
        for (column, name) in names.enumerated() where positions.updateValue(column, forKey: name) != nil {
            throw CSVError(
                reason: .duplicateColumn, row: 1, column: column + 1, name: name, expected: "every name once")
        }
        (self.names, self.positions) = (names, positions)
    }

    /// The position of a column from 0, or nil for a name that the header does not have.
    public subscript(name: String) -> Int? { positions[name] }

    /// Refuses names other than these.
    func check(allowed: [String]?) throws(CSVError) {
        guard let allowed = allowed.map(Set.init) else { return }
        for (column, name) in names.enumerated() where !allowed.contains(name) {
            throw CSVError(
                reason: .unknownColumn, row: 1, column: column + 1, name: name,
                expected: "one of the \(allowed.count) columns that were asked for")
        }
    }

    /// The columns of a related record, such as `Owner.Name` and `Owner.Manager.Name` to `Owner.`.
    func columns(below prefix: String) -> [Int] {
        names.indices.filter { names[$0].utf8.starts(with: prefix.utf8) }
    }
}
