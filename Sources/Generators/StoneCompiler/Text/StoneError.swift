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
    ///
    /// Control characters are replaced, so that no spec steers the terminal of whoever reads this.
    package var description: String {
        let margin = String(lineText.unicodeScalars.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " })
        let lines = ["\(file):\(line):\(column): error: \(message)", lineText, margin + "^"]
        return lines.map(Self.visible).joined(separator: "\n")
    }

    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0.unicodeScalars.append(isControl($1) ? "\u{FFFD}" : $1) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\t"
    }
}
