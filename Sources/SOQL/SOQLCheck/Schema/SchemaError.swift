// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a schema, and where.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in one line.
    package let message: String
    /// The place in the JSON (`$.sobjects[0].fields[2]`), or the line and column where the text is none.
    package let place: String
    /// Where in the text the reading ended, counted from 1; the beginning where only the place in the JSON is known.
    package let line: Int, column: Int

    package init(message: String, place: String, line: Int = 1, column: Int = 1) {
        (self.message, self.place, self.line, self.column) = (message, place, line, column)
    }

    /// The message and its place in one line.
    package var description: String { "\(message) (at \(place))" }
}
