// SPDX-License-Identifier: Apache-2.0

/// One statement of a text that may have several, with its place there.
package struct Statement: Sendable, Equatable {
    /// Something that was begun and not ended.
    package struct Fault: Error, Equatable {
        /// `the quote is not closed`.
        package let message: String
        /// Where it begins, in the text that the statement was read from.
        package let line: Int, column: Int
    }

    /// What is sent: without the semicolon and the blanks around it, and with blanks in the place of comments, so that
    /// every word has the line and the column that it was written at.
    package let text: String
    /// The same with its comments.
    package let written: String
    /// Where the statement begins in the text that it was read from, counted from 1; columns in Unicode scalars.
    package let line: Int, column: Int
    /// Why it cannot be run as it is.
    package var fault: Fault?

    /// The place in the text that the statement was read from, of a place in the statement.
    package func place(line: Int, column: Int) -> (line: Int, column: Int) {
        (self.line + line - 1, line == 1 ? self.column + column - 1 : column)
    }
}
