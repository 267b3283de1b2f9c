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
