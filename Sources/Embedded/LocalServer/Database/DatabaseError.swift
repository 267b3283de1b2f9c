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
    /// SQLite's own message; for the org's log, never for a client.
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { "\(kind): \(message)" }
}
