// SPDX-License-Identifier: Apache-2.0

extension FieldDefinition {
    /// The objects of the catalogue whose records have pages of their own on the platform.
    private static let viewed: Set<String> = [
        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Product2", "Pricebook2",
        "User", "ContentVersion", "ContentDocument",
    ]

    /// The fields that tell when the user has looked at a record, of the objects that have them.
    static func usage(of object: String) -> [FieldDefinition] {
        guard viewed.contains(object) else { return [] }
        return RecordUsage.allCases.map { usage in
            let label = usage == .viewed ? "Last Viewed Date" : "Last Referenced Date"
            return FieldDefinition(
                schema: FieldSchema(
                    name: usage.rawValue, label: label, type: .datetime, isCreateable: false, isUpdateable: false),
                children: nil)
        }
    }
}
