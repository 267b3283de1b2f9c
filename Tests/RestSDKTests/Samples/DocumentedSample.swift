// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One ```` ```swift ```` block of a document, or the region of a test that must equal it.
///
/// `.ci/user-package` compiles every block; the regions are those that the tests also run.
///
/// A region stands in a source file of this folder between `// sample: README.md 1` (the document, and which of its
/// blocks) and `// end`, indented as its surroundings need it.
struct DocumentedSample: Hashable, CustomStringConvertible {
    /// The document's path and the number of the block in it, from 1.
    let place: String
    /// The text without indentation, without leading imports and blank lines around.
    let lines: [String]
    /// The modules that the block imports.
    let imports: [String]

    var description: String { place }

    private init(place: String, lines: [String], indent: Int) {
        self.place = place
        let dedented = lines.map { String($0.dropFirst(min(indent, $0.prefix { $0 == " " }.count))) }
        let head = dedented.prefix { $0.hasPrefix("import ") || $0.isEmpty }
        imports = head.filter { !$0.isEmpty }
        self.lines = dedented.dropFirst(head.count).reversed().drop(while: \.isEmpty).reversed()
    }

    /// The blocks of a document.
    static func blocks(of document: String, in text: String) -> [DocumentedSample] {
        parts(of: text, from: { $0 == "```swift" }, to: "```").enumerated().map { position, part in
            DocumentedSample(place: "\(document) \(position + 1)", lines: part.lines, indent: 0)
        }
    }

    /// The regions of a source file.
    static func regions(in text: String) -> [DocumentedSample] {
        let marker = "// sample: "
        return parts(of: text, from: { $0.hasPrefix(marker) }, to: "// end").map { part in
            DocumentedSample(
                place: String(part.opening.dropFirst(marker.count)), lines: part.lines, indent: part.indent)
        }
    }

    private static func parts(
        of text: String, from isOpening: (String) -> Bool, to closing: String
    ) -> [(opening: String, indent: Int, lines: [String])] {
        var parts: [(opening: String, indent: Int, lines: [String])] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if isOpen, trimmed == closing {
                isOpen = false
            } else if isOpen {
                parts[parts.count - 1].lines.append(line)
            } else if isOpening(trimmed) {
                parts.append((trimmed, line.prefix { $0 == " " }.count, []))
                isOpen = true
            }
        }
        return parts
    }
}
