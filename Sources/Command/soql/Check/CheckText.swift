// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLCheck

/// Findings for people: a line as compilers write it, and the line of the file with what is wrong marked.
enum CheckText {
    static func report(_ files: [CheckedFile]) -> String {
        files.map { file in
            let lines = file.lines
            return file.places.map { text(of: $0, in: file.name, lines) }.joined()
        }.joined()
    }

    private static func text(of place: CheckedFile.Place, in name: String, _ file: [String]) -> String {
        let finding = place.finding
        let head = "\(name):\(place.line):\(place.column): \(finding.severity.rawValue): \(finding.message)"
        var lines = ["\(head) [\(finding.rule.rawValue)]".singleLine]
        if file.indices.contains(place.line - 1),
            let mark = mark(file[place.line - 1], place.column, length: finding.length)
        {
            lines.append(mark)
        }
        if let question = place.question { lines.append("  " + question.singleLine) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How much of a long line is shown on each side of a column.
    private static let context = 120

    /// A line, cut where it is long, with what begins at a column underlined.
    private static func mark(_ line: String, _ column: Int, length: Int) -> String? {
        let scalars = line.unicodeScalars
        let start = Swift.max(0, column - 1 - context)
        let piece = String(scalars.dropFirst(start).prefix(2 * context))
        let rest = Swift.max(0, piece.unicodeScalars.count - (column - 1 - start))
        guard let caret = Caret(at: APIFault.Position(row: 1, column: column - start), in: piece) else { return nil }
        return caret.text + String(repeating: "~", count: Swift.max(0, Swift.min(length, rest) - 1))
    }
}
