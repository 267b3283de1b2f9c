// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestSQLite

/// A fragment of SQL with the values of its `?` parameters in order.
///
/// Fragments are built by string interpolation, which never inserts a string as SQL: values become parameters, names
/// are quoted, and only literals in this source code are SQL.
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

    /// The approximate memory size in bytes.
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

        mutating func appendInterpolation(_ value: SQLValue) {
            fragment.text += "?"
            fragment.bindings.append(value)
        }

        mutating func appendInterpolation(_ other: SQLFragment) {
            fragment += other
        }

        /// Adds the name of a table or column of the schema in quotes.
        mutating func appendInterpolation(name: String) {
            fragment.text += "\"" + name.doubled("\"") + "\""
        }

        mutating func appendInterpolation(string: String) {
            fragment.text += "'" + string.doubled("'") + "'"
        }

        /// Adds a small number that comes from the compiler.
        mutating func appendInterpolation(number: Int) {
            fragment.text += String(number)
        }
    }
}

extension Sequence where Element == SQLFragment {
    func joined(separator: SQLFragment) -> SQLFragment {
        var result = SQLFragment.empty
        for (index, chunk) in enumerated() {
            if index > 0 { result += separator }
            result += chunk
        }
        return result
    }
}

package struct SQLStatement: Sendable, Hashable {
    package let sql: String
    package let bindings: [SQLValue]

    init(_ fragment: SQLFragment) {
        sql = fragment.text
        bindings = fragment.bindings
    }
}

/// Terms of one operator, joined as a tree whose depth stays within SQLite's limits for any number of terms.
struct SQLTree {
    private var terms: [SQLFragment]

    init(_ terms: [SQLFragment] = []) {
        self.terms = terms
    }

    /// The maximum depth of parentheses in a condition.
    ///
    /// SQLite's parser has a stack of 100 entries. A level of parentheses uses three, and the statement around the
    /// condition uses some more. SQLite also limits an expression to a depth of 1,000, and a chain of one operator is
    /// as deep as it is long. This number of levels with ``branches`` terms stays below both limits.
    static let maximumDepth = 29
    /// The levels of parentheses that a child query takes away from its condition.
    static let depthOfChildQuery = 6
    private static let branches = 32

    var isEmpty: Bool { terms.isEmpty }

    mutating func append(_ term: SQLFragment) {
        terms.append(term)
    }

    /// Returns the terms with an operator between them in parentheses, or `0` if there are no terms.
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
    /// The maximum nesting depth of parentheses.
    ///
    /// Names and strings have no parentheses: values are parameters, and names consist of letters, digits and `_`.
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
