// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Files, and the org itself.
    static let files = [
        ObjectDefinition(
            "Attachment", "Attachment", "Attachments", prefix: "00P",
            [
                .name("Name", 255),
                .polymorphic(
                    "ParentId", to: ["Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Task", "Event"],
                    "Parent", children: "Attachments"),
                .text("ContentType", 120), .text("Description", 500), .value("IsPrivate", .boolean),
                .reference("OwnerId", to: "User", "Owner"), .blob("Body"), .derived("BodyLength", .int),
            ]),
        ObjectDefinition(
            "ContentVersion", "Content Version", "Content Versions", prefix: "068",
            [
                .name("Title", 255), .text("PathOnClient", 500), .text("Description", 1_000),
                .reference("OwnerId", to: "User", "Owner"), .blob("VersionData"), .derived("ContentSize", .int),
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
