// SPDX-License-Identifier: Apache-2.0

/// One word of a search, in lower case; `*` stands for any letters and `?` for one.
struct SearchWord: Equatable {
    enum Element: Equatable {
        // prose: words that people search for
        case letter(Character)
        case anyOne
        case anyRun
    }

    let elements: [Element]

    /// Whether the pattern is the whole of the word, which is in lower case.
    func matches(_ word: Substring) -> Bool {
        let letters = Array(word)
        // Where to go on when what follows the last run does not fit: the run takes one letter more.
        var (element, letter) = (0, 0)
        var resume: (element: Int, letter: Int)?
        while letter < letters.count {
            if element < elements.count, elements[element] == .anyRun {
                resume = (element + 1, letter)
                element += 1
            } else if element < elements.count, fits(elements[element], letters[letter]) {
                element += 1
                letter += 1
            } else if let last = resume {
                resume = (last.element, last.letter + 1)
                (element, letter) = (last.element, last.letter + 1)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyRun }
    }

    // prose: words that people search for
    private func fits(_ element: Element, _ letter: Character) -> Bool {
        switch element {
        case .letter(let wanted): wanted == letter
        case .anyOne, .anyRun: true
        }
    }

    /// The letters at the beginning that are what they are; SQLite compares ASCII letters without case, and no others.
    var asciiPrefix: String? {
        var prefix = ""
        for case .letter(let letter) in elements.prefix(while: { $0 != .anyRun && $0 != .anyOne }) {
            guard letter.isASCII else { break }
            prefix.append(letter)
        }
        return prefix.isEmpty ? nil : prefix
    }
}

/// The words of a text: runs of letters and digits, in lower case.
enum SearchText {
    static func words(_ text: String) -> [Substring] {
        text.lowercased().split { !isWordLetter($0) }
    }

    // prose: words that people search for
    static func isWordLetter(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber }

    /// The same of a scalar; marks belong to the letter before them.
    static func isWordLetter(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Whether the scalar only changes the one before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
}
