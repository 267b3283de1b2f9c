// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Files, and the org itself.
    static let files = [
        ObjectDefinition(
            "Attachment", "Attachment", "Attachments", prefix: "00P",
            [
                .name("Name", 255),
                .polymorphic(
                    "ParentId",
                    to: [
                        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Task",
                        "Event",
                    ],
                    "Parent", children: "Attachments"),
                .text("ContentType", 120), .value("Body", .base64, required: true), .derived("BodyLength", .int),
                .value("IsPrivate", .boolean), .text("Description", 500, .textarea),
                .reference("OwnerId", to: "User", "Owner"),
            ]),
        ObjectDefinition(
            "ContentVersion", "Content Version", "Content Versions", prefix: "068",
            [
                .name("Title", 255), .text("PathOnClient", 500), .text("Description", 1_000),
                .reference("OwnerId", to: "User", "Owner"), .value("VersionData", .base64),
                .derived("ContentSize", .int),
            ]),
        ObjectDefinition(
            "Organization", "Organization", "Organizations", prefix: "00D",
            [
                .name("Name", 80), .derived("IsSandbox", .boolean), .derived("OrganizationType", .string),
                .derived("InstanceName", .string), .text("TimeZoneSidKey", 40), .text("LanguageLocaleKey", 40),
                .text("DefaultLocaleSidKey", 40), .text("PrimaryContact", 80),
            ]),
    ]
}
