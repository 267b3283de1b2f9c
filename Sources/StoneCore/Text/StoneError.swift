// SPDX-License-Identifier: Apache-2.0

/// What is wrong in specs, all of it.
package struct StoneError: Error, Sendable, CustomStringConvertible {
    /// The faults in the order of the files, then of the places in them; never empty.
    package let diagnostics: [StoneDiagnostic]

    /// Every fault with its line and a caret, parted by line feeds.
    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// A fault at a place of a spec.
package struct StoneDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file, as it was given.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column in characters (Unicode scalars), from 1.
    package let column: Int
    /// What is wrong, and what to do.
    package let message: String
    /// The line's text; of a long line only what is near the fault.
    package let lineText: String
    /// How many characters of `lineText` stand before the fault.
    package let caretOffset: Int

    /// `file:line:column: error: message`, then the line, then a caret under the fault.
    package var description: String {
        let margin = String(lineText.unicodeScalars.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " })
        return "\(file):\(line):\(column): error: \(message)\n\(lineText)\n\(margin)^"
    }
}
