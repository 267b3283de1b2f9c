// SPDX-License-Identifier: Apache-2.0

/// A dotted name: a field, a field of a parent, or an object.
public struct SOQLPath: Sendable, Hashable {
    /// The names between the dots; at least one.
    public var parts: [String]
    /// Where the first name begins.
    @SOQLUncompared public var position: SOQLPosition

    /// A path.
    public init(_ parts: [String], position: SOQLPosition = .start) {
        self.parts = parts
        self.position = position
    }

    /// The last name, which is the field's own.
    public var last: String { parts.last ?? "" }
    /// The path as written, with dots.
    public var text: String { parts.joined(separator: ".") }
}

/// A function applied to an expression: `COUNT(Id)`, `CALENDAR_YEAR(CreatedDate)`.
public struct SOQLCall: Sendable, Hashable {
    /// The function's name as written.
    public var function: String
    /// What it is applied to; `nil` for empty parentheses.
    public var argument: SOQLExpression?
    /// Where the function's name begins.
    @SOQLUncompared public var position: SOQLPosition

    /// A call.
    public init(_ function: String, _ argument: SOQLExpression?, position: SOQLPosition = .start) {
        self.function = function
        self.argument = argument
        self.position = position
    }

    /// The aggregate function meant, if the name is that of one.
    public var aggregate: SOQLAggregate? { SOQLAggregate(rawValue: function.uppercased()) }
}

/// The functions over the rows of a group.
public enum SOQLAggregate: String, Sendable, Hashable, CaseIterable {
    /// Number of rows or of values that are not null.
    case count = "COUNT"
    /// Number of distinct values that are not null.
    case countDistinct = "COUNT_DISTINCT"
    /// Arithmetic over the values that are not null.
    case sum = "SUM", average = "AVG"
    /// The ends of the order of the values.
    case minimum = "MIN", maximum = "MAX"
}

/// The functions that give a field as a reader wants to see it; the raw value is the usual spelling.
package enum SOQLPrintFunction: String, Sendable, CaseIterable {
    case label = "toLabel", format = "FORMAT", currency = "convertCurrency"

    /// The function of that name, in any case.
    package init?(named name: String) {
        guard let function = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = function
    }
}

/// A field, or functions of one.
public indirect enum SOQLExpression: Sendable, Hashable {
    /// A field.
    case path(SOQLPath)
    /// A function of an expression.
    case call(SOQLCall)
    /// A distance between two places.
    case distance(SOQLDistance)

    /// Where the expression begins.
    public var position: SOQLPosition {
        switch self {
        case .path(let path): path.position
        case .call(let call): call.position
        case .distance(let distance): distance.position
        }
    }

    /// Whether it is an aggregate, or a function of one, such as `FORMAT(MAX(Amount))`.
    public var isAggregate: Bool {
        if case .call(let call) = self { call.aggregate != nil || call.argument?.isAggregate == true } else { false }
    }

    /// The field at the bottom, if there is one.
    public var path: SOQLPath? {
        switch self {
        case .path(let path): path
        case .call(let call): call.argument?.path
        case .distance(let distance): distance.field
        }
    }
}

/// How far a place is from a fixed one: `DISTANCE(Place__c, GEOLOCATION(37.775, -122.418), 'mi')`.
public struct SOQLDistance: Sendable, Hashable {
    /// The units; the raw value is what is written.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Miles of 1,609.344 metres.
        case miles = "mi"
        /// Kilometres.
        case kilometers = "km"
    }

    /// The field that holds a place.
    public var field: SOQLPath
    /// The fixed place in degrees.
    public var latitude: SOQLNumber, longitude: SOQLNumber
    /// The unit of the answer.
    public var unit: Unit
    /// Where DISTANCE was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A distance.
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
    /// One test.
    case comparison(SOQLComparison)
    /// The opposite.
    case not(SOQLCondition)
    /// All of them; at least two.
    case and([SOQLCondition])
    /// Any of them; at least two.
    case or([SOQLCondition])
}

/// One test: an expression, an operator and what it is compared with.
public struct SOQLComparison: Sendable, Hashable {
    /// What is tested.
    public var left: SOQLExpression
    /// How.
    public var `operator`: SOQLOperator
    /// What it is compared with.
    public var right: SOQLOperand
    /// Where the operator was written.
    @SOQLUncompared public var operatorPosition: SOQLPosition

    /// A test.
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

/// The comparison operators; the raw value is the canonical text.
public enum SOQLOperator: String, Sendable, Hashable, CaseIterable {
    /// Against one literal. `<>` is read as `!=`.
    case equal = "=", notEqual = "!="
    /// Against one literal, by order.
    case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    /// Against a pattern.
    case like = "LIKE"
    /// Against a list of literals or a query.
    case `in` = "IN", notIn = "NOT IN"
    /// Multi-select picklists against a list of `;`-separated sets.
    case includes = "INCLUDES", excludes = "EXCLUDES"
}

/// The right-hand side of a test.
public enum SOQLOperand: Sendable, Hashable {
    /// One literal.
    case literal(SOQLValue)
    /// The pattern of LIKE.
    case pattern(SOQLPattern)
    /// The literals of a list; at least one.
    case list([SOQLValue])
    /// A semi-join: the values of the one field of a query.
    case query(SOQLChildQuery)
}

/// A literal with its place.
public struct SOQLValue: Sendable, Hashable {
    /// The literal.
    public var literal: SOQLLiteral
    /// Where it begins.
    @SOQLUncompared public var position: SOQLPosition

    /// A literal at a place.
    public init(_ literal: SOQLLiteral, position: SOQLPosition = .start) {
        self.literal = literal
        self.position = position
    }
}
