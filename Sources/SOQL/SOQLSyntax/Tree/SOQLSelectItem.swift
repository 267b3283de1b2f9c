// SPDX-License-Identifier: Apache-2.0

/// One entry of a select list.
public enum SOQLSelectItem: Sendable, Hashable {
    /// `COUNT()`, which always stands alone.
    case count(position: SOQLUncompared<SOQLPosition>)
    /// A field or a function, with the alias of an aggregate query.
    case field(SOQLExpression, alias: SOQLName?)
    /// The children of each row: `(SELECT LastName FROM Contacts)`.
    case children(SOQLChildQuery, alias: SOQLName?)
    /// Fields that depend on the object of a reference.
    case typeof(SOQLTypeof)
    /// `FIELDS(ALL)`, `FIELDS(STANDARD)` or `FIELDS(CUSTOM)`.
    case fields(SOQLPlaced<SOQLFieldGroup>)

    /// Where the entry begins.
    public var position: SOQLPosition {
        switch self {
        case .count(let position): position.wrappedValue
        case .field(let expression, _): expression.position
        case .children(let children, _): children.position
        case .typeof(let typeof): typeof.position
        case .fields(let group): group.position
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
