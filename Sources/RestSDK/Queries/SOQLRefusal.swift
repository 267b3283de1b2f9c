// SPDX-License-Identifier: Apache-2.0

/// Why a value cannot be bound where it stands, with what to do instead.
enum SOQLRefusal: Error {
    case quoted, comment, name, crowded
    case wantsList, wantsCount, wantsText
    case strayList, strayPattern, strayPrefix
    case emptyList, unwritable, nothingToFind

    /// For the developer.
    var advice: String {
        switch self {
        case .quoted: "values are quoted for you; remove the quotes around the value, and write a pattern as \\(like:)"
        case .comment: "a comment cannot hold a value"
        case .name: "a value is not allowed here; choose names and clauses in your code and insert them with \\(raw:)"
        case .crowded: "a value must stand alone; put a space before and after it, or write \\(prefix:) in a search"
        case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as \\([value])"
        case .wantsCount: "a whole number of 0 or more is needed here"
        case .wantsText: "LIKE takes a text or \\(like:)"
        case .strayList: "a list has its own parentheses and is allowed only after IN, INCLUDES and EXCLUDES"
        case .strayPattern: "\\(like:) is allowed only after LIKE"
        case .strayPrefix: "\\(prefix:) is allowed only between the braces of FIND, outside quotes"
        case .emptyList: "the list is empty, and the server refuses IN ()"
        case .unwritable: "this number or date has no literal: it is not finite, out of range, or not in the calendar"
        case .nothingToFind: "a search text needs at least one letter or digit"
        }
    }
}
