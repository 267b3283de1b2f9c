// SPDX-License-Identifier: Apache-2.0

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
