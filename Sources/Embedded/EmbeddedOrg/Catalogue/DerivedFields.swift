// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLStore

/// The field values that the org computes.
enum DerivedFields {
    private static let personName = #""Name" = trim(coalesce("FirstName" || ' ', '') || "LastName")"#

    /// Returns the `SET` clause that computes an object's derived fields, or `nil` if it has none.
    private static func assignments(_ object: String) -> String? {
        switch object {
        case "Contact", "Lead", "User": personName
        case "Case":
            #"""
            "CaseNumber" = printf('%08d', "Case".rowid % \#(RecordID.rowsPerSeed)), "IsClosed" = coalesce("Status" = 'Closed', 0),
            "ClosedDate" = CASE WHEN "Status" = 'Closed' THEN coalesce("ClosedDate", "LastModifiedDate") END
            """#
        case "Opportunity":
            #"""
            "IsClosed" = coalesce("StageName" IN ('Closed Won', 'Closed Lost'), 0),
            "IsWon" = coalesce("StageName" = 'Closed Won', 0)
            """#
        case "Contract": #""ContractNumber" = printf('%08d', "Contract".rowid % \#(RecordID.rowsPerSeed))"#
        case "CampaignMember": #""HasResponded" = coalesce("Status" = 'Responded', 0)"#
        case "PermissionSetAssignment": #""IsActive" = 1"#
        case "Task": #""IsClosed" = coalesce("Status" = 'Completed', 0)"#
        case "PricebookEntry":
            #""Name" = coalesce((SELECT p."Name" FROM "Product2" p WHERE p."Id" = "PricebookEntry"."Product2Id"), '')"#
        case "OpportunityLineItem":
            #"""
            "Name" = coalesce((SELECT o."Name" || ' ' FROM "Opportunity" o WHERE o."Id" = "OpportunityLineItem"."OpportunityId"), '')
                || coalesce((SELECT p."Name" FROM "Product2" p WHERE p."Id" = "OpportunityLineItem"."Product2Id"), ''),
            "ListPrice" = (SELECT e."UnitPrice" FROM "PricebookEntry" e WHERE e."Id" = "OpportunityLineItem"."PricebookEntryId"),
            "TotalPrice" = round("Quantity" * "UnitPrice" * (1 - coalesce("Discount", 0) / 100.0), 2)
            """#
        case "ContentDocument": ContentFiles.documentFields
        case "EmailMessage":
            #""HasAttachment" = EXISTS (SELECT 1 FROM "Attachment" a WHERE a."ParentId" = "EmailMessage"."Id")"#
        default: nil
        }
    }

    fileprivate static func update(
        _ number: Int64, of object: String, _ connection: SQLiteConnection
    ) throws(OrgError) {
        guard let assignments = assignments(object) else { return }
        try connection.change("UPDATE \"\(object)\" SET \(assignments) WHERE rowid = ?1", [.integer(number)])
    }

    /// Returns the statement that computes the derived fields of all rows.
    static func updateAll(_ object: String) -> String? {
        assignments(object).map { "UPDATE \"\(object)\" SET \($0)" }
    }
}

struct StandardRules: RecordRules {
    func defaults(of object: String) -> [String: String] {
        switch object {
        case "Lead": ["Status": "Open - Not Contacted"]
        case "Case": ["Status": "New", "Priority": "Medium"]
        case "Task": ["Status": "Not Started", "Priority": "Normal"]
        case "Campaign": ["Status": "Planned"]
        case "CampaignMember": ["Status": "Sent"]
        case "Contract": ["Status": "Draft"]
        case "ContentDocument", "ContentVersion":
            ["PublishStatus": "P", "SharingOption": "A", "SharingPrivacy": "N"]
                .merging(object == "ContentVersion" ? ["ContentLocation": "S", "Origin": "C"] : [:]) { $1 }
        case "ContentDocumentLink": ["ShareType": "V", "Visibility": "AllUsers"]
        case "EmailMessage": ["Status": "5"]
        case "FeedItem": ["Type": "TextPost"]
        case "PushTopic": ["NotifyForFields": "Referenced"]
        default: [:]
        }
    }

    func complete(
        _ input: inout RecordInput, in store: RecordStore, _ connection: SQLiteConnection
    ) throws(OrgError) {
        guard input.object.name == "ContentVersion" else { return }
        try ContentFiles.beginVersion(&input, in: store, connection)
    }

    func settle(
        _ number: Int64, _ input: RecordInput, in store: RecordStore, _ connection: SQLiteConnection
    ) throws(OrgError) {
        switch input.object.name {
        case PushTopic.object: try PushTopic.check(number, store.schema, connection)
        case "StreamingChannel":
            guard case .text(let name) = input.value("Name") ?? .text("/u/"), name.hasBytes(prefix: "/u/") else {
                throw OrgError(
                    "INVALID_FIELD", "The name of a streaming channel must begin with /u/", fields: ["Name"])
            }
        default: break
        }
        try ContentFiles.align(number, input, connection)
        try DerivedFields.update(number, of: input.object.name, connection)
    }

    /// Rejects record types of another object and inactive ones.
    func checkReference(
        _ id: String, to target: SObjectSchema, in field: FieldSchema, of object: SObjectSchema,
        _ connection: SQLiteConnection
    ) throws(OrgError) {
        guard target.name == "RecordType" else { return }
        let sql = "SELECT 1 FROM \"RecordType\" WHERE \"Id\" = ?1 AND \"SobjectType\" = ?2 AND \"IsActive\" = 1"
        guard try connection.fetch(sql, [.text(id), .text(object.name)], { $0.integer(0) }).isEmpty else { return }
        throw field.error("INVALID_CROSS_REFERENCE_KEY", "this ID value isn't valid for the user: \(id)")
    }

    /// Prevents the deletion of won opportunities with their account, and of active contracts.
    func deletionBlock(of object: String) -> DeletionBlock? {
        switch object {
        case "Opportunity":
            DeletionBlock(
                level: 1, condition: "c.\"IsWon\" = 1",
                reason: "some opportunities in that account were closed won. The opportunities that were closed won "
                    + "cannot be deleted.")
        case "Contract":
            DeletionBlock(
                level: 0, condition: "c.\"Status\" = 'Activated'",
                reason: "it is associated with the following activated contracts.")
        default: nil
        }
    }
}
