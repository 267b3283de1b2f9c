// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// One field of an object.
package struct FieldSchema: Sendable {
    package let name: String
    package var label: String
    package let type: FieldType
    /// Characters, for text; 0 elsewhere.
    package var length: Int
    package let isNillable: Bool
    package let isCreateable: Bool
    package let isUpdateable: Bool
    /// Usable in `/sobjects/T/FIELD/VALUE`.
    package let isExternalId: Bool
    package let isUnique: Bool
    package let isNameField: Bool
    package var picklistValues: [PicklistValue]
    /// Whether values outside the list are refused.
    package var isRestricted = false
    /// The digits of a number in all, and behind its point; 0 where there is no limit.
    package var precision = 0
    package var scale = 0
    /// What a new record gets that is given no value; null for nothing.
    package var defaultValue = JSONValue.null
    /// Whether a new record may leave it out although it is never null.
    package var isDefaultedOnCreate = false
    /// Whether it has a formula, which the org does not compute.
    package var isCalculated = false
    /// Whether the org counts its values.
    package var isAutoNumber = false
    /// What happens to a record when the one that this field points to is deleted.
    package var deletion = DeletionRule.clear
    /// The fields that it consists of, with the names that they have in its value.
    package var components: [Component] = []
    /// The objects an id in this field can point to; one for all objects of the embedded org except polymorphic fields.
    package var referenceTo: [String]
    /// The name of the parent relationship (`Owner` for `OwnerId`).
    package let relationshipName: String?

    /// A part of an address or a place.
    package struct Component: Sendable {
        /// Its name in the value (`city`).
        package let key: String
        /// The field that holds it (`BillingCity`).
        package let field: String

        package init(key: String, field: String) {
            self.key = key
            self.field = field
        }
    }

    /// Whether it can point to records of several objects, here or on the platform, where a queue can own a record too.
    package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }

    package init(
        name: String, label: String, type: FieldType, length: Int = 0, isNillable: Bool = true,
        isCreateable: Bool = true, isUpdateable: Bool = true, isExternalId: Bool = false, isUnique: Bool = false,
        isNameField: Bool = false, picklistValues: [PicklistValue] = [], referenceTo: [String] = [],
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
