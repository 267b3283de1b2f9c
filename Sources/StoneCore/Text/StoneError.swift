// SPDX-License-Identifier: Apache-2.0

/// What is wrong in specs, all of it.
package struct StoneError: Error, Sendable {
    /// The faults in the order of the files, then of the places in them; never empty.
    package let diagnostics: [StoneDiagnostic]
}

/// A fault at a place of a spec.
package struct StoneDiagnostic: Hashable, Sendable {
    /// The path of the file, as it was given.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
    /// What is wrong, and what to do.
    package let message: String
    /// The line's text, for a print with a caret under the column.
    package let lineText: String
}
