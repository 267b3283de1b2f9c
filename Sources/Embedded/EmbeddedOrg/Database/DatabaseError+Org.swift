// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension OrgFault {
    /// What a database failure means to a client, without SQLite's own message.
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

extension OrgFault {
    /// Runs the body; a failure of the database becomes the client's error.
    static func wrapping<Result>(_ body: () throws(DatabaseError) -> Result) throws(OrgFault) -> Result {
        do throws(DatabaseError) { return try body() } catch { throw OrgFault(error) }
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
            case .duplicate:
                LocalOrgError(
                    code: .changedSchema,
                    message: "\(name) has records with equal values in a field that the schema calls unique; describe "
                        + "the field as not unique")
            default: LocalOrgError(code: .failed, message: "\(name) failed: \(error.message)")
            }
    }
}

extension LocalOrgConfiguration.Storage {
    var database: DatabaseStorage {
        switch self {
        case .memory: .temporary("localorg")
        case .file(let path): .file(path)
        }
    }
}
