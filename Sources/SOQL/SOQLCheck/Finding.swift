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
    /// Where the path begins that the name belongs to, which is what the platform points at.
    package let start: SOQLPosition
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
        self.init(
            rule: .syntax, message: message, position: position, length: length, start: position, suggestions: [])
    }

    /// What the parser says.
    init(_ error: SOQLSyntaxError) {
        self.init(
            rule: error.kind == .malformed ? .syntax : .unsupported, message: error.message, position: error.position,
            length: error.token.unicodeScalars.count, start: error.position, suggestions: [])
    }
}

/// The platform's longer messages.
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

/// What a query is checked for; the raw value is the rule's name in reports.
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

    /// How bad its findings are.
    package var severity: Finding.Severity {
        self == .picklistValue || self == .notInSchema ? .warning : .error
    }

    /// The platform's code of such an error.
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
