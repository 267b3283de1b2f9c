// SPDX-License-Identifier: Apache-2.0

/// The values that the org computes or fills in.
enum DerivedFields {
    private static let personName = #""Name" = trim(coalesce("FirstName" || ' ', '') || "LastName")"#

    /// The `SET` part of the update that computes an object's derived fields; `nil` when it has none.
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

    /// The statement that brings one row up to date, its number the only parameter; `nil` when nothing is derived.
    static func update(_ object: String) -> String? {
        assignments(object).map { "UPDATE \"\(object)\" SET \($0) WHERE rowid = ?1" }
    }

    /// The statement that brings every row up to date.
    static func updateAll(_ object: String) -> String? {
        assignments(object).map { "UPDATE \"\(object)\" SET \($0)" }
    }

    /// What a new record gets for a field that was not given.
    static func defaults(_ object: String) -> [String: String] {
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
        default: [:]
        }
    }
}
