// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// Something that is wrong with a query, or looks so.
package struct Finding: Sendable, Hashable {
    /// How bad it is.
    package enum Severity: String, Sendable, Hashable {
        /// The platform refuses the query.
        case error
        /// The platform runs it, but probably not as it was meant; or it could not be checked.
        case warning
    }

    /// Which rule found it.
    package let rule: Rule
    /// What is wrong, in the platform's words where it has some.
    package let message: String
    /// Where it begins.
    package let position: SOQLPosition
    /// How long it is there, in Unicode scalars; 0 at the end of the text.
    package let length: Int
    /// The names that were probably meant, the nearest first.
    package let suggestions: [String]

    /// How bad it is.
    package var severity: Severity { rule.severity }
    /// The platform's code of such an error.
    package var code: String { rule.code }
}

extension Finding {
    /// A text that is not SOQL, as somebody else has found.
    package init(syntax message: String, at position: SOQLPosition, length: Int) {
        self.init(rule: .syntax, message: message, position: position, length: length, suggestions: [])
    }

    /// What the parser says.
    init(_ error: SOQLSyntaxError) {
        self.init(
            rule: error.kind == .malformed ? .syntax : .unsupported, message: error.message, position: error.position,
            length: error.token.unicodeScalars.count, suggestions: [])
    }
}
