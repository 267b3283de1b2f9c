// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
package import SOQLStore

/// The standard objects of every embedded org.
package enum Catalogue {
    package static let standard = schema(
        of: parties + sales + activities + people + relations + access + files + messages + streams + organization
            + definitions)

    /// Derives child relationships from the references that name them.
    static func schema(of definitions: [ObjectDefinition]) -> Schema {
        var children: [String: [ChildRelationship]] = [:]
        for definition in definitions {
            for field in definition.fields {
                guard let name = field.children else { continue }
                for parent in field.schema.referenceTo {
                    children[parent, default: []].append(
                        ChildRelationship(name: name, object: definition.name, field: field.schema.name))
                }
            }
        }
        return Schema(
            objects: definitions.map { definition in
                SObjectSchema(
                    name: definition.name, label: definition.label, labelPlural: definition.plural,
                    keyPrefix: definition.prefix, fields: definition.fields.map(\.schema),
                    childRelationships: children[definition.name] ?? [], abilities: definition.abilities)
            })
    }

    static let caseStatuses = ["New", "Working", "Escalated", "Closed"]
    static let caseOrigins = ["Phone", "Email", "Web"]
    static let caseReasons = ["Installation", "Equipment Complexity", "Performance", "Breakdown", "Feedback", "Other"]
    private static let persons = ["Contact", "Lead"]
    private static let topics = ["Account", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Product2"]

    /// Objects for service and activities.
    static let activities = [
        ObjectDefinition(
            "Case", "Case", "Cases", prefix: "500",
            [
                .derivedName("CaseNumber", 30),
                .reference("AccountId", to: "Account", "Account", children: "Cases", onDelete: .restrict),
                .reference("ContactId", to: "Contact", "Contact", children: "Cases", onDelete: .restrict),
                .reference("ParentId", to: "Case", "Parent", children: "Cases"),
                .reference("OwnerId", to: "User", "Owner"), .text("Subject", 255),
                .text("Description", 32_000, .textarea),
                .pick("Status", caseStatuses), .pick("Priority", ["High", "Medium", "Low"]),
                .pick("Origin", caseOrigins),
                .pick("Reason", caseReasons),
                .pick("Type", ["Mechanical", "Electrical", "Electronic", "Structural", "Other"]),
                .derived("IsClosed", .boolean), .value("IsEscalated", .boolean), .derived("ClosedDate", .datetime),
                .recordType, .masterRecord("Case"),
            ]),
        ObjectDefinition(
            "Task", "Task", "Tasks", prefix: "00T",
            [
                .name("Subject", 255, required: false), .polymorphic("WhoId", to: persons, "Who", children: "Tasks"),
                .polymorphic("WhatId", to: topics, "What", children: "Tasks"),
                .reference("OwnerId", to: "User", "Owner"),
                .reference("AccountId", to: "Account", "Account"),
                .pick("Status", ["Not Started", "In Progress", "Completed", "Waiting on someone else", "Deferred"]),
                .pick("Priority", ["High", "Normal", "Low"]), .value("ActivityDate", .date),
                .derived("IsClosed", .boolean),
                .text("Description", 32_000, .textarea),
            ]),
        ObjectDefinition(
            "Event", "Event", "Events", prefix: "00U",
            [
                .name("Subject", 255, required: false), .polymorphic("WhoId", to: persons, "Who", children: "Events"),
                .polymorphic("WhatId", to: topics, "What", children: "Events"),
                .reference("OwnerId", to: "User", "Owner"),
                .reference("AccountId", to: "Account", "Account"), .text("Location", 255),
                .value("StartDateTime", .datetime), .value("EndDateTime", .datetime), .value("DurationInMinutes", .int),
                .value("IsAllDayEvent", .boolean), .text("Description", 32_000, .textarea),
            ]),
    ]

    /// The org's own objects and fields as records, which are written at every start.
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

    /// The objects that files and messages can belong to.
    static let subjects = [
        "Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Contract", "Asset", "Task", "Event",
    ]
    /// The objects that a file can be shared with.
    private static let shareable = subjects + ["EmailMessage", "FeedItem", "Product2", "User", "Group"]

    /// Files, and their relations to other objects.
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

    /// The queries and the channels that publish events.
    static let streams = [
        ObjectDefinition(
            "PushTopic", "Push Topic", "Push Topics", prefix: "0IF", can: [.create, .update, .delete],
            [
                .name("Name", 25), .text("Query", 1_300, .textarea, required: true),
                .value("ApiVersion", .double, required: true), .flag("IsActive"),
                .pick("NotifyForFields", ["All", "Referenced", "Select", "Where"], restricted: true),
                .flag("NotifyForOperationCreate"), .flag("NotifyForOperationUpdate"),
                .flag("NotifyForOperationDelete"), .flag("NotifyForOperationUndelete"),
                .text("Description", 400, .textarea),
            ]),
        ObjectDefinition(
            "StreamingChannel", "Streaming Channel", "Streaming Channels", prefix: "0M6",
            can: [.create, .update, .delete],
            [.name("Name", 80), .text("Description", 255, .textarea)]),
        ObjectDefinition(
            EventSubscriber.object, "Event Bus Subscriber", "Event Bus Subscribers", prefix: "0Bs", can: [],
            [
                .derivedName("Name", 80), .derived("ExternalId", .string, 40), .derived("Topic", .string, 255),
                .derived("Type", .string, 40), .derived("Status", .string, 40), .derived("Position", .int),
                .derived("Tip", .int), .derived("Retries", .int), .derived("LastError", .string, 1_000),
            ]),
    ]

    static let organization = [
        ObjectDefinition(
            "Organization", "Organization", "Organizations", prefix: "00D", can: [.update],
            [
                .name("Name", 80), .derived("IsSandbox", .boolean), .derived("OrganizationType", .string, 40),
                .derived("InstanceName", .string, 5), .text("TimeZoneSidKey", 40), .text("LanguageLocaleKey", 40),
                .text("DefaultLocaleSidKey", 40), .text("PrimaryContact", 80),
            ])
    ]

    static let industries = [
        "Agriculture", "Apparel", "Banking", "Biotechnology", "Chemicals", "Communications", "Construction",
        "Consulting",
        "Education", "Electronics", "Energy", "Engineering", "Entertainment", "Finance", "Food & Beverage",
        "Government",
        "Healthcare", "Hospitality", "Insurance", "Machinery", "Manufacturing", "Media", "Retail", "Technology",
        "Telecommunications", "Transportation", "Utilities", "Other",
    ]
    static let salutations = ["Mr.", "Ms.", "Mrs.", "Dr.", "Prof.", "Mx."]
    static let leadSources = ["Web", "Phone Inquiry", "Partner Referral", "Purchased List", "Trade Show", "Other"]
    static let ratings = ["Hot", "Warm", "Cold"]

    static let parties = [
        ObjectDefinition(
            "Account", "Account", "Accounts", prefix: "001",
            [
                .name("Name", 255),
                .pick(
                    "Type",
                    [
                        "Prospect", "Customer - Direct", "Customer - Channel", "Technology Partner",
                        "Installation Partner", "Other",
                    ]),
                .pick("Industry", industries), .pick("Rating", ratings),
                .pick("Ownership", ["Public", "Private", "Subsidiary", "Other"]),
                .value("AnnualRevenue", .currency), .value("NumberOfEmployees", .int), .text("AccountNumber", 40),
                .text("Phone", 40, .phone), .text("Fax", 40, .phone), .text("Website", 255, .url), .text("Site", 80),
                .text("Description", 32_000, .textarea), .pick("AccountSource", leadSources),
                .reference("ParentId", to: "Account", "Parent", children: "ChildAccounts"),
                .reference("OwnerId", to: "User", "Owner"), .externalID, .recordType, .masterRecord("Account"),
            ] + FieldDefinition.address("Billing") + FieldDefinition.address("Shipping")),
        ObjectDefinition(
            "Contact", "Contact", "Contacts", prefix: "003",
            [
                .derivedName("Name", 121), .pick("Salutation", salutations), .text("FirstName", 40),
                .text("LastName", 80, required: true),
                .reference("AccountId", to: "Account", "Account", children: "Contacts", onDelete: .cascade),
                .reference("ReportsToId", to: "Contact", "ReportsTo"), .reference("OwnerId", to: "User", "Owner"),
                .text("Title", 128), .text("Department", 80), .text("Email", 80, .email), .text("Phone", 40, .phone),
                .text("MobilePhone", 40, .phone), .value("Birthdate", .date), .pick("LeadSource", leadSources),
                .value("DoNotCall", .boolean), .text("Description", 32_000, .textarea), .externalID, .recordType,
                .masterRecord("Contact"),
            ] + FieldDefinition.address("Mailing")),
        ObjectDefinition(
            "Lead", "Lead", "Leads", prefix: "00Q",
            [
                .derivedName("Name", 121), .pick("Salutation", salutations), .text("FirstName", 40),
                .text("LastName", 80, required: true), .text("Company", 255, required: true), .text("Title", 128),
                .text("Email", 80, .email), .text("Phone", 40, .phone), .text("Website", 255, .url),
                .pick(
                    "Status",
                    ["Open - Not Contacted", "Working - Contacted", "Closed - Converted", "Closed - Not Converted"],
                    required: true),
                .pick("LeadSource", leadSources), .pick("Industry", industries), .pick("Rating", ratings),
                .value("AnnualRevenue", .currency), .value("NumberOfEmployees", .int), .value("IsConverted", .boolean),
                .text("Description", 32_000, .textarea), .reference("OwnerId", to: "User", "Owner"), .recordType,
                .masterRecord("Lead"),
            ] + FieldDefinition.address("")),
    ]

    /// The users of the org.
    ///
    /// Users and profiles are in the sample data. The API can create and change them, but not delete them.
    static let people = [
        ObjectDefinition(
            "User", "User", "Users", prefix: "005", can: [.create, .update],
            [
                .derivedName("Name", 121), .text("Username", 80, required: true), .text("FirstName", 40),
                .text("LastName", 80, required: true), .text("Email", 128, .email, required: true),
                .text("Alias", 8, required: true), .text("Title", 80), .text("Department", 80),
                .text("Phone", 40, .phone),
                .value("IsActive", .boolean), .pick("UserType", ["Standard", "Guest"]),
                .pick(
                    "TimeZoneSidKey",
                    ["GMT", "Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles"]),
                .pick("LocaleSidKey", ["en_US", "en_GB", "de_DE"]), .pick("LanguageLocaleKey", ["en_US", "de"]),
                .reference("ProfileId", to: "Profile", "Profile", children: "Users", required: true),
                .reference("ManagerId", to: "User", "Manager", children: "ManagedUsers"),
                .reference("UserRoleId", to: "UserRole", "UserRole", children: "Users", onDelete: .restrict),
            ]),
        ObjectDefinition(
            "Profile", "Profile", "Profiles", prefix: "00e", can: [.create, .update],
            [.name("Name", 255), .pick("UserType", ["Standard", "Guest"]), .text("Description", 255)]),
    ]
}
