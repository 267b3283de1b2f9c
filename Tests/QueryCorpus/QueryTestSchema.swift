// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
package import SOQLStore

/// A schema of five objects, with every type of field.
package enum QueryTestSchema {
    package static let schema = Schema(objects: [account, contact, user, lead, task, article])

    private static func object(
        _ name: String, _ prefix: String, _ fields: [FieldSchema], children: [ChildRelationship] = []
    ) -> SObjectSchema {
        let system = [
            FieldSchema(name: "Id", label: "Id", type: .id, length: 18),
            FieldSchema(name: "IsDeleted", label: "Deleted", type: .boolean),
        ]
        return SObjectSchema(
            name: name, label: name, labelPlural: name + "s", keyPrefix: prefix, fields: system + fields,
            childRelationships: children)
    }

    private static func field(_ name: String, _ type: FieldType, length: Int = 255) -> FieldSchema {
        FieldSchema(name: name, label: name, type: type, length: length)
    }

    private static func nameField(_ name: String) -> FieldSchema {
        FieldSchema(name: name, label: name, type: .string, length: 255, isNameField: true)
    }

    private static func reference(_ name: String, _ objects: [String], _ relationship: String) -> FieldSchema {
        FieldSchema(
            name: name, label: name, type: .reference, length: 18, referenceTo: objects, relationshipName: relationship)
    }

    private static let place: FieldSchema = {
        var place = FieldSchema(name: "Place__c", label: "Place", type: .location)
        place.components = ["Latitude", "Longitude"].map { .init(key: $0.lowercased(), field: "Place__\($0)__s") }
        return place
    }()

    private static let article = object("Knowledge__kav", "ka0", [nameField("Title")])

    private static let account = object(
        "Account", "001",
        [
            nameField("Name"), field("Industry", .picklist), field("AnnualRevenue", .currency),
            field("NumberOfEmployees", .int), field("IsActive", .boolean), field("Tags", .multipicklist),
            field("Description", .textarea, length: 32_000), field("FoundedOn", .date), field("CreatedDate", .datetime),
            reference("OwnerId", ["User"], "Owner"), reference("ParentId", ["Account"], "Parent"),
            FieldSchema(
                name: "Rating__c", label: "Rating", type: .picklist, length: 255,
                picklistValues: ["Warm", "hot", "Cold", "It's"].map { PicklistValue($0) }),
            field("Place__Latitude__s", .double), field("Place__Longitude__s", .double), place,
        ],
        children: [
            ChildRelationship(name: "Contacts", object: "Contact", field: "AccountId"),
            ChildRelationship(name: "ChildAccounts", object: "Account", field: "ParentId"),
            ChildRelationship(name: "Tasks", object: "Task", field: "WhatId"),
        ])

    private static let contact = object(
        "Contact", "003",
        [
            nameField("LastName"), field("Email", .email), field("Score", .double), field("HasOptedOut", .boolean),
            reference("AccountId", ["Account"], "Account"), reference("OwnerId", ["User"], "Owner"),
            field("CreatedDate", .datetime),
        ],
        children: [ChildRelationship(name: "Tasks", object: "Task", field: "WhoId")])

    private static let user = object(
        "User", "005",
        [
            nameField("Name"), field("Email", .email), field("IsActive", .boolean),
            reference("ManagerId", ["User"], "Manager"),
        ])

    private static let lead = object("Lead", "00Q", [nameField("LeadNumber"), field("Email", .email)])

    private static let task = object(
        "Task", "00T",
        [
            nameField("Subject"), reference("WhoId", ["Contact", "Lead"], "Who"),
            reference("WhatId", ["Account"], "What"), field("ActivityDate", .date),
        ])

    package static func id(_ prefix: String, _ number: Int) -> String {
        prefix + "000000000" + String(1_000 + number).dropFirst() + "AAA"
    }

    package static let rows = """
        INSERT INTO "User" ("Id", "Name", "Email", "IsActive", "ManagerId") VALUES
          ('005000000000001AAA', 'Ann Grey', 'ann@example.com', 1, NULL),
          ('005000000000002AAA', 'bob Stone', 'bob@example.com', 0, '005000000000001AAA');
        INSERT INTO "Account" ("Id", "Name", "Industry", "AnnualRevenue", "NumberOfEmployees", "IsActive", "Tags",
            "Description", "FoundedOn", "CreatedDate", "OwnerId", "ParentId", "IsDeleted") VALUES
          ('001000000000001AAA', 'Acme', 'Banking', 300.0, 10, 1, 'a;b', 'long', '2026-01-29',
            '2026-01-29T10:11:12.000+0000', '005000000000001AAA', NULL, 0),
          ('001000000000002AAA', 'beta 50%', 'Energy', 1250.5, 200, 0, 'b;c', NULL, '2026-01-28',
            '2026-01-28T23:59:59.999+0000', '005000000000002AAA', '001000000000001AAA', 0),
          ('001000000000003AAA', 'Gamma_x', NULL, NULL, NULL, 1, NULL, NULL, NULL,
            '2026-01-30T00:00:00.000+0000', NULL, '001000000000001AAA', 0),
          ('001000000000004AAA', 'ACME', 'banking', -7.25, 3, 0, 'ab', NULL, '2025-12-31',
            '2025-12-31T12:00:00.000+0000', '005000000000001AAA', '001000000000002AAA', 0),
          ('001000000000005AAA', 'Deleted', 'Banking', 1.0, 1, 1, NULL, NULL, '2026-01-29',
            '2026-01-29T00:00:00.000+0000', '005000000000001AAA', NULL, 1),
          ('001000000000006AAA', 'O''Hara "quoted" \\', 'Energy', 0.1, 0, 0, 'C', NULL, '2024-02-29',
            '2024-02-29T00:00:00.000+0000', '005000000000002AAA', NULL, 0);
        INSERT INTO "Contact" ("Id", "LastName", "Email", "Score", "HasOptedOut", "AccountId", "OwnerId", "CreatedDate",
            "IsDeleted") VALUES
          ('003000000000001AAA', 'Zimmer', 'z@example.com', 1.5, 1, '001000000000001AAA', '005000000000001AAA',
            '2026-01-29T10:11:12.000+0000', 0),
          ('003000000000002AAA', 'adams', NULL, 2.0, 0, '001000000000001AAA', NULL,
            '2026-01-29T10:11:12.000+0000', 0),
          ('003000000000003AAA', 'Moor', 'm@example.com', NULL, 0, '001000000000002AAA', '005000000000002AAA',
            '2026-01-29T10:11:12.000+0000', 0),
          ('003000000000004AAA', 'Gone', NULL, NULL, 0, '001000000000001AAA', NULL, '2026-01-29T10:11:12.000+0000', 1),
          ('003000000000005AAA', 'Alone', NULL, NULL, 0, NULL, NULL, '2026-01-29T10:11:12.000+0000', 0);
        INSERT INTO "Lead" ("Id", "LeadNumber", "Email") VALUES ('00Q000000000001AAA', 'L-1', 'lead@example.com');
        INSERT INTO "Task" ("Id", "Subject", "WhoId", "WhatId", "ActivityDate") VALUES
          ('00T000000000001AAA', 'Call', '003000000000001AAA', '001000000000001AAA', '2026-01-29'),
          ('00T000000000002AAA', 'Mail', '00Q000000000001AAA', NULL, '2026-01-30'),
          ('00T000000000003AAA', 'Think', NULL, NULL, NULL);
        """
}
