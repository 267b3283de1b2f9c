// SPDX-License-Identifier: Apache-2.0

/// What a query reads: `FROM Account a`.
public struct SOQLSource: Sendable, Hashable {
    /// The object's name, or the path to a relationship.
    public var path: SOQLPath
    /// The short name that paths of the query may begin with.
    public var alias: SOQLName?

    /// A source.
    public init(path: SOQLPath, alias: SOQLName? = nil) {
        self.path = path
        self.alias = alias
    }
}

/// One name with its place.
public struct SOQLName: Sendable, Hashable {
    /// The name as written.
    public var text: String
    /// Where it was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A name.
    public init(_ text: String, position: SOQLPosition = .start) {
        self.text = text
        self.position = position
    }
}

/// A word or a constant of the language with its place.
public struct SOQLPlaced<Value: Sendable & Hashable>: Sendable, Hashable {
    /// What was written.
    public var value: Value
    /// Where it was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A value at a place.
    public init(_ value: Value, position: SOQLPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// The number of a LIMIT or OFFSET clause with its place.
public struct SOQLCount: Sendable, Hashable {
    /// The number as written, possibly negative.
    public var value: Int
    /// Where the number was written.
    @SOQLUncompared public var position: SOQLPosition

    /// A count.
    public init(_ value: Int, position: SOQLPosition = .start) {
        self.value = value
        self.position = position
    }
}

/// One entry of ORDER BY.
public struct SOQLOrdering: Sendable, Hashable {
    /// Which end of the order null values go to.
    public enum Nulls: Sendable, Hashable { case first, last }

    /// What is compared.
    public var expression: SOQLExpression
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// Where nulls go; `nil` when not written (the platform then puts them first).
    public var nulls: Nulls?

    /// An entry.
    public init(_ expression: SOQLExpression, isDescending: Bool = false, nulls: Nulls? = nil) {
        self.expression = expression
        self.isDescending = isDescending
        self.nulls = nulls
    }
}
