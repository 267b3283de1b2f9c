// SPDX-License-Identifier: Apache-2.0

/// A pattern of a spec, in Python's notation.
enum StonePattern {
    /// Whether the whole text fits; any text fits a pattern that Swift does not understand.
    ///
    /// Characters are Unicode scalars, as in Python: a line's end may be two of them.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        do {
            return try Regex(translated(pattern)).matchingSemantics(.unicodeScalar).wholeMatch(in: text) != nil
        } catch {
            return true
        }
    }

    /// The pattern in Swift's notation.
    ///
    /// Swift's `.` stops at every kind of line end, Python's at a line feed alone; and Swift's `\w` does not always
    /// take an underscore.
    static func translated(_ pattern: String) -> String {
        var result = ""
        var isInSet = false
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                let next = rest.popFirst().map(String.init) ?? ""
                result += next != "w" ? "\\" + next : isInSet ? "\\w_" : "[\\w_]"
            case "[" where !isInSet:
                isInSet = true
                result += "["
                // A bracket at the beginning of a set stands for itself.
                if rest.first == "^" { result.unicodeScalars.append(rest.removeFirst()) }
                if rest.first == "]" {
                    rest.removeFirst()
                    result += "\\]"
                }
            case "[": result += "\\["
            case "]":
                isInSet = false
                result += "]"
            case "." where !isInSet: result += "[^\\n]"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
