// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Swift source that grows line by line.
package struct SwiftText {
    package private(set) var lines: [String] = []
    private var depth = 0

    package init() {}

    /// Adds a line, indented.
    package mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Adds a line that ends with an opening brace, then what the function adds, then the closing brace.
    package mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Adds a documentation comment, wrapped, or nothing if there is no text.
    ///
    /// No text can end the comment.
    package mutating func doc(_ paragraphs: [String]) {
        for (index, paragraph) in paragraphs.lazy.flatMap(Documentation.paragraphs).enumerated() {
            if index > 0 { line("///") }
            for row in Self.wrapped(paragraph, to: 116 - 4 * depth) { line("/// " + row) }
        }
    }

    /// A line, or several when it is too long: the items of a list that stand between a head and a tail.
    package mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let single = head + items.joined(separator: ", ") + tail
        guard single.utf8.count + 4 * depth > 120, !items.isEmpty else { return line(single) }
        line(head)
        depth += 1
        var row = ""
        for (index, item) in items.enumerated() {
            let piece = index + 1 < items.count ? item + "," : item
            if !row.isEmpty, row.utf8.count + piece.utf8.count + 4 * depth >= 119 {
                line(row)
                row = ""
            }
            row += (row.isEmpty ? "" : " ") + piece
        }
        line(row)
        depth -= 1
        line(tail)
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        for word in text.split(byte: " ") {
            if !row.isEmpty, row.count + word.count + 1 > width {
                rows.append(row)
                row = ""
            }
            row += (row.isEmpty ? "" : " ") + word
        }
        return rows + [row]
    }
}

extension String {
    /// The text as a Swift literal.
    package var swiftLiteral: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.isUnseen: text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// Whether a reader of the source would not see it, or would see what follows in another order or line.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Texts of an org or a spec as documentation comments.
///
/// Labels, help texts and documentation are what somebody typed or pasted: whatever is in them stays a comment that
/// reads as it looks.
package enum Documentation {
    /// The paragraphs of a text; none for an empty one.
    package static func paragraphs(_ text: String) -> [String] {
        text.unicodeScalars.split { isBreak($0) }.map { visible(String.UnicodeScalarView($0)) }.filter { !$0.isEmpty }
    }

    /// A text as one line; another one where it is empty.
    package static func line(_ text: String, else other: String) -> String {
        let line = paragraphs(text).joined(separator: " ")
        return line.isEmpty ? other : line
    }

    /// A name in quotes of code.
    package static func code(_ name: String) -> String { "`" + line(name.without("`"), else: "?") + "`" }

    /// The words of a text, without what a reader does not see.
    private static func visible(_ text: String.UnicodeScalarView) -> String {
        String(String.UnicodeScalarView(text.map { $0.isHarmless ? $0 : " " })).split(byte: " ").joined(separator: " ")
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that turns the direction of what follows.
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
