// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
package import SOQLSyntax

package enum QueryCode: String, Sendable, Hashable {
    case malformedQuery = "MALFORMED_QUERY"
    case invalidField = "INVALID_FIELD"
    case invalidType = "INVALID_TYPE"
    case invalidFilterOperator = "INVALID_QUERY_FILTER_OPERATOR"
    case numberOutsideRange = "NUMBER_OUTSIDE_VALID_RANGE"
    case exceededIDLimit = "EXCEEDED_ID_LIMIT"
    case tooComplicated = "QUERY_TOO_COMPLICATED"
    case notEnabled = "FUNCTIONALITY_NOT_ENABLED"
}

extension OrgError {
    init(_ code: QueryCode, _ reason: String) { self.init(code.rawValue, reason) }

    /// Creates an error with a position in the query, whose message quotes the line with a caret.
    init(_ code: QueryCode, _ reason: String, at position: SOQLPosition, in text: String) {
        self.init(
            code,
            """

            \(OrgError.quote(text, position))
            ERROR at Row:\(position.line):Column:\(position.column)
            \(reason)
            """)
        self.position = position
    }

    init(_ finding: Finding, in text: String) {
        self.init(QueryCode(rawValue: finding.code) ?? .malformedQuery, finding.message, at: finding.start, in: text)
    }

    package init(_ error: SOQLSyntaxError, in text: String) {
        let code: QueryCode = error.kind == .malformed ? .malformedQuery : .notEnabled
        self.init(code, error.message, at: error.position, in: text)
    }

    /// The error of an aggregate query with more than ``CompiledQuery/maximumGroups`` groups.
    static let tooManyGroups = OrgError(
        .exceededIDLimit,
        "Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch")

    package static let tooManyRows = OrgError(
        "OPERATION_TOO_LARGE", "The result has too many rows to store. Use LIMIT.")

    /// The maximum number of characters shown on each side of the caret.
    private static let context = 60

    /// The line with a caret under the column, truncated if the line is long.
    private static func quote(_ text: String, _ position: SOQLPosition) -> String {
        let scalars = text.unicodeScalars
        let isBreak: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" }
        let start = scalars.utf8Index(position.offset)
        let before = scalars[..<start].reversed().prefix { !isBreak($0) }.prefix(context).reversed()
        let after = scalars[start...].prefix { !isBreak($0) }.prefix(context)
        var line = ""
        for scalar in [Unicode.Scalar](before) + after {
            // A tab or another control character would move the caret away from its column.
            line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return line + "\n" + String(repeating: " ", count: before.count) + "^"
    }
}

extension String.UnicodeScalarView {
    fileprivate func utf8Index(_ offset: Int) -> Index {
        let text = String(self)
        return text.utf8.index(text.utf8.startIndex, offsetBy: offset, limitedBy: text.utf8.endIndex) ?? text.endIndex
    }
}
