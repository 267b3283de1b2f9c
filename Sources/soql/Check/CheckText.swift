// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLCheck

/// Findings for people: a line as compilers write it, and the line of the file with what is wrong marked.
enum CheckText {
    static func report(_ files: [CheckedFile]) -> String {
        files.map { file in file.places.map { text(of: $0, in: file) }.joined() }.joined()
    }

    private static func text(of place: CheckedFile.Place, in file: CheckedFile) -> String {
        let finding = place.finding
        let head = "\(file.name):\(place.line):\(place.column): \(finding.severity.rawValue): \(finding.message)"
        var lines = ["\(head) [\(finding.rule.rawValue)]".singleLine]
        if let caret = Caret(at: APIFault.Position(row: place.line, column: place.column), in: file.text) {
            lines.append(caret.text + String(repeating: "~", count: Swift.max(0, Swift.min(finding.length, 200) - 1)))
        }
        if let question = place.question { lines.append("  " + question.singleLine) }
        return lines.joined(separator: "\n") + "\n"
    }
}
