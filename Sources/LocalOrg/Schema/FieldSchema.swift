// SPDX-License-Identifier: Apache-2.0

/// One field of an object.
package struct FieldSchema: Sendable {
    package let name: String
    package let label: String
    package let type: FieldType
    /// Characters, for text; 0 elsewhere.
    package let length: Int
    package let isNillable: Bool
    package let isCreateable: Bool
    package let isUpdateable: Bool
    /// Usable in `/sobjects/T/FIELD/VALUE`.
    package let isExternalId: Bool
    package let isUnique: Bool
    package let isNameField: Bool
    package let picklistValues: [String]
    /// The objects an id in this field can point to; one for all objects of the embedded org except polymorphic fields.
    package let referenceTo: [String]
    /// The name of the parent relationship (`Owner` for `OwnerId`).
    package let relationshipName: String?

    /// Whether it can point to records of several objects, here or on the platform, where a queue can own a record too.
    package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }

    package init(
        name: String, label: String, type: FieldType, length: Int = 0, isNillable: Bool = true,
        isCreateable: Bool = true, isUpdateable: Bool = true, isExternalId: Bool = false, isUnique: Bool = false,
        isNameField: Bool = false, picklistValues: [String] = [], referenceTo: [String] = [],
        relationshipName: String? = nil
    ) {
        self.name = name
        self.label = label
        self.type = type
        self.length = length
        self.isNillable = isNillable
        self.isCreateable = isCreateable
        self.isUpdateable = isUpdateable
        self.isExternalId = isExternalId
        self.isUnique = isUnique
        self.isNameField = isNameField
        self.picklistValues = picklistValues
        self.referenceTo = referenceTo
        self.relationshipName = relationshipName
    }
}
