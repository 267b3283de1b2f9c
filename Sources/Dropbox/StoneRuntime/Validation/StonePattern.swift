// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A pattern of a spec, in Python's notation.
enum StonePattern {
    /// The patterns that were needed so far: to compile one takes far longer than to match a text.
    ///
    /// There are as many as the specs have; `nil` stands for one that Swift does not understand.
    private static let compiled = Mutex<[String: Regex<AnyRegexOutput>?]>([:])

    /// Whether the whole text fits; any text fits a pattern that Swift does not understand.
    ///
    /// Characters are Unicode scalars, as in Python: a line's end may be two of them.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        compiled.withLock { compiled in
            let known: Regex<AnyRegexOutput>?
            if let found = compiled[pattern] {
                known = found
            } else {
                known = (try? Regex(translated(pattern)))?.matchingSemantics(.unicodeScalar)
                compiled[pattern] = .some(known)
            }
            guard let known else { return true }
            return (try? known.wholeMatch(in: text)) != nil
        }
    }

    /// Python's classes of characters as parts of a set.
    private static let classes: [Unicode.Scalar: String] = ["w": "\\p{L}\\p{N}_", "d": "\\p{Nd}", "D": "\\P{Nd}"]

    /// The pattern in Swift's notation.
    ///
    /// Swift's `.` stops at every kind of line end, Python's at a line feed alone. Python's `\w` takes letters and
    /// numbers of all scripts; Swift's takes marks too, and of scalars it misses some, such as U+4E2D after a digit.
    static func translated(_ pattern: String) -> String {
        var result = ""
        var isInSet = false
        var scalars = pattern.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                let next = scalars.popFirst()
                result +=
                    next.flatMap { classes[$0] }.map { isInSet ? $0 : "[\($0)]" } ?? "\\" + (next.map { "\($0)" } ?? "")
            case "[" where !isInSet:
                isInSet = true
                result += "["
                // A bracket at the beginning of a set stands for itself.
                if scalars.first == "^" { result.unicodeScalars.append(scalars.removeFirst()) }
                if scalars.first == "]" {
                    scalars.removeFirst()
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
