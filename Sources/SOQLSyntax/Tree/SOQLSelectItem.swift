// SPDX-License-Identifier: Apache-2.0

/// One entry of a select list.
public enum SOQLSelectItem: Sendable, Hashable {
    /// `COUNT()`, which always stands alone.
    case count(position: SOQLUncompared<SOQLPosition>)
    /// A field or a function, with the alias of an aggregate query.
    case field(SOQLExpression, alias: SOQLName?)
    /// The children of each row: `(SELECT LastName FROM Contacts)`.
    case children(SOQLChildQuery)

    /// Where the entry begins.
    public var position: SOQLPosition {
        switch self {
        case .count(let position): position.wrappedValue
        case .field(let expression, _): expression.position
        case .children(let children): children.position
        }
    }
}

/// A query over the children of each row of the query around it.
public struct SOQLChildQuery: Sendable, Hashable {
    /// The query; its source is a relationship.
    public var query: SOQLQuery
    /// Where its opening parenthesis stands.
    @SOQLUncompared public var position: SOQLPosition

    /// A child query.
    public init(_ query: SOQLQuery, position: SOQLPosition = .start) {
        self.query = query
        self.position = position
    }
}
