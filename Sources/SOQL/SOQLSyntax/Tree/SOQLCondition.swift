// SPDX-License-Identifier: Apache-2.0

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
