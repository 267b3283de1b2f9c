// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// A query with the meaning of its names: every path has its field, every parent its row, every value its type.
package struct ResolvedQuery: Sendable {
    /// What a query gives.
    package enum Selection: Sendable {
        /// The number of rows.
        case count
        /// One record for each row.
        case records(ResolvedRecord)
        /// One record for each group.
        case groups([ResolvedColumn])
    }

    /// The clauses that need no schema: LIMIT, OFFSET, scope, usage.
    package let query: SOQLQuery
    /// The object in FROM.
    package let object: ObjectDescription
    /// The rows that FROM names beside the object, in the order of the text.
    package let joined: [ResolvedRow]
    /// What the query gives.
    package let selection: Selection
    /// The condition on rows.
    package let condition: ResolvedCondition?
    /// The grouped values.
    package let groups: [ResolvedValue]
    /// The condition on groups.
    package let having: ResolvedCondition?
    /// The order of the rows or groups.
    package let order: [ResolvedOrdering]
}

/// One entry of ORDER BY.
package struct ResolvedOrdering: Sendable {
    /// What is compared.
    package let value: ResolvedValue
    /// The direction, and the place of nulls.
    package let ordering: SOQLOrdering
}

/// One value of a group.
package struct ResolvedColumn: Sendable {
    /// The name in the result.
    package let name: String
    /// The value; `nil` when the schema lacks its object.
    package let value: ResolvedValue?
    /// The text that asks for it.
    package let expression: SOQLExpression
}

/// A row that a query reads: of the object in FROM, of a parent, or of children that FROM joins.
package struct ResolvedRow: Sendable {
    /// The way to a row.
    package indirect enum Origin: Sendable {
        /// The row of the object in FROM.
        case from
        /// The row that a reference of another row points to.
        case parent(of: ResolvedRow, ObjectDescription.Field)
        /// The rows that point to another row; each is a row of the result.
        case child(of: ResolvedRow, ObjectDescription.ChildRelationship)
        /// A row of several objects, if it is of this one.
        case branch(of: ResolvedRow)
    }

    /// The way to it.
    package let origin: Origin
    /// The objects that it can be of; more than one only for a polymorphic parent.
    package let objects: [ObjectDescription]
    /// The name of the way, which is the same for the same row of one FROM.
    package let key: String
    /// The names of the objects that the relationship can lead to, those that the schema lacks too.
    var references: [String] = []
    /// Whether the relationship can lead to several objects, so that the record's own type is of interest.
    package var isPolymorphic = false
    /// Whether only the fields that all objects have in common can be read.
    package var isName: Bool { references.count > 1 }
    /// Whether it is the row of the object in FROM.
    package var isRoot: Bool { if case .from = origin { true } else { false } }

    /// The row of the object in FROM.
    static func from(_ object: ObjectDescription) -> ResolvedRow {
        ResolvedRow(origin: .from, objects: [object], key: "")
    }

    /// The row, if it is of one object.
    func branch(_ object: ObjectDescription) -> ResolvedRow {
        ResolvedRow(origin: .branch(of: self), objects: [object], key: "\(key)#\(object.name)")
    }
}

/// A record of a result, or a parent of one: its members in the order of their first mention.
package struct ResolvedRecord: Sendable {
    /// One member.
    package struct Member: Sendable {
        /// Its name in the result.
        package let name: String
        /// What it holds.
        package let content: Content
        /// The text that asks for it first.
        package let expression: SOQLExpression
    }

    /// What a member holds.
    package indirect enum Content: Sendable {
        /// A value; `nil` when the schema lacks its object.
        case value(ResolvedValue?)
        /// The record of a parent.
        case parent(ResolvedRecord)
        /// A parent of one of several objects: what is read of some objects, and of all others.
        case choice([ResolvedRecord], otherwise: ResolvedRecord)
        /// A list of children; `nil` when the schema lacks their object.
        case children(ResolvedChildren?)
    }

    /// The row that it is read from; `nil` when the schema lacks its object.
    package let row: ResolvedRow?
    /// Its members.
    package let members: [Member]
}

/// A child query.
package struct ResolvedChildren: Sendable {
    /// The relationship to the children.
    package let relationship: ObjectDescription.ChildRelationship
    /// The query, whose object is that of the children.
    package let query: ResolvedQuery
}

