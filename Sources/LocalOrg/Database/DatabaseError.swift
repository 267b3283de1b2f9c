// SPDX-License-Identifier: Apache-2.0

/// What SQLite refused.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds that are answered differently.
    package enum Kind: Sendable, Hashable {
        /// The file is something else.
        case notADatabase
        /// The file is a database of another program or of another version.
        case foreign
        /// The file cannot be opened or written.
        case cannotOpen
        /// A unique column holds the value already.
        case duplicate
        /// The progress handler stopped a statement that ran too long.
        case interrupted
        /// A query used up the processor time that it may take where it ran.
        case outgrown
        /// The authorizer denied what a query wanted to touch.
        case denied
        /// The statement is larger or deeper than the limits allow.
        case tooComplex
        case other
    }

    package let kind: Kind
    /// SQLite's own words; for the org's log, never for a client.
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { "\(kind): \(message)" }
}

extension OrgFault {
    /// What a database failure means to a client; SQLite's own words stay inside.
    init(_ error: DatabaseError) {
        self =
            switch error.kind {
            case .duplicate: OrgFault(400, "DUPLICATE_VALUE", "duplicate value found")
            case .interrupted: .queryTimeout
            case .outgrown: .outgrown
            case .tooComplex, .denied: OrgFault(400, "QUERY_TOO_COMPLICATED", "The query is too complicated.")
            default: OrgFault(503, "UNKNOWN_EXCEPTION", "An unexpected error occurred in the org's database.")
            }
    }
}

extension LocalOrgError {
    init(_ error: DatabaseError, storage: LocalOrgConfiguration.Storage) {
        let name = if case .file(let path) = storage { "'\(path)'" } else { "the database in memory" }
        self =
            switch error.kind {
            case .notADatabase: LocalOrgError(code: .notADatabase, message: "\(name) is not a database")
            case .foreign:
                LocalOrgError(code: .foreignDatabase, message: "\(name) is a database of another program or version")
            case .cannotOpen:
                LocalOrgError(code: .cannotOpen, message: "\(name) cannot be opened or written: \(error.message)")
            default: LocalOrgError(code: .failed, message: "\(name) failed: \(error.message)")
            }
    }
}
