// SPDX-License-Identifier: Apache-2.0

import RestBase

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

/// How versions, documents and links of files belong together.
///
/// A version without a document makes one, which its owner and the place of its publication get. A document shows what
/// its latest version says.
enum ContentFiles {
    /// What a document takes from its latest version.
    static let documentFields = """
        ("LatestPublishedVersionId", "Title", "Description", "FileType", "FileExtension", "ContentSize") =
        (SELECT v."Id", v."Title", v."Description", v."FileType", v."FileExtension", v."ContentSize"
        FROM "ContentVersion" v WHERE v."ContentDocumentId" = "ContentDocument"."Id" AND v."IsLatest" = 1)
        """

    private static let types = [
        "csv": "CSV", "doc": "WORD", "docx": "WORD_X", "gif": "GIF", "htm": "HTML", "html": "HTML", "jpeg": "JPG",
        "jpg": "JPG", "json": "JSON", "mp3": "MP3", "mp4": "MP4", "pdf": "PDF", "png": "PNG", "ppt": "POWER_POINT",
        "pptx": "POWER_POINT_X", "rtf": "RTF", "svg": "SVG", "txt": "TEXT", "xls": "EXCEL", "xlsx": "EXCEL_X",
        "xml": "XML", "zip": "ZIP",
    ]

    /// The name of a file without its folders and its extension, the extension, and the type that it stands for.
    static func parts(of path: String) -> (name: String, extension: String, type: String) {
        let file = path.split(anyOf: "/\\").last ?? ""
        guard let dot = file.lastIndex(byte: "."), dot > file.startIndex else { return (String(file), "", "UNKNOWN") }
        let ending = String(file[file.utf8.index(after: dot)...])
        return (String(file[..<dot]), ending, types[ending.lowercased()] ?? "UNKNOWN")
    }
}
