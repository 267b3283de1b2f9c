// SPDX-License-Identifier: Apache-2.0

/// What a variable stands for, as far as the words before it tell.
package enum VariablePlace: Sendable, Hashable {
    /// One literal: behind a comparison, and wherever nothing else is known.
    case literal
    /// The whole list behind IN, and one literal of such a list.
    case list, item
    /// The whole list behind INCLUDES or EXCLUDES, and one set of such a list.
    case sets, set
    /// The pattern of LIKE.
    case pattern
    /// The number of LIMIT or OFFSET, and that of `LAST_N_DAYS:name`.
    case count, days
    /// A coordinate of GEOLOCATION.
    case degrees

    /// A literal that can stand there.
    var standIn: String {
        switch self {
        case .literal, .item: "null"
        case .list: "(null)"
        case .sets: "('')"
        case .set, .pattern: "''"
        case .count, .days: "1"
        case .degrees: "0"
        }
    }

    /// Whether the value is a list with its parentheses.
    var isWholeList: Bool { self == .list || self == .sets }

    /// Goes through a query, and tells what a variable would stand for.
    struct Reader {
        private var isQuoted = false, isEscaped = false
        /// The word before, whether it goes on, and the last byte that is no blank.
        private var word: [UInt8] = [], isWordOpen = false, last: UInt8 = 0
        /// The words before the parentheses that are open.
        private var openings: [String] = []

        /// Goes on behind a part of the text.
        mutating func pass(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { if isQuoted { passQuoted(byte) } else { passPlain(byte) } }
        }

        private mutating func passQuoted(_ byte: UInt8) {
            if isEscaped || byte == UInt8(ascii: "\\") {
                isEscaped.toggle()
            } else if byte == UInt8(ascii: "'") {
                isQuoted = false
            }
        }

        private mutating func passPlain(_ byte: UInt8) {
            guard byte > 0x20 else {
                isWordOpen = false
                return
            }
            last = byte
            if (0x61...0x7A).contains(byte | 0x20) {
                if !isWordOpen { word = [] }
                isWordOpen = true
                return word.append(byte & 0xDF)
            }
            if byte == UInt8(ascii: "(") { openings.append(name) }
            if byte == UInt8(ascii: ")") { _ = openings.popLast() }
            isQuoted = byte == UInt8(ascii: "'")
            (word, isWordOpen) = ([], false)
        }

        private var name: String { String(decoding: word, as: UTF8.self) }

        /// What a variable would stand for here.
        var place: VariablePlace {
            switch last {
            case UInt8(ascii: ":"): .days
            case UInt8(ascii: "("), UInt8(ascii: ","): Self.place(inside: openings.last ?? "")
            default: Self.place(behind: name)
            }
        }

        private static func place(inside opening: String) -> VariablePlace {
            switch opening {
            case "IN": .item
            case "INCLUDES", "EXCLUDES": .set
            case "GEOLOCATION": .degrees
            default: .literal
            }
        }

        private static func place(behind word: String) -> VariablePlace {
            switch word {
            case "IN": .list
            case "INCLUDES", "EXCLUDES": .sets
            case "LIKE": .pattern
            case "LIMIT", "OFFSET": .count
            default: .literal
            }
        }
    }
}
