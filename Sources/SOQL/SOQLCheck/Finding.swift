// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// An error or a warning about a query.
package struct Finding: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        /// Salesforce rejects the query.
        case error
        /// Salesforce runs the query, but probably not as intended, or the query could not be checked.
        case warning
    }

    /// The rule that produced the finding.
    package let rule: Rule
    /// The message, in Salesforce's words where they are known.
    package let message: String
    /// The start of the text that the finding is about.
    package let position: SOQLPosition
    /// The length of that text in Unicode scalars, which is 0 at the end of the query.
    package let length: Int
    /// The start of the path that the name belongs to, which is the position that Salesforce reports.
    package let start: SOQLPosition
    /// The names that were probably meant, the most similar first.
    package let suggestions: [String]

    package var severity: Severity { rule.severity }
    /// Salesforce's code for this error.
    package var code: String { rule.code }
}

extension Finding {
    /// Creates a finding for a syntax error found elsewhere.
    package init(syntax message: String, at position: SOQLPosition, length: Int) {
        self.init(
            rule: .syntax, message: message, position: position, length: length, start: position, suggestions: [])
    }

    /// Creates a finding from a parser error.
    init(_ error: SOQLSyntaxError) {
        self.init(
            rule: error.kind == .malformed ? .syntax : .unsupported, message: error.message, position: error.position,
            length: error.token.unicodeScalars.count, start: error.position, suggestions: [])
    }
}

/// Salesforce's longer messages.
enum Message {
    static func unknownObject(_ name: String) -> String {
        """
        sObject type '\(name)' is not supported. If you are attempting to use a custom object, be sure to append the \
        '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.
        """
    }

    static func unknownField(_ name: String, of entity: String) -> String {
        """
        No such column '\(name)' on entity '\(entity)'. If you are attempting to use a custom field, be sure to append \
        the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.
        """
    }

    static func unknownRelationship(_ name: String, in place: String) -> String {
        """
        Didn't understand relationship '\(name)' in \(place). If you are attempting to use a custom relationship, be \
        sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call \
        for the appropriate names.
        """
    }

    static func wrongType(_ field: String, _ kind: ValueKind) -> String {
        """
        value of filter criterion for field '\(field)' must be of type \(kind.name) and \
        \(kind.isQuoted ? "should" : "should not") be enclosed in quotes
        """
    }
}

/// A rule that queries are checked against, whose raw value is its name in reports.
package enum Rule: String, Sendable, Hashable, CaseIterable {
    case syntax, unsupported
    case unknownObject = "unknown-object"
    case unknownField = "unknown-field"
    case unknownRelationship = "unknown-relationship"
    case unknownChildRelationship = "unknown-child-relationship"
    case notQueryable = "not-queryable"
    case notFilterable = "not-filterable"
    case notSortable = "not-sortable"
    case notGroupable = "not-groupable"
    case notAggregatable = "not-aggregatable"
    case notGrouped = "not-grouped"
    case wrongType = "wrong-type"
    case wrongOperator = "wrong-operator"
    case wrongArgument = "wrong-argument"
    case invalidID = "invalid-id"
    case invalidDate = "invalid-date"
    case outsideRange = "outside-range"
    case misplaced = "misplaced"
    case duplicate = "duplicate"
    case semiJoin = "semi-join"
    case typeof = "typeof"
    case typeofObject = "typeof-object"
    case limits = "limits"
    case apexOnly = "apex-only"
    case parameterName = "parameter-name"
    case parameterType = "parameter-type"
    case unknownType = "unknown-type"
    case picklistValue = "picklist-value"
    case notInSchema = "not-in-schema"

    package var severity: Finding.Severity {
        self == .picklistValue || self == .notInSchema ? .warning : .error
    }

    /// Salesforce's code for errors of this rule.
    package var code: String {
        switch self {
        case .unknownObject, .unknownChildRelationship, .notQueryable, .typeofObject, .notInSchema: "INVALID_TYPE"
        case .unknownField, .unknownRelationship, .notFilterable, .notSortable, .notGroupable, .notAggregatable,
            .wrongType, .wrongArgument, .picklistValue:
            "INVALID_FIELD"
        case .wrongOperator, .invalidID: "INVALID_QUERY_FILTER_OPERATOR"
        case .outsideRange: "NUMBER_OUTSIDE_VALID_RANGE"
        case .unsupported: "FUNCTIONALITY_NOT_ENABLED"
        default: "MALFORMED_QUERY"
        }
    }
}
