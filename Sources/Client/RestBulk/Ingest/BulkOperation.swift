// SPDX-License-Identifier: Apache-2.0

import RestBase

/// What becomes of the records of a load.
public enum BulkOperation: Sendable, Hashable {
    /// They are created.
    case insert
    /// They are changed; each row has the column `Id`.
    case update
    /// They are changed where a record has the value of an external id field, and created where none has.
    case upsert(externalID: String)
    /// They go to the recycle bin; the rows have the column `Id` alone.
    case delete
    /// They are gone for good, where the user may do that; the rows have the column `Id` alone.
    case hardDelete

    /// The platform's word for it.
    var name: String {
        switch self {
        case .insert: "insert"
        case .update: "update"
        case .upsert: "upsert"
        case .delete: "delete"
        case .hardDelete: "hardDelete"
        }
    }

    var externalID: String? { if case .upsert(let field) = self { field } else { nil } }
}

/// What a load is to do.
struct LoadTarget: Sendable {
    let operation: BulkOperation
    let object: String

    /// The longest header, in characters.
    static let longestHeader = 32_000
    /// The most columns.
    static let mostColumns = 5_000

    /// Refuses names of columns with which the org would refuse all rows.
    func check(_ columns: [String]) throws(BulkError) {
        guard columns.count <= Self.mostColumns else {
            throw BulkError(.tooLarge, "there are \(columns.count) columns; the platform takes \(Self.mostColumns)")
        }
        guard columns.reduce(columns.count, { $0 + $1.utf16.count }) <= Self.longestHeader else {
            throw BulkError(.tooLarge, "the names of the columns have more than \(Self.longestHeader) characters")
        }
        var seen: Set<String> = []
        for name in columns {
            guard !name.isBlank else { throw refusal("a column has no name", name) }
            guard seen.insert(name.lowercased()).inserted else { throw refusal("a column stands twice", name) }
        }
        switch operation {
        case .insert: break
        case .update: try require("Id", seen)
        case .upsert(let field): try require(field, seen)
        case .delete, .hardDelete:
            try require("Id", seen)
            if let other = columns.first(where: { $0.lowercased() != "id" }) {
                throw refusal("a record is deleted by its id alone", other)
            }
        }
    }

    private func require(_ name: String, _ columns: Set<String>) throws(BulkError) {
        guard columns.contains(name.lowercased()) else { throw refusal("the column is missing", name) }
    }

    private func refusal(_ what: String, _ column: String) -> BulkError { BulkError(.row, what, column: column) }
}
