// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Swift source code that is built line by line.
package struct SwiftText {
    package private(set) var lines: [String] = []
    private var depth = 0

    package init() {}

    package mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Adds a line that ends with an opening brace, the lines that the body adds, and the closing brace.
    package mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Adds a wrapped documentation comment, or nothing if there is no text.
    ///
    /// No text can end the comment.
    package mutating func doc(_ paragraphs: [String]) {
        for (index, paragraph) in paragraphs.lazy.flatMap(Documentation.paragraphs).enumerated() {
            if index > 0 { line("///") }
            for row in Self.wrapped(paragraph, to: 116 - 4 * depth) { line("/// " + row) }
        }
    }

    /// Adds a list between `head` and `tail` in one line, or in several lines if it is too long.
    package mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let single = head + items.joined(separator: ", ") + tail
        guard single.utf8.count + 4 * depth > 120, !items.isEmpty else { return line(single) }
        line(head)
        depth += 1
        var row = ""
        for (index, item) in items.enumerated() {
            let chunk = index + 1 < items.count ? item + "," : item
            if !row.isEmpty, row.utf8.count + chunk.utf8.count + 4 * depth >= 119 {
                line(row)
                row = ""
            }
            row += (row.isEmpty ? "" : " ") + chunk
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
    /// Whether the character is invisible in source code, or affects the order or line of the next characters.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Converts text of an org or a spec to documentation comments.
///
/// Labels, help texts and documentation are user input, which always stays in the comment and is visible.
package enum Documentation {
    /// Returns the paragraphs of a text, without empty paragraphs.
    package static func paragraphs(_ text: String) -> [String] {
        text.unicodeScalars.split { isBreak($0) }.map { visible(String.UnicodeScalarView($0)) }.filter { !$0.isEmpty }
    }

    /// Returns a text in one line, or `other` if the line is empty.
    package static func line(_ text: String, else other: String) -> String {
        let line = paragraphs(text).joined(separator: " ")
        return line.isEmpty ? other : line
    }

    package static func code(_ name: String) -> String { "`" + line(name.without("`"), else: "?") + "`" }

    /// Returns the words of a text, without invisible characters.
    private static func visible(_ text: String.UnicodeScalarView) -> String {
        String(String.UnicodeScalarView(text.map { $0.isHarmless ? $0 : " " })).split(byte: " ").joined(separator: " ")
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}

extension Unicode.Scalar {
    /// Whether the character is neither a control character nor affects the text direction.
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

/// The rules for identifiers in generated code.
package enum SwiftIdentifiers {
    /// Returns the name, with backquotes if it is a keyword.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns the name as an argument label in a call, where only one keyword needs backquotes.
    package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    package static func parameter(_ name: String) -> String {
        ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
    }

    /// Returns a distinct name for each key: reserved names get an ending, and duplicates get `_2` and so on.
    ///
    /// - Parameters:
    ///   - names: the keys with the wanted names, in order of priority.
    ///   - reserved: the names that cannot be used.
    ///   - end: the ending for a reserved name.
    ///   - ignoringCase: whether names that differ only in case are equal, as in file names.
    /// - Returns: the names by their keys.
    package static func distinct<Key: Hashable>(
        _ names: [(Key, String)], reserved: Set<String>, end: String = "_", ignoringCase: Bool = false
    ) -> [Key: String] {
        func folded(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        var result: [Key: String] = [:]
        for (key, name) in names {
            var wanted = name
            // An underscore is not a name.
            while reserved.contains(wanted) || wanted == "_" { wanted += end }
            var free = wanted
            while !taken.insert(folded(free)).inserted {
                let number = numbers[folded(wanted), default: 2]
                free = "\(wanted)_\(number)"
                numbers[folded(wanted)] = number + 1
            }
            result[key] = free
        }
        return result
    }

    /// The keywords that need backquotes as names of members and parameters.
    private static let keywords: Set = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

/// The words of a name, and the name in Swift's spelling.
package struct SwiftWords {
    package let words: [String]

    /// The words that are written in capitals unless they are the first word of a lower-case name.
    private static let initialisms: Set = [
        "api", "csv", "gps", "html", "http", "https", "id", "ids", "ip", "json", "pdf", "sms", "sso", "uri", "uris",
        "url", "urls", "xml",
    ]

    /// Splits a name at separators, and before capitals that do not follow a capital or that precede a small letter.
    package init(_ name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            let part = character.namePart
            let isSeparator = part.isEmpty
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let previous = index > 0 ? characters[index - 1] : nil
            let begins =
                character.isUppercase
                && ((previous.map { !$0.isUppercase } ?? false) || (next.map { $0.isLowercase } ?? false))
            if (isSeparator || begins) && !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            word += part
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        self.words = words
    }

    /// The name as a type, such as `ListFolderArg`.
    package var upper: String { guarded(words.map(Self.capitalized).joined()) }

    /// The name as a member, such as `sharedFolderID`.
    package var lower: String {
        guard let first = words.first else { return "_" }
        return guarded(first + words.dropFirst().map(Self.capitalized).joined())
    }

    /// Adds an underscore if the name begins with a digit or a combining mark.
    private func guarded(_ name: String) -> String {
        guard let first = name.first, !first.isNumber, first.unicodeScalars.first?.isNameHead == true else {
            return "_\(name)"
        }
        return name
    }

    private static func capitalized(_ word: String) -> String {
        if initialisms.contains(word) {
            return word.hasBytes(suffix: "s") && word != "https" && word != "sms"
                ? word.dropLast().uppercased() + "s" : word.uppercased()
        }
        return word.prefix(1).uppercased() + word.dropFirst()
    }
}

// prose: names that people read
extension Character {
    /// The part of a character that is allowed in a Swift name, or an empty string for a separator.
    ///
    /// Letters and digits with their marks are allowed. Invisible scalars are omitted, so that names differ visibly.
    var namePart: String {
        guard isLetter || isNumber else { return "" }
        return String(String.UnicodeScalarView(unicodeScalars.filter(\.isNamePart)))
    }
}

extension Unicode.Scalar {
    /// Whether a name can begin with the scalar (`identifier-head` in the grammar of Swift).
    var isNameHead: Bool { Self.heads.contains { $0.contains(value) } }

    fileprivate var isNamePart: Bool {
        guard !properties.isDefaultIgnorableCodePoint, properties.generalCategory != .unassigned else { return false }
        return isNameHead || Self.parts.contains { $0.contains(value) }
    }

    private static let parts: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    private static let heads: [ClosedRange<UInt32>] = [
        0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xAA...0xAA, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6,
        0xD8...0xF6, 0xF8...0x2FF, 0x370...0x167F, 0x1681...0x180D, 0x180F...0x1DBF, 0x1E00...0x1FFF,
        0x203F...0x2040, 0x2054...0x2054, 0x2070...0x20CF, 0x2100...0x218F, 0x2460...0x24FF, 0x2776...0x2793,
        0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0x303F, 0x3040...0xD7FF,
        0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE1F, 0xFE30...0xFE44, 0xFE47...0xFFFD, 0x10000...0x1FFFD,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
