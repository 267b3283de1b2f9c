// SPDX-License-Identifier: Apache-2.0

extension FieldSchema {
    /// Whether the org keeps its records in the order of the field, so that conditions and orders by it are quick.
    ///
    /// These are the fields that the platform has indexes for: the name, the owner, dates of the record's own history,
    /// and addresses for mail. Picklists are here too, because records are grouped by them.
    package var isOrdered: Bool {
        switch type {
        case .picklist, .email: true
        case .string: isNameField
        case .datetime: ["CreatedDate", "LastModifiedDate", "SystemModstamp"].contains(name)
        case .reference: name == "OwnerId"
        default: false
        }
    }
}
