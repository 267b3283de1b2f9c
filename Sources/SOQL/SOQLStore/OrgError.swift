// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestSQLite
package import SOQLSyntax

/// An error in Salesforce's words: a code, a message, and the fields that caused it.
///
/// A store throws it, and an org sends it with the HTTP status for the code.
package struct OrgError: Error, Sendable, Hashable {
    package let code: String
    package var message: String
    package var fields: [String] = []
    /// The possible choices, such as the records that match an external id.
    package var choices: [String] = []
    package var position: SOQLPosition?

    package init(_ code: String, _ message: String, fields: [String] = []) {
        self.code = code
        self.message = message
        self.fields = fields
    }
}

extension OrgError {
    package static let notFound = OrgError("NOT_FOUND", "The requested resource does not exist")
    package static let deleted = OrgError("ENTITY_IS_DELETED", "entity is deleted")
    package static let notInBin = OrgError("UNDELETE_FAILED", "Entity is not in the recycle bin")
    package static let storage = OrgError("STORAGE_LIMIT_EXCEEDED", "storage limit exceeded")
    package static let queryTimeout = OrgError("QUERY_TIMEOUT", "Your query request was running for too long.")

    /// The error of a query that takes too long for its thread.
    ///
    /// The caller repeats the query on another thread, unless it has written before.
    package static let outgrown = OrgError(
        "QUERY_TIMEOUT", "Your query request was running for too long next to other requests.")

    /// The error of every record in a transaction in which another record failed.
    package static let rolledBack = OrgError(
        "ALL_OR_NONE_OPERATION_ROLLED_BACK",
        "Record rolled back because not all records were valid and the request was using AllOrNone header")

    package static func parser(_ message: String) -> OrgError { OrgError("JSON_PARSER_ERROR", message) }

    package static func unknownObject(_ name: String) -> OrgError {
        OrgError("NOT_FOUND", "The requested resource does not exist: no object is named '\(name.prefix(100))'")
    }

    package static func unknownColumn(_ name: String, of object: String) -> OrgError {
        OrgError("INVALID_FIELD", "No such column '\(name.prefix(100))' on sobject of type \(object)")
    }

    package static func malformedID(_ text: String) -> OrgError {
        OrgError("MALFORMED_ID", "malformed id \(text.prefix(40))")
    }

    static func ambiguous(_ key: FieldSchema, _ ids: [String]) -> OrgError {
        var error = OrgError(
            "DUPLICATE_EXTERNAL_ID", "More than one record has this value of \(key.name)", fields: [key.name])
        error.choices = ids
        return error
    }

    package static func missingFields(_ names: [String]) -> OrgError {
        OrgError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [\(names.joined(separator: ", "))]", fields: names)
    }
}

extension OrgError {
    /// Converts a database error, without SQLite's message.
    package init(_ error: DatabaseError) {
        self =
            switch error.kind {
            case .duplicate: OrgError("DUPLICATE_VALUE", "duplicate value found")
            case .interrupted: .queryTimeout
            case .outgrown: .outgrown
            case .tooComplex, .denied: OrgError("QUERY_TOO_COMPLICATED", "The query is too complicated.")
            default: OrgError("UNKNOWN_EXCEPTION", "An unexpected error occurred in the org's database.")
            }
    }

    package static func wrapping<Result>(_ body: () throws(DatabaseError) -> Result) throws(OrgError) -> Result {
        do throws(DatabaseError) { return try body() } catch { throw OrgError(error) }
    }
}
