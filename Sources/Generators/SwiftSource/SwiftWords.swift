// SPDX-License-Identifier: Apache-2.0

import RestText

/// A name, cut into words, and put together as Swift spells names.
package struct SwiftWords {
    /// The words in lower case.
    package let words: [String]

    /// Words that are written in capitals wherever they do not stand first in a lower-case name.
    private static let initialisms: Set = [
        "api", "csv", "gps", "html", "http", "https", "id", "ids", "ip", "json", "pdf", "sms", "sso", "uri", "uris",
        "url", "urls", "xml",
    ]

    /// Cuts a name at its separators, and where a capital follows a small letter or begins a word after capitals.
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

    /// The name of a type: `ListFolderArg`.
    package var upper: String { guarded(words.map(Self.capitalized).joined()) }

    /// The name of a member: `sharedFolderID`.
    package var lower: String {
        guard let first = words.first else { return "_" }
        return guarded(first + words.dropFirst().map(Self.capitalized).joined())
    }

    /// Names do not begin with a digit, or with a mark that belongs to a letter.
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
