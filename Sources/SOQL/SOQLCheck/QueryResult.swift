// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

package enum QueryResult: Sendable, Hashable {
    /// A number, for `SELECT COUNT()`.
    case count
    case rows(RowShape)
}

/// The members of a record or group, as selected by the query.
package struct RowShape: Sendable, Hashable {
    /// The object of the records, or `nil` for groups and for records of several objects.
    package let object: String?
    /// The members in the order of the select list.
    package let members: [RowMember]
}

/// One member of a record or group.
package struct RowMember: Sendable, Hashable {
    /// The key in the JSON of the response.
    package let key: String
    package let value: RowValue
    package let isNillable: Bool
}

/// The type of a member's value.
package indirect enum RowValue: Sendable, Hashable {
    case field(ValueType.Origin)
    case value(ValueType)
    /// A parent record.
    case parent(RowShape)
    /// A list of child records.
    case children(RowShape)
    /// A record of one of several objects, from TYPEOF.
    case variants(RowVariants)
}

/// The fields that TYPEOF selects.
package struct RowVariants: Sendable, Hashable {
    /// The fields for records of one object.
    package struct Branch: Sendable, Hashable {
        package let object: String
        package let shape: RowShape
    }

    /// The branches in the order of the text.
    package let branches: [Branch]
    /// The fields for records of all other objects.
    package let otherwise: RowShape
}

/// Determines the result type of a query without errors.
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
                // A subtotal has no value for the grouped field that it sums over, and a record may have no parent.
                let isOpen = !value.isOfGroup && (query.query.grouping != .plain || value.row?.isRoot == false)
                members.append(
                    RowMember(key: column.name, value: content, isNillable: value.isNillable || isOpen))
            }
            return .rows(RowShape(object: nil, members: members))
        }
    }

    /// Adds a finding for a value whose object is not in the schema.
    private mutating func refuse(_ expression: SOQLExpression) {
        let text = expression.text.shortened
        findings.append(
            Finding(
                rule: .unknownType,
                message:
                    "the schema has no type for '\(text)'; save the objects that it leads to with 'soql schema pull'",
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

    /// The type of a member, or `nil` if it is unknown.
    private mutating func member(_ member: ResolvedRecord.Member, of record: ResolvedRecord) -> RowMember? {
        switch member.content {
        case .value(let value):
            guard let value, let content = RowValue(value) else { return nil }
            // A function's value can come from a parent record, which may not exist.
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
    /// Creates the type of a value, or returns `nil` if it is unknown.
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
    fileprivate var givesFieldValues: Bool {
        switch source {
        case .field, .currency: true
        case .aggregate(let aggregate, _): [.minimum, .maximum, .sum].contains(aggregate)
        case .name, .type, .date, .label, .format, .distance, .subtotal: false
        }
    }

    /// Whether the value belongs to a whole group.
    fileprivate var isOfGroup: Bool {
        switch source {
        case .aggregate, .subtotal: true
        case .format(let value): value.isOfGroup
        default: false
        }
    }

    /// Whether the value can be null in a record or group that has the field's row.
    fileprivate var isNillable: Bool {
        switch source {
        case .aggregate(.count, _), .aggregate(.countDistinct, _), .subtotal: false
        case .aggregate, .distance: true
        default: field?.isNillable ?? (name != "Id")
        }
    }
}
