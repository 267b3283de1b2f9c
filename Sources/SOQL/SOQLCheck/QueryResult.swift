// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What a query gives.
package enum QueryResult: Sendable, Hashable {
    /// A number: the query is `SELECT COUNT()`.
    case count
    /// Records or groups of this shape.
    case rows(RowShape)
}

/// The members of a record or a group, as the query asks for them.
package struct RowShape: Sendable, Hashable {
    /// The object of the records; `nil` for groups, and for records of several objects.
    package let object: String?
    /// The members in the order of the select list.
    package let members: [RowMember]
}

/// One member of a record or a group.
package struct RowMember: Sendable, Hashable {
    /// Its name in the JSON of the answer.
    package let key: String
    /// What it holds.
    package let value: RowValue
    /// Whether it can be null.
    package let isNillable: Bool
}

/// What a member of a record or a group holds.
package indirect enum RowValue: Sendable, Hashable {
    /// A value of a field.
    case field(ValueType.Origin)
    /// The value of a function.
    case value(ValueType)
    /// A record of a parent.
    case parent(RowShape)
    /// A list of children.
    case children(RowShape)
    /// A record of one of several objects.
    case variants(RowVariants)
}

/// What TYPEOF selects.
package struct RowVariants: Sendable, Hashable {
    /// The records of one object.
    package struct Branch: Sendable, Hashable {
        /// The object's name.
        package let object: String
        /// What is selected of its records.
        package let shape: RowShape
    }

    /// The branches in the order of the text.
    package let branches: [Branch]
    /// What is selected of the records of other objects.
    package let otherwise: RowShape
}

/// Finds out what a query without errors gives.
struct ResultReader {
    private(set) var findings: [Finding] = []

    mutating func result(of query: ResolvedQuery) -> QueryResult {
        switch query.selection {
        case .count: return .count
        case .records(let record): return .rows(shape(of: record))
        case .groups(let columns):
            var members: [RowMember] = []
            for column in columns {
                guard let value = column.value, let content = RowValue(value) else {
                    refuse(column.expression)
                    continue
                }
                // A subtotal has no value of its own for what it goes over, and a record perhaps no parent.
                let isOpen = !value.isOfGroup && (query.query.grouping != .plain || value.row?.isRoot == false)
                members.append(
                    RowMember(key: column.name, value: content, isNillable: value.isNillable || isOpen))
            }
            return .rows(RowShape(object: nil, members: members))
        }
    }

    /// Notes a value whose object the schema does not have.
    private mutating func refuse(_ expression: SOQLExpression) {
        let text = expression.text.shortened
        findings.append(
            Finding(
                rule: .unknownType,
                message:
                    "the schema does not tell the type of '\(text)'; save the objects that it leads to with 'soql schema pull'",
                position: expression.position, length: text.unicodeScalars.count, start: expression.position,
                suggestions: []))
    }

    private mutating func shape(of record: ResolvedRecord) -> RowShape {
        var members: [RowMember] = []
        for member in record.members {
            if let found = self.member(member, of: record) { members.append(found) } else { refuse(member.expression) }
        }
        return RowShape(object: record.row.flatMap { $0.isName ? nil : $0.objects.first?.name }, members: members)
    }

    /// A member; `nil` when its type is not known.
    private mutating func member(_ member: ResolvedRecord.Member, of record: ResolvedRecord) -> RowMember? {
        switch member.content {
        case .value(let value):
            guard let value, let content = RowValue(value) else { return nil }
            // The value of a function can be of a parent, which the record perhaps does not have.
            return RowMember(
                key: member.name, value: content,
                isNillable: value.isNillable || value.row?.key != record.row?.key)
        case .parent(let record):
            return RowMember(key: member.name, value: .parent(shape(of: record)), isNillable: true)
        case .choice(let branches, let otherwise):
            guard otherwise.row != nil else { return nil }
            let variants = RowVariants(
                branches: branches.map { .init(object: $0.row?.objects.first?.name ?? "", shape: shape(of: $0)) },
                otherwise: shape(of: otherwise))
            return RowMember(key: member.name, value: .variants(variants), isNillable: true)
        case .children(let children):
            guard let children, case .records(let record) = children.query.selection else { return nil }
            return RowMember(key: member.name, value: .children(shape(of: record)), isNillable: false)
        }
    }
}

extension RowValue {
    /// What a value is in the result; `nil` for a type that is not known.
    fileprivate init?(_ value: ResolvedValue) {
        if value.givesFieldValues, let origin = value.origin, let object = origin.row.objects.first {
            self = .field(ValueType.Origin(object: object.name, field: origin.field))
        } else if let kind = value.kind {
            self = .value(ValueType(kind: kind, references: kind == .id ? value.references : []))
        } else {
            return nil
        }
    }
}

extension ResolvedValue {
    /// Whether the values are such as the field at the bottom has.
    fileprivate var givesFieldValues: Bool {
        switch source {
        case .field, .currency: true
        case .aggregate(let aggregate, _): [.minimum, .maximum, .sum].contains(aggregate)
        case .name, .type, .date, .label, .format, .distance, .subtotal: false
        }
    }

    /// Whether it is a value of a whole group.
    fileprivate var isOfGroup: Bool {
        switch source {
        case .aggregate, .subtotal: true
        case .format(let value): value.isOfGroup
        default: false
        }
    }

    /// Whether a record or group that has the field's row can be without the value.
    fileprivate var isNillable: Bool {
        switch source {
        case .aggregate(.count, _), .aggregate(.countDistinct, _), .subtotal: false
        case .aggregate, .distance: true
        default: field?.isNillable ?? (name != "Id")
        }
    }
}