/// A field, or what a function makes of one.
package struct ResolvedValue: Sendable {
    /// Where the value comes from.
    package indirect enum Source: Sendable {
        /// A field of a row.
        case field(ObjectDescription.Field, ResolvedRow)
        /// A field that the records of several objects share.
        case name(ResolvedRow)
        /// The name of the object that a row is of.
        case type(ResolvedRow)
        /// A part of a date.
        case date(DateFunction, ResolvedValue)
        /// A value of a group.
        case aggregate(SOQLAggregate, ResolvedValue)
        /// The label of a picklist value.
        case label(ResolvedValue)
        /// A text for a reader.
        case format(ResolvedValue)
        /// An amount in the user's currency.
        case currency(ResolvedValue)
        /// How far a place is from a fixed one.
        case distance(SOQLDistance, ResolvedValue)
        /// Whether a group is a subtotal over a value.
        case subtotal(ResolvedValue)
    }

    /// Where it comes from.
    package let source: Source
    /// The name of the field at the bottom, as the schema spells it.
    package let name: String
    /// What it holds; `nil` for a type that is not known.
    package let kind: ValueKind?
    /// Of an id, the objects whose records it can name; empty when they are not known.
    package let references: [String]
    /// Where it was written, and its length there in Unicode scalars.
    let position: SOQLPosition, length: Int
    /// Where the path or the function begins.
    let start: SOQLPosition

    /// What a function makes of it.
    func applying(_ source: (ResolvedValue) -> Source, _ kind: ValueKind?, at position: SOQLPosition) -> ResolvedValue {
        ResolvedValue(
            source: source(self), name: name, kind: kind, references: references, position: position, length: length,
            start: position)
    }

    /// The value that a function is applied to; `nil` for a field.
    package var argument: ResolvedValue? {
        switch source {
        case .field, .name, .type: nil
        case .date(_, let value), .aggregate(_, let value), .label(let value), .format(let value),
            .currency(let value), .distance(_, let value), .subtotal(let value):
            value
        }
    }

    /// The field at the bottom and its row; `nil` for one that several objects share.
    package var origin: (field: ObjectDescription.Field, row: ResolvedRow)? {
        if case .field(let field, let row) = source { (field, row) } else { argument?.origin }
    }

    /// The row of the field at the bottom.
    package var row: ResolvedRow? {
        switch source {
        case .field(_, let row), .name(let row), .type(let row): row
        default: argument?.row
        }
    }

    /// The field at the bottom.
    package var field: ObjectDescription.Field? { origin?.field }
    /// Whether the value is a field itself, not that of a function; a label stands for its value.
    var isColumn: Bool { if case .label(let value) = source { value.isColumn } else { argument == nil } }
    var isFilterable: Bool { field.map { !isColumn || $0.isFilterable } ?? true }
    var isSortable: Bool { field.map { !isColumn || ($0.isSortable && $0.kind != .multipicklist) } ?? true }
    var isGroupable: Bool { field.map { !isColumn || ($0.isGroupable && $0.kind != .multipicklist) } ?? true }
}

/// A condition on rows or groups.
package indirect enum ResolvedCondition: Sendable {
    /// One test.
    case test(ResolvedTest)
    /// The opposite.
    case not(ResolvedCondition)
    /// All of them.
    case and([ResolvedCondition])
    /// Any of them.
    case or([ResolvedCondition])
}

/// One test of a value.
package struct ResolvedTest: Sendable {
    /// What a value is compared with.
    package enum Right: Sendable {
        case literal(SOQLValue), pattern(SOQLPattern), list([SOQLValue])
        /// The values of the one field of a query.
        case query(ResolvedSemiJoin)
    }

    /// What is tested.
    package let value: ResolvedValue
    /// How.
    package let `operator`: SOQLOperator
    /// What it is compared with.
    package let right: Right
}

/// A query whose values of one field are looked up: a semi-join.
package struct ResolvedSemiJoin: Sendable {
    /// The query's own clauses.
    package let query: SOQLQuery
    /// The object in FROM.
    package let object: ObjectDescription
    /// The rows that FROM names beside the object.
    package let joined: [ResolvedRow]
    /// The id or reference that it selects.
    package let value: ResolvedValue
    /// The condition on its rows.
    package let condition: ResolvedCondition?
}
