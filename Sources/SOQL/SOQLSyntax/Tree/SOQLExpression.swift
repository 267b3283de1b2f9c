// SPDX-License-Identifier: Apache-2.0

/// A dotted name: a field, a field of a parent, or an object.
public struct SOQLPath: Sendable, Hashable {
    /// The names between the dots, at least one.
    public var parts: [String]
    /// The position of the first name.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a path.
    public init(_ parts: [String], position: SOQLPosition = .start) {
        self.parts = parts
        self.position = position
    }

    /// The last name, which is the name of the field.
    public var last: String { parts.last ?? "" }
    /// The path as written, with dots.
    public var text: String { parts.joined(separator: ".") }
}

/// A function call, such as `COUNT(Id)` or `CALENDAR_YEAR(CreatedDate)`.
public struct SOQLCall: Sendable, Hashable {
    /// The function's name as written.
    public var function: String
    /// The argument, or `nil` for empty parentheses.
    public var argument: SOQLExpression?
    /// The position of the function's name.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a call.
    public init(_ function: String, _ argument: SOQLExpression?, position: SOQLPosition = .start) {
        self.function = function
        self.argument = argument
        self.position = position
    }

    /// The aggregate function, or `nil` for another function.
    public var aggregate: SOQLAggregate? { SOQLAggregate(rawValue: function.uppercased()) }
}

/// An aggregate function over the rows of a group.
public enum SOQLAggregate: String, Sendable, Hashable, CaseIterable {
    /// The number of rows, or of values that are not null.
    case count = "COUNT"
    /// The number of distinct values that are not null.
    case countDistinct = "COUNT_DISTINCT"
    /// The sum or average of the values that are not null.
    case sum = "SUM", average = "AVG"
    /// The smallest or largest value.
    case minimum = "MIN", maximum = "MAX"
}

/// A function that formats a field for the user, whose raw value is the usual spelling.
package enum SOQLPrintFunction: String, Sendable, CaseIterable {
    case label = "toLabel", format = "FORMAT", currency = "convertCurrency"

    /// Creates the function with this name, in any case.
    package init?(named name: String) {
        guard let function = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = function
    }
}

/// A field, or a function of fields.
public indirect enum SOQLExpression: Sendable, Hashable {
    /// A field.
    case path(SOQLPath)
    /// A function of an expression.
    case call(SOQLCall)
    /// The distance between two locations.
    case distance(SOQLDistance)

    /// The start of the expression.
    public var position: SOQLPosition {
        switch self {
        case .path(let path): path.position
        case .call(let call): call.position
        case .distance(let distance): distance.position
        }
    }

    /// Whether the expression is an aggregate, or a function of an aggregate, such as `FORMAT(MAX(Amount))`.
    public var isAggregate: Bool {
        if case .call(let call) = self { call.aggregate != nil || call.argument?.isAggregate == true } else { false }
    }

    /// The underlying field, or `nil` if there is no field.
    public var path: SOQLPath? {
        switch self {
        case .path(let path): path
        case .call(let call): call.argument?.path
        case .distance(let distance): distance.field
        }
    }
}

/// The distance from a fixed location: `DISTANCE(Place__c, GEOLOCATION(37.775, -122.418), 'mi')`.
public struct SOQLDistance: Sendable, Hashable {
    /// A unit of length, whose raw value is its name in queries.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Miles of 1,609.344 meters.
        case miles = "mi"
        /// Kilometers.
        case kilometers = "km"
    }

    /// The field with a geolocation.
    public var field: SOQLPath
    /// The coordinates of the fixed location in degrees.
    public var latitude: SOQLNumber, longitude: SOQLNumber
    /// The unit of the result.
    public var unit: Unit
    /// The position of DISTANCE.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a distance.
    public init(
        _ field: SOQLPath, latitude: SOQLNumber, longitude: SOQLNumber, _ unit: Unit,
        position: SOQLPosition = .start
    ) {
        self.field = field
        self.latitude = latitude
        self.longitude = longitude
        self.unit = unit
        self.position = position
    }
}

/// A condition on rows or groups.
public indirect enum SOQLCondition: Sendable, Hashable {
    /// One comparison.
    case comparison(SOQLComparison)
    /// The negation of a condition.
    case not(SOQLCondition)
    /// A conjunction of at least two conditions.
    case and([SOQLCondition])
    /// A disjunction of at least two conditions.
    case or([SOQLCondition])
}

/// A comparison of an expression with an operand.
public struct SOQLComparison: Sendable, Hashable {
    /// The left-hand side.
    public var left: SOQLExpression
    /// The operator.
    public var `operator`: SOQLOperator
    /// The right-hand side.
    public var right: SOQLOperand
    /// The position of the operator.
    @SOQLUncompared public var operatorPosition: SOQLPosition

    /// Creates a comparison.
    public init(
        _ left: SOQLExpression, _ operator: SOQLOperator, _ right: SOQLOperand,
        operatorPosition: SOQLPosition = .start
    ) {
        self.left = left
        self.`operator` = `operator`
        self.right = right
        self.operatorPosition = operatorPosition
    }
}

/// A comparison operator, whose raw value is its canonical text.
public enum SOQLOperator: String, Sendable, Hashable, CaseIterable {
    /// Compares with one literal (`<>` is parsed as `!=`).
    case equal = "=", notEqual = "!="
    /// Compares the order with one literal.
    case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    /// Matches a pattern.
    case like = "LIKE"
    /// Tests for membership in a list of literals or in the result of a query.
    case `in` = "IN", notIn = "NOT IN"
    /// Compares a multi-select picklist with a list of sets, whose values are separated by `;`.
    case includes = "INCLUDES", excludes = "EXCLUDES"
}

/// The right-hand side of a comparison.
public enum SOQLOperand: Sendable, Hashable {
    /// One literal.
    case literal(SOQLValue)
    /// The pattern of LIKE.
    case pattern(SOQLPattern)
    /// The literals of a list, at least one.
    case list([SOQLValue])
    /// A semi-join: the values of the single field of a query.
    case query(SOQLChildQuery)
}

/// A literal with its position.
public struct SOQLValue: Sendable, Hashable {
    /// The literal.
    public var literal: SOQLLiteral
    /// The start of the literal.
    @SOQLUncompared public var position: SOQLPosition

    /// Creates a literal at a position.
    public init(_ literal: SOQLLiteral, position: SOQLPosition = .start) {
        self.literal = literal
        self.position = position
    }
}
