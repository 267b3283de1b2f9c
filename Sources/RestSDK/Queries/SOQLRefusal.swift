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
        case .quoted: "a value is quoted by itself; leave out the quotes around it, and write a pattern as \\(like:)"
        case .comment: "no value can stand in a comment"
        case .name: "no value can stand here; choose a name or a clause in your code and put it in with \\(raw:)"
        case .crowded: "a value stands alone; leave a blank before and after it, or write \\(prefix:) in a search"
        case .wantsList: "IN, INCLUDES and EXCLUDES take a list, such as \\([value])"
        case .wantsCount: "a whole number that is not negative must stand here"
        case .wantsText: "LIKE takes a text or \\(like:)"
        case .strayList: "a list brings its own parentheses and can stand only after IN, INCLUDES and EXCLUDES"
        case .strayPattern: "\\(like:) can stand only after LIKE"
        case .strayPrefix: "\\(prefix:) can stand only between the braces of FIND, outside of quotes"
        case .emptyList: "the list is empty, and the server refuses IN ()"
        case .unwritable: "a number that is not finite or out of range, or a day that no calendar has, has no literal"
        case .nothingToFind: "a text without letters and digits cannot be searched for"
        }
    }
}
