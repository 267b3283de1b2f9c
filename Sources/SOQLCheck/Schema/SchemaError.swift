// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a schema, and where.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in one line.
    package let message: String
    /// The place in the JSON (`$.sobjects[0].fields[2]`), or the line and column where the text is none.
    package let place: String

    /// The message and its place in one line.
    package var description: String { "\(message) (at \(place))" }
}
