// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// What files and messages can be about.
    static let subjects = [
        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Task", "Event",
    ]
    /// What a file can be shared with.
    private static let shareable = subjects + ["EmailMessage", "FeedItem", "Product2", "User", "Group"]

    /// Files, and what they are attached to.
    static let files = [
        ObjectDefinition(
            "Attachment", "Attachment", "Attachments", prefix: "00P",
            [
                .name("Name", 255),
                .polymorphic("ParentId", to: subjects + ["EmailMessage"], "Parent", children: "Attachments"),
                .text("ContentType", 120), .value("Body", .base64, required: true), .derived("BodyLength", .int),
                .value("IsPrivate", .boolean), .text("Description", 500, .textarea),
                .reference("OwnerId", to: "User", "Owner"),
            ]),
        ObjectDefinition(
            "ContentDocument", "Content Document", "Content Documents", prefix: "069",
            can: [.update, .delete, .undelete],
            [
                .name("Title", 255), .reference("OwnerId", to: "User", "Owner"), .text("Description", 1_000),
                .reference(
                    "LatestPublishedVersionId", to: "ContentVersion", "LatestPublishedVersion", derived: true),
                .pick("PublishStatus", ["P", "R", "U"], derived: true), .derived("FileType", .string, 20),
                .derived("FileExtension", .string, 40), .derived("ContentSize", .int),
                .pick("SharingOption", ["A", "R"]), .pick("SharingPrivacy", ["N", "P"]), .value("IsArchived", .boolean),
            ]),
        ObjectDefinition(
            "ContentVersion", "Content Version", "Content Versions", prefix: "068", can: [.create, .update],
            [
                .name("Title", 255, required: false), .text("PathOnClient", 500), .text("Description", 1_000),
                .reference("OwnerId", to: "User", "Owner"), .value("VersionData", .base64, fixed: true),
                .derived("ContentSize", .int),
                .reference(
                    "ContentDocumentId", to: "ContentDocument", "ContentDocument", children: "ContentVersions",
                    fixed: true, onDelete: .cascade),
                .derived("VersionNumber", .string, 20), .derived("IsLatest", .boolean),
                .polymorphic(
                    "FirstPublishLocationId", to: shareable, "FirstPublishLocation", fixed: true, onDelete: .clear),
                .derived("FileType", .string, 20), .derived("FileExtension", .string, 40),
                .text("ReasonForChange", 1_000), .pick("ContentLocation", ["S", "E", "L"]),
                .pick("Origin", ["C", "H"]),
                .pick("PublishStatus", ["P", "R", "U"], derived: true), .pick("SharingOption", ["A", "R"]),
                .pick("SharingPrivacy", ["N", "P"]), .value("IsMajorVersion", .boolean, fixed: true),
                .text("TagCsv", 2_000, .textarea),
            ]),
        ObjectDefinition(
            "ContentDocumentLink", "Content Document Link", "Content Document Links", prefix: "06A",
            can: [.create, .update, .delete],
            [
                .reference(
                    "ContentDocumentId", to: "ContentDocument", "ContentDocument", children: "ContentDocumentLinks",
                    required: true, fixed: true, onDelete: .cascade),
                .polymorphic(
                    "LinkedEntityId", to: shareable, "LinkedEntity", children: "ContentDocumentLinks", required: true,
                    fixed: true),
                .pick("ShareType", ["V", "C", "I"], restricted: true),
                .pick("Visibility", ["AllUsers", "InternalUsers", "SharedUsers"], restricted: true),
            ]),
    ]

    /// What people write to each other.
    static let messages = [
        ObjectDefinition(
            "EmailMessage", "Email Message", "Email Messages", prefix: "02s",
            [
                .name("Subject", 3_000, required: false),
                .reference("ParentId", to: "Case", "Parent", children: "EmailMessages", onDelete: .cascade),
                .polymorphic("RelatedToId", to: subjects, "RelatedTo", children: "Emails", onDelete: .clear),
                .reference("ActivityId", to: "Task", "Activity", children: "EmailMessages"),
                .text("TextBody", 131_072, .textarea), .text("HtmlBody", 131_072, .textarea),
                .text("Headers", 32_000, .textarea), .text("FromName", 1_000), .text("FromAddress", 1_000, .email),
                .text("ToAddress", 4_000), .text("CcAddress", 4_000), .text("BccAddress", 4_000),
                .value("Incoming", .boolean), .derived("HasAttachment", .boolean),
                .pick("Status", ["0", "1", "2", "3", "4", "5"]), .value("MessageDate", .datetime),
                .text("MessageIdentifier", 765), .text("ThreadIdentifier", 765),
                .value("IsExternallyVisible", .boolean),
            ]),
        ObjectDefinition(
            "FeedItem", "Feed Item", "Feed Items", prefix: "0D5",
            [
                .polymorphic(
                    "ParentId", to: subjects + ["User", "Group"], "Parent", children: "Feeds", required: true,
                    fixed: true),
                .text("Title", 255), .text("Body", 10_000, .textarea), .text("LinkUrl", 1_000, .url),
                .pick("Type", ["TextPost", "LinkPost", "ContentPost", "TrackedChange"]),
                .reference("RelatedRecordId", to: "ContentVersion", "RelatedRecord", fixed: true),
                .value("IsRichText", .boolean, fixed: true),
            ]),
    ]

    /// The org itself.
    static let organization = [
        ObjectDefinition(
            "Organization", "Organization", "Organizations", prefix: "00D", can: [.update],
            [
                .name("Name", 80), .derived("IsSandbox", .boolean), .derived("OrganizationType", .string, 40),
                .derived("InstanceName", .string, 5), .text("TimeZoneSidKey", 40), .text("LanguageLocaleKey", 40),
                .text("DefaultLocaleSidKey", 40), .text("PrimaryContact", 80),
            ])
    ]
}
