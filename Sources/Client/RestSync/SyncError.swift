// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK
import RestSQLite
import SOQLStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of an offline copy.
public struct SyncError: Error, Sendable {
    /// The kind of an error.
    ///
    /// New kinds may be added, so a `switch` needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// The schema is invalid.
        public static let schema = Code(description: "schema")
        /// The query does not describe a subset.
        public static let subset = Code(description: "subset")
        /// The query or the edit is invalid for the schema.
        public static let invalid = Code(description: "invalid")
        /// The record is not in the copy.
        public static let notFound = Code(description: "not-found")
        /// The file is not a copy, or is the copy of another org or account.
        public static let foreign = Code(description: "foreign")
        /// The file does not exist.
        public static let missing = Code(description: "missing")
        /// The file belongs to another user of the machine.
        public static let notOwn = Code(description: "not-own")
        /// The copy is open elsewhere, in this or another process.
        public static let inUse = Code(description: "in-use")
        /// The copy was opened for reading.
        public static let readOnly = Code(description: "read-only")
        /// The file cannot be read or written.
        public static let store = Code(description: "store")
        /// A request failed with the error ``SyncError/rest``, and the work done before is stored.
        public static let request = Code(description: "request")
        /// The file has another key, or this SQLite cannot encrypt it.
        public static let encryption = Code(description: "encryption")
        /// The copy has changes that the org does not have.
        public static let pending = Code(description: "pending")
        /// The subscription to change events has ended, with the error ``SyncError/underlying``.
        public static let subscription = Code(description: "subscription")
        /// Another sync of the same copy is in progress.
        public static let busy = Code(description: "busy")
    }

    /// The kind of the error.
    public let code: Code
    /// The problem and what to do.
    public let message: String
    /// The underlying error.
    public let underlying: (any Error)?

    /// The error of the request that failed, or `nil` for other errors.
    public var rest: RestError? { underlying as? RestError }

    package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        (self.code, self.message, self.underlying) = (code, message, underlying)
    }

    init(_ error: RestError) { self.init(.request, error.message, underlying: error) }

    init(_ error: OrgError) {
        let code: Code =
            switch error.code {
            case "NOT_FOUND", "ENTITY_IS_DELETED": .notFound
            case "UNKNOWN_EXCEPTION", "QUERY_TIMEOUT", "STORAGE_LIMIT_EXCEEDED": .store
            default: .invalid
            }
        self.init(code, "\(error.code): \(error.message)", underlying: error)
    }

    init(_ error: DatabaseError, isEncrypted: Bool = false) {
        if error.kind == .notADatabase, isEncrypted {
            self.init(.encryption, "the file has another key, or is not encrypted; open it with its key")
            return
        }
        let code: Code = [.foreign, .changed, .notADatabase].contains(error.kind) ? .foreign : .store
        let words = error.message.isEmpty ? "the file is not an offline copy; choose another file" : error.message
        self.init(code, words, underlying: error)
    }
}

extension SyncError: LocalizedError, CustomStringConvertible {
    /// The error as text, for people and logs.
    public var description: String { "\(code): \(message)" }

    /// The description, as `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
