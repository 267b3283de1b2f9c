// SPDX-License-Identifier: Apache-2.0

/// What a value is: of which kind, and of which field, where that tells more.
package struct ValueType: Sendable, Hashable {
    /// A field of an object.
    package struct Origin: Sendable, Hashable {
        /// The object's name.
        package let object: String
        /// The field.
        package let field: QuerySchema.Field

        /// The field as people write it: `Account.Industry`.
        package var name: String { "\(object).\(field.name)" }
    }

    /// What it holds.
    package let kind: ValueKind
    /// The field whose values these are; `nil` for those of functions, and for what is used for several fields.
    package var origin: Origin?
    /// Of an id, the objects whose records it can name; empty when they are not known.
    package var references: [String] = []

    /// The type in a message: `Account.Industry (picklist)`.
    var description: String { origin.map { "\($0.name) (\($0.field.type))" } ?? "a value of type \(kind.name)" }

    /// What is a value of both; `nil` when nothing is.
    func merged(with other: ValueType) -> ValueType? {
        guard self != other else { return self }
        switch (kind, other.kind) {
        case (.id, .id):
            if references.isEmpty || other.references.isEmpty { return ValueType(kind: .id) }
            let common = references.filter(other.references.contains)
            return common.isEmpty ? nil : ValueType(kind: .id, references: common)
        case (.integer, .real), (.real, .integer): return ValueType(kind: .integer)
        default: return kind == other.kind ? ValueType(kind: kind) : nil
        }
    }
}

extension Operand {
    /// The field that it is, or that a function gives values of.
    var fieldType: ValueType? {
        guard let kind else { return nil }
        let origin = object.flatMap { object in field.map { ValueType.Origin(object: object, field: $0) } }
        return ValueType(kind: kind, origin: origin, references: references)
    }
}
