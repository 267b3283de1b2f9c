// SPDX-License-Identifier: Apache-2.0

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

    /// What it is about, in one sentence.
    package var summary: String {
        switch self {
        case .syntax: "The text is not SOQL."
        case .unsupported: "The text is SOQL that this parser does not read."
        case .unknownObject: "The org has no such object."
        case .unknownField: "The object has no such field."
        case .unknownRelationship: "The object has no such relationship to a parent."
        case .unknownChildRelationship: "The object has no such relationship to children."
        case .notQueryable: "Queries cannot read the object."
        case .notFilterable: "The field cannot be filtered."
        case .notSortable: "The field cannot be sorted by."
        case .notGroupable: "The field cannot be grouped by."
        case .notAggregatable: "The field cannot be aggregated so."
        case .notGrouped: "Beside aggregates a field must be grouped."
        case .wrongType: "A literal is of another type than its field."
        case .wrongOperator: "The operator does not fit what it compares."
        case .wrongArgument: "A function does not take this argument."
        case .invalidID: "A text is no record's id."
        case .invalidDate: "A date or a time does not exist."
        case .outsideRange: "A number is outside of its range."
        case .misplaced: "Something is not allowed at its place."
        case .duplicate: "Something is named twice."
        case .semiJoin: "A semi-join breaks the platform's rules."
        case .typeof: "TYPEOF takes a relationship to several objects."
        case .typeofObject: "The relationship does not lead to the object."
        case .limits: "The query is beyond a limit of the platform."
        case .apexOnly: "The clause belongs to Apex."
        case .parameterName: "A parameter's name is none, or too near to another."
        case .parameterType: "A parameter is used for values of two types."
        case .unknownType: "The schema does not tell the type of a value."
        case .picklistValue: "The picklist has no such value."
        case .notInSchema: "The schema lacks an object, so that not all is checked."
        }
    }
}
