// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestText

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
