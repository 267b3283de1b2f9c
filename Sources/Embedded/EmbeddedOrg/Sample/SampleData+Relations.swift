// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase

extension SampleData {
    /// What connects the records of the other objects; written last, so that those stay as they are.
    mutating func writeRelations() throws(DatabaseError) {
        for number in Int64(1)...8 {
            let (account, contact) = (writer.id("Account", number), writer.id("Contact", number))
            try writer.add(
                "Asset",
                [
                    "Name": .text("Unit \(number)"), "AccountId": account, "Product2Id": writer.any("Product2"),
                    "OwnerId": writer.any("User"), "Status": .text("Installed"), "Price": .real(Double(number) * 250),
                    "SerialNumber": .text("SN-\(1_000 + number)"), "Quantity": .real(1),
                    "PurchaseDate": writer.day(0..<90),
                ])
            try writer.add(
                "Contract",
                [
                    "AccountId": account, "OwnerId": writer.any("User"), "Status": .text("Draft"),
                    "StartDate": writer.day(0..<90), "ContractTerm": .integer(12),
                ])
            try writer.add(
                "CampaignMember",
                [
                    "CampaignId": writer.any("Campaign"), "ContactId": contact,
                    "Status": .text(number.isMultiple(of: 2) ? "Responded" : "Sent"),
                ])
            try writer.add(
                "OpportunityContactRole",
                [
                    "OpportunityId": writer.id("Opportunity", number), "ContactId": contact,
                    "Role": .text("Decision Maker"), "IsPrimary": .integer(1),
                ])
        }
        try writeAccess()
    }

    private mutating func writeAccess() throws(DatabaseError) {
        for (name, type) in [("Sales", "Regular"), ("Support", "Queue")] {
            let number = try writer.add(
                "Group", ["Name": .text(name), "DeveloperName": .text(name), "Type": .text(type)])
            for user in Int64(1)...2 {
                try writer.add(
                    "GroupMember",
                    ["GroupId": writer.id("Group", number), "UserOrGroupId": writer.id("User", user + number)])
            }
        }
        try writer.add(
            "PermissionSet",
            ["Name": .text("Sales_Tools"), "Label": .text("Sales Tools"), "IsCustom": .integer(1)])
        for user in Int64(1)...2 {
            try writer.add(
                "PermissionSetAssignment",
                ["PermissionSetId": writer.id("PermissionSet", 1), "AssigneeId": writer.id("User", user)])
        }
        for (name, parent) in [("CEO", SQLValue.null), ("Sales Manager", writer.id("UserRole", 1))] {
            try writer.add(
                "UserRole",
                [
                    "Name": .text(name), "DeveloperName": .text(name.replacing(bytes: " ", with: "_")),
                    "ParentRoleId": parent,
                ])
        }
        for (object, name) in [("Account", "Partner"), ("Opportunity", "Renewal")] {
            try writer.add(
                "RecordType",
                [
                    "Name": .text(name), "DeveloperName": .text(name), "SobjectType": .text(object),
                    "IsActive": .integer(1),
                ])
        }
    }
}

extension SampleData {
    private static let note = SQLValue.text("RnJvbSB0aGUgZW1iZWRkZWQgb3JnLgo=")
    private static let size = SQLValue.integer(23)

    /// A short text as an attachment and as a file that an account has too, and what was written about accounts.
    mutating func writeFiles() throws(DatabaseError) {
        let (owner, account) = (writer.id("User", 1), writer.id("Account", 1))
        try writer.add(
            "Attachment",
            [
                "Name": .text("Note.txt"), "ParentId": account, "ContentType": .text("text/plain"), "OwnerId": owner,
                "Body": .text(""), "BodyLength": Self.size,
            ])
        try writer.keep(Self.note, in: "Body", of: "Attachment", 1)
        let document = writer.id("ContentDocument", 1)
        try writer.add(
            "ContentDocument",
            [
                "OwnerId": owner, "PublishStatus": .text("P"), "SharingOption": .text("A"),
                "SharingPrivacy": .text("N"),
            ])
        try writer.add(
            "ContentVersion",
            [
                "Title": .text("Note"), "PathOnClient": .text("Note.txt"), "OwnerId": owner, "VersionData": .text(""),
                "ContentSize": Self.size, "ContentDocumentId": document, "VersionNumber": .text("1"),
                "IsLatest": .integer(1), "FirstPublishLocationId": account, "FileType": .text("TEXT"),
                "FileExtension": .text("txt"), "ContentLocation": .text("S"), "Origin": .text("C"),
                "PublishStatus": .text("P"), "SharingOption": .text("A"), "SharingPrivacy": .text("N"),
            ])
        try writer.keep(Self.note, in: "VersionData", of: "ContentVersion", 1)
        for (place, type) in [(owner, "I"), (account, "V")] {
            try writer.add(
                "ContentDocumentLink",
                [
                    "ContentDocumentId": document, "LinkedEntityId": place, "ShareType": .text(type),
                    "Visibility": .text("AllUsers"),
                ])
        }
        try writeMessages()
    }

    private mutating func writeMessages() throws(DatabaseError) {
        for number in Int64(1)...4 {
            try writer.add(
                "EmailMessage",
                [
                    "Subject": .text("Your request \(number)"), "ParentId": writer.id("Case", number),
                    "RelatedToId": writer.id("Case", number), "TextBody": .text("We have received your request."),
                    "FromName": .text("Support"), "FromAddress": .text("support@sales.example.com"),
                    "ToAddress": .text("customer\(number)@example.com"), "Incoming": .integer(0),
                    "Status": .text("3"), "MessageDate": .text(WireTime.datetime(milliseconds: writer.moment(0..<90))),
                ])
            try writer.add(
                "FeedItem",
                [
                    "ParentId": writer.id("Account", number), "Type": .text("TextPost"),
                    "Body": .text("The visit on Monday went well."),
                ])
        }
    }
}
