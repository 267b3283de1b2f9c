// SPDX-License-Identifier: Apache-2.0

package import LocalServer
import RestText

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
