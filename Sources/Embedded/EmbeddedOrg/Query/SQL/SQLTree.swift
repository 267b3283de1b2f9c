// SPDX-License-Identifier: Apache-2.0

/// Terms of one operator, joined as a tree that is shallow enough for SQLite however many there are.
struct SQLTree {
    private var terms: [SQLFragment]

    init(_ terms: [SQLFragment] = []) {
        self.terms = terms
    }

    /// The deepest parentheses of a condition.
    ///
    /// SQLite's parser has a stack of 100 entries, of which a level takes three, and the statement around the condition
    /// some more. SQLite also limits an expression to a depth of 1,000, and a chain of one operator is as deep as it is
    /// long: this many levels of ``branches`` terms stay below.
    static let maximumDepth = 29
    /// The levels of parentheses that a child query takes away from its condition.
    static let depthOfChildQuery = 6
    private static let branches = 32

    var isEmpty: Bool { terms.isEmpty }

    mutating func append(_ term: SQLFragment) {
        terms.append(term)
    }

    /// The terms with an operator between them, in parentheses; `0` when there are none.
    func joined(by separator: SQLFragment) -> SQLFragment {
        var level = terms
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: Self.branches).map { start in
                let branch = level[start..<min(start + Self.branches, level.count)]
                return branch.count == 1 ? branch[start] : "(\(branch.joined(separator: separator)))"
            }
        }
        return level.first ?? "0"
    }
}

extension SQLFragment {
    /// How many parentheses stand inside each other.
    ///
    /// The text has none in names and strings: values are parameters, and names are letters, digits and `_`.
    var parenthesisDepth: Int {
        var depth = 0
        var deepest = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }
}
