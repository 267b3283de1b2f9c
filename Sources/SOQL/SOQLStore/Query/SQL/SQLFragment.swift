// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestSQLite

/// A piece of SQL with the values of its parameters in the order of their `?`.
///
/// It is made by interpolation, which has no way to take a text as SQL: values become parameters, names are quoted, and
/// only a literal of this source code is taken as it stands.
struct SQLFragment: Sendable, Hashable, ExpressibleByStringInterpolation {
    private(set) var text = ""
    private(set) var bindings: [SQLValue] = []

    static let empty = SQLFragment()

    private init() {}

    init(stringLiteral value: StaticString) {
        text = value.description
    }

    init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }

    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var sum = left
        sum += right
        return sum
    }

    static func += (left: inout SQLFragment, right: SQLFragment) {
        left.text += right.text
        left.bindings += right.bindings
    }

    /// About the memory it takes.
    var size: Int {
        bindings.reduce(text.utf8.count) { size, value in
            guard case .text(let text) = value else { return size + 16 }
            return size + 16 + text.utf8.count
        }
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment()

        init(literalCapacity: Int, interpolationCount: Int) {
            fragment.text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            fragment.text += literal.description
        }

        /// A value, as a parameter.
        mutating func appendInterpolation(_ value: SQLValue) {
            fragment.text += "?"
            fragment.bindings.append(value)
        }

        /// Another piece.
        mutating func appendInterpolation(_ other: SQLFragment) {
            fragment += other
        }

        /// The name of a table or column of the schema, quoted.
        mutating func appendInterpolation(name: String) {
            fragment.text += "\"" + name.doubled("\"") + "\""
        }

        /// A name of the schema as an SQL string.
        mutating func appendInterpolation(string: String) {
            fragment.text += "'" + string.doubled("'") + "'"
        }

        /// A small number of the compiler's own.
        mutating func appendInterpolation(number: Int) {
            fragment.text += String(number)
        }
    }
}

extension Sequence where Element == SQLFragment {
    /// The pieces with a separator between them.
    func joined(separator: SQLFragment) -> SQLFragment {
        var result = SQLFragment.empty
        for (index, piece) in enumerated() {
            if index > 0 { result += separator }
            result += piece
        }
        return result
    }
}

/// A whole statement with the values of its parameters in order.
package struct SQLStatement: Sendable, Hashable {
    package let sql: String
    package let bindings: [SQLValue]

    init(_ fragment: SQLFragment) {
        sql = fragment.text
        bindings = fragment.bindings
    }
}

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
