// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// What the org knows of its own objects and fields; the org writes these records at every start.
    static let definitions = [
        ObjectDefinition(
            "EntityDefinition", "Entity Definition", "Entity Definitions", prefix: "4ie", can: [],
            [.derivedName("QualifiedApiName", 80)] + texts(entityTexts) + flags(entityFlags)),
        ObjectDefinition(
            "FieldDefinition", "Field Definition", "Field Definitions", prefix: "4fe", can: [],
            [
                .derivedName("QualifiedApiName", 80),
                .reference(
                    "EntityDefinitionId", to: "EntityDefinition", "EntityDefinition", children: "Fields",
                    derived: true),
                .derived("Length", .int), .derived("Precision", .int), .derived("Scale", .int),
            ] + texts(fieldTexts) + flags(fieldFlags)),
    ]

    private static let entityTexts = [
        "DurableId", "DeveloperName", "NamespacePrefix", "MasterLabel", "Label", "PluralLabel", "KeyPrefix",
    ]
    private static let entityFlags = [
        "IsCustomizable", "IsCustomSetting", "IsQueryable", "IsRetrieveable", "IsSearchable", "IsLayoutable",
        "IsCompactLayoutable", "IsTriggerable", "IsApexTriggerable", "IsWorkflowEnabled", "IsIdEnabled",
        "IsReplicateable", "IsDeprecatedAndHidden", "IsEverCreatable", "IsEverUpdatable", "IsEverDeletable",
    ]
    private static let fieldTexts = [
        "DurableId", "DeveloperName", "NamespacePrefix", "MasterLabel", "Label", "DataType", "ValueTypeId",
        "RelationshipName",
    ]
    private static let fieldFlags = [
        "IsNillable", "IsCalculated", "IsCompound", "IsNameField", "IsIndexed", "IsApiFilterable", "IsApiSortable",
        "IsApiGroupable", "IsPolymorphicForeignKey", "IsHtmlFormatted", "IsHighScaleNumber", "IsFieldHistoryTracked",
    ]

    private static func texts(_ names: [String]) -> [FieldDefinition] { names.map { .derived($0, .string, 255) } }

    private static func flags(_ names: [String]) -> [FieldDefinition] { names.map { .derived($0, .boolean) } }
}
