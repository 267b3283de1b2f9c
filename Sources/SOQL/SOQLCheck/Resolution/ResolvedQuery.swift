// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// A query whose names are resolved to fields, rows and types.
package struct ResolvedQuery: Sendable {
    /// The result of a query.
    package enum Selection: Sendable {
        /// The number of rows.
        case count
        /// One record for each row.
        case records(ResolvedRecord)
        /// One record for each group.
        case groups([ResolvedColumn])
    }

    /// The parsed query, with the clauses that need no schema: LIMIT, OFFSET, scope and usage.
    package let query: SOQLQuery
    package let object: ObjectDescription
    /// The additional rows in FROM, in the order of the text.
    package let joined: [ResolvedRow]
    package let selection: Selection
    package let condition: ResolvedCondition?
    package let groups: [ResolvedValue]
    package let having: ResolvedCondition?
    package let order: [ResolvedOrdering]
}

package struct ResolvedOrdering: Sendable {
    package let value: ResolvedValue
    /// The direction, and the position of nulls.
    package let ordering: SOQLOrdering
}

/// One value of a group.
package struct ResolvedColumn: Sendable {
    package let name: String
    /// The value, or `nil` if its object is not in the schema.
    package let value: ResolvedValue?
    package let expression: SOQLExpression
}

/// A row that a query reads: of the object in FROM, of a parent, or of children joined in FROM.
package struct ResolvedRow: Sendable {
    /// The relation of a row to the row of FROM.
    package indirect enum Origin: Sendable {
        case from
        /// The row that a reference field of another row points to.
        case parent(of: ResolvedRow, ObjectDescription.Field)
        /// The rows that point to another row. Each of them is a row of the result.
        case child(of: ResolvedRow, ObjectDescription.ChildRelationship)
        /// A row of several possible objects, if it belongs to this object.
        case branch(of: ResolvedRow)
    }

    package let origin: Origin
    /// The possible objects of the row, of which there are several only for a polymorphic parent.
    package let objects: [ObjectDescription]
    /// A key that is equal for equal rows of one FROM clause.
    package let key: String
    /// The names of the objects that the relationship can lead to, including those missing in the schema.
    var references: [String] = []
    /// Whether the relationship can lead to several objects, so that the record's type can be read.
    package var isPolymorphic = false
    /// Whether only the common fields of all objects can be read.
    package var isName: Bool { references.count > 1 }
    package var isRoot: Bool { if case .from = origin { true } else { false } }

    /// The row of the object in FROM.
    static func from(_ object: ObjectDescription) -> ResolvedRow {
        ResolvedRow(origin: .from, objects: [object], key: "")
    }

    /// The row, if it belongs to one object.
    func branch(_ object: ObjectDescription) -> ResolvedRow {
        ResolvedRow(origin: .branch(of: self), objects: [object], key: "\(key)#\(object.name)")
    }
}

/// A record of a result, or one of its parents, with the members in the order of their first use.
package struct ResolvedRecord: Sendable {
    package struct Member: Sendable {
        package let name: String
        package let content: Content
        /// The expression that selects the member first.
        package let expression: SOQLExpression
    }

    package indirect enum Content: Sendable {
        /// A value, or `nil` if its object is not in the schema.
        case value(ResolvedValue?)
        case parent(ResolvedRecord)
        /// A parent of one of several objects: the fields for some objects, and the fields for all others.
        case choice([ResolvedRecord], otherwise: ResolvedRecord)
        /// A list of children, or `nil` if their object is not in the schema.
        case children(ResolvedChildren?)
    }

    /// The row that the record is read from, or `nil` if its object is not in the schema.
    package let row: ResolvedRow?
    package let members: [Member]
}

package struct ResolvedChildren: Sendable {
    package let relationship: ObjectDescription.ChildRelationship
    package let query: ResolvedQuery
}

/// A field, or the result of a function.
package struct ResolvedValue: Sendable {
    package indirect enum Source: Sendable {
        case field(ObjectDescription.Field, ResolvedRow)
        /// A field that the records of several objects have in common.
        case name(ResolvedRow)
        /// The name of the object of a row.
        case type(ResolvedRow)
        /// A part of a date.
        case date(DateFunction, ResolvedValue)
        /// An aggregate over a group.
        case aggregate(SOQLAggregate, ResolvedValue)
        case label(ResolvedValue)
        /// A string formatted for the user.
        case format(ResolvedValue)
        /// An amount in the user's currency.
        case currency(ResolvedValue)
        /// The distance of a location from a fixed location.
        case distance(SOQLDistance, ResolvedValue)
        /// Whether a group is a subtotal over a value.
        case subtotal(ResolvedValue)
    }

    package let source: Source
    /// The name of the underlying field, as spelled in the schema.
    package let name: String
    package let kind: ValueKind?
    /// The objects whose records an id can identify, or an empty list if they are unknown.
    package let references: [String]
    /// The position in the query, and the length there in Unicode scalars.
    let position: SOQLPosition, length: Int
    /// The start of the path or function.
    let start: SOQLPosition

    func applying(_ source: (ResolvedValue) -> Source, _ kind: ValueKind?, at position: SOQLPosition) -> ResolvedValue {
        ResolvedValue(
            source: source(self), name: name, kind: kind, references: references, position: position, length: length,
            start: position)
    }

    /// The argument of the function, or `nil` for a field.
    package var argument: ResolvedValue? {
        switch source {
        case .field, .name, .type: nil
        case .date(_, let value), .aggregate(_, let value), .label(let value), .format(let value),
            .currency(let value), .distance(_, let value), .subtotal(let value):
            value
        }
    }

    /// The underlying field and its row, or `nil` for a field that several objects have in common.
    package var origin: (field: ObjectDescription.Field, row: ResolvedRow)? {
        if case .field(let field, let row) = source { (field, row) } else { argument?.origin }
    }

    /// The row of the underlying field.
    package var row: ResolvedRow? {
        switch source {
        case .field(_, let row), .name(let row), .type(let row): row
        default: argument?.row
        }
    }

    package var field: ObjectDescription.Field? { origin?.field }
    /// Whether the value is a field or its label, and not the result of another function.
    var isColumn: Bool { if case .label(let value) = source { value.isColumn } else { argument == nil } }
    var isFilterable: Bool { field.map { !isColumn || $0.isFilterable } ?? true }
    var isSortable: Bool { field.map { !isColumn || ($0.isSortable && $0.kind != .multipicklist) } ?? true }
    var isGroupable: Bool { field.map { !isColumn || ($0.isGroupable && $0.kind != .multipicklist) } ?? true }
}

/// A condition on rows or groups.
package indirect enum ResolvedCondition: Sendable {
    case test(ResolvedTest)
    case not(ResolvedCondition)
    case and([ResolvedCondition])
    case or([ResolvedCondition])
}

/// One comparison of a value.
package struct ResolvedTest: Sendable {
    package enum Right: Sendable {
        case literal(SOQLValue), pattern(SOQLPattern), list([SOQLValue])
        /// The values of the selected field of a query.
        case query(ResolvedSemiJoin)
    }

    package let value: ResolvedValue
    package let `operator`: SOQLOperator
    package let right: Right
}

/// A semi-join: a query that selects the values of one field.
package struct ResolvedSemiJoin: Sendable {
    package let query: SOQLQuery
    package let object: ObjectDescription
    package let joined: [ResolvedRow]
    /// The selected id or reference.
    package let value: ResolvedValue
    package let condition: ResolvedCondition?
}
