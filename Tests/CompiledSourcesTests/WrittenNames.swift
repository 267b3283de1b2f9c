// SPDX-License-Identifier: Apache-2.0

/// The names of types in generated sources: those that they declare, and those that they write without a type before
/// them.
struct WrittenNames {
    private(set) var declared: Set<String> = []
    private(set) var bare: Set<String> = []

    init(_ sources: some Collection<String>) {
        for source in sources {
            var isText = false
            for line in source.split(separator: "\n") {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("\"\"\"") {
                    isText.toggle()
                } else if !isText, !trimmed.hasPrefix("//"), !trimmed.hasPrefix("#"), !trimmed.hasPrefix("@"),
                    !trimmed.contains("import ")
                {
                    read(Self.withoutLiterals(trimmed))
                }
            }
        }
    }

    private static func withoutLiterals(_ line: Substring) -> String {
        var (isLiteral, isEscaped) = (false, false)
        return line.reduce(into: "") { text, character in
            if character == "\"", !isEscaped { isLiteral.toggle() }
            isEscaped = character == "\\" && !isEscaped
            text.append(isLiteral ? "\"" : character)
        }
    }

    private static let kinds: Set = ["struct", "enum", "typealias"]

    private mutating func read(_ line: String) {
        var word = "", before: Character = " ", last = ""
        for character in line + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if Self.kinds.contains(last) {
                if !word.isEmpty { declared.insert(word) }
            } else if word.first?.isUppercase == true, before != ".", before != "`" {
                bare.insert(word)
            }
            if !word.isEmpty { last = word }
            before = character
            word = ""
        }
    }
}
