// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

/// A line of a query, and a caret under one of its columns.
struct Caret {
    let text: String

    /// `nil` when the query has no such place.
    ///
    /// The column counts Unicode scalars, as the platform does.
    init?(at position: APIFault.Position, in query: String) {
        let lines = query.lines
        guard position.row > 0, position.row <= lines.count else { return nil }
        let line = lines[position.row - 1]
        guard (1...line.unicodeScalars.count + 1).contains(position.column) else { return nil }
        // Tabs stay tabs, so that the caret is under its column whatever their width.
        let before = String(line.unicodeScalars.prefix(position.column - 1))
        // prose: columns of a terminal
        let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: String($0).columnWidth) }.joined()
        text = "  \(line)\n  \(indent)^"
    }
}
