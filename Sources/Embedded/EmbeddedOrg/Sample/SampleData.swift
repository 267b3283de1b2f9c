// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLStore

/// The records of a new org: the customers, sales and activities of a small company, the same for the same seed.
struct SampleData {
    var writer: SampleWriter
    private static let accounts = 60
    private static let banks = 10

    init(connection: SQLiteConnection, schema: Schema, seed: UInt64) {
        writer = SampleWriter(connection: connection, schema: schema, seed: seed)
    }

    mutating func write() throws(DatabaseError) {
        try writePeople()
        try writeProducts()
        try writeCampaigns()
        for number in 0..<Self.accounts { try writeAccount(number) }
        try writeLeads()
        try writeRelations()
        try writeFiles()
        for object in writer.schema.objects {
            guard let sql = DerivedFields.updateAll(object.name) else { continue }
            try writer.connection.execute(sql)
        }
    }

    private mutating func writePeople() throws(DatabaseError) {
        for name in ["System Administrator", "Standard User", "Read Only"] {
            try writer.add("Profile", ["Name": .text(name), "UserType": .text("Standard")])
        }
        for number in 0..<8 {
            let (first, last) = (WordLists.givenNames[number * 5], WordLists.familyNames[number * 6])
            let address = "\(Self.ascii(first)).\(Self.ascii(last))@sales.example.com"
            try writer.add(
                "User",
                [
                    "FirstName": .text(first), "LastName": .text(last), "Username": .text(address),
                    "Email": .text(address),
                    "Alias": .text(String(Self.ascii(last).prefix(8))), "IsActive": .integer(1),
                    "UserType": .text("Standard"),
                    "Title": .text(number == 0 ? "Administrator" : "Account Executive"), "Department": .text("Sales"),
                    "TimeZoneSidKey": .text("GMT"), "LocaleSidKey": .text("en_US"), "LanguageLocaleKey": .text("en_US"),
                    "ProfileId": writer.id("Profile", number == 0 ? 1 : number == 7 ? 3 : 2),
                    "ManagerId": number == 0 ? .null : writer.id("User", 1),
                ])
        }
    }

    private mutating func writeProducts() throws(DatabaseError) {
        for (name, isStandard) in [("Standard Price Book", true), ("Partner Price Book", false)] {
            try writer.add(
                "Pricebook2",
                ["Name": .text(name), "IsActive": .integer(1), "IsStandard": .integer(isStandard ? 1 : 0)])
        }
        for product in WordLists.products {
            let number = try writer.add(
                "Product2",
                [
                    "Name": .text(product.name), "ProductCode": .text(product.code), "Family": .text(product.family),
                    "IsActive": .integer(1), "Description": .text("\(product.family): \(product.name)"),
                ])
            for book in Int64(1)...2 {
                try writer.add(
                    "PricebookEntry",
                    [
                        "Pricebook2Id": writer.id("Pricebook2", book), "Product2Id": writer.id("Product2", number),
                        "UnitPrice": .real(book == 1 ? product.price : product.price * 0.8), "IsActive": .integer(1),
                        "UseStandardPrice": .integer(0), "Name": .text(product.name),
                    ])
            }
        }
    }

    private mutating func writeCampaigns() throws(DatabaseError) {
        for (index, (name, type)) in WordLists.campaigns.enumerated() {
            let start = SampleWriter.firstDay + Int64(index * 20)
            try writer.add(
                "Campaign",
                [
                    "Name": .text("\(name) 2026"), "Type": .text(type), "IsActive": .integer(index < 4 ? 1 : 0),
                    "Status": writer.pick(["Planned", "In Progress", "Completed"]),
                    "StartDate": .text(WireTime.date(days: start)), "EndDate": .text(WireTime.date(days: start + 14)),
                    "BudgetedCost": .real(Double(5_000 + index * 2_500)), "NumberSent": .real(Double(index * 400)),
                    "ExpectedRevenue": .real(Double(60_000 + index * 10_000)), "OwnerId": writer.any("User"),
                ])
        }
    }

    private mutating func writeAccount(_ index: Int) throws(DatabaseError) {
        let isBank = index < Self.banks
        let head = WordLists.companyHeads[index]
        let name =
            isBank
            ? "\(head) \(WordLists.bankTails[index % WordLists.bankTails.count])"
            : "\(head) \(writer.generator.pick(WordLists.companyTails))"
        let industries = Catalogue.industries.filter { $0 != "Banking" }
        let industry = isBank ? "Banking" : industries[index % industries.count]
        let owner = writer.any("User")
        let place = writer.generator.pick(WordLists.places)
        let domain = Self.ascii(head) + ".example.com"
        let number = try writer.add(
            "Account",
            [
                "Name": .text(name), "Industry": .text(industry), "OwnerId": owner,
                "Type": writer.pick(["Prospect", "Customer - Direct", "Customer - Channel", "Technology Partner"]),
                "Rating": index % 7 == 0 ? .null : writer.pick(Catalogue.ratings),
                "Ownership": writer.pick(["Public", "Private", "Subsidiary"]),
                "AnnualRevenue": .real(Double((writer.generator.below(900) + 10) * 1_000_000)),
                "NumberOfEmployees": .integer(Int64(writer.generator.below(9_000) + 20)),
                "AccountNumber": .text("CD\(100_000 + index)"), "Phone": .text("+1 555 01\(10 + index)"),
                "Website": .text("https://www.\(domain)"), "AccountSource": writer.pick(Catalogue.leadSources),
                "ParentId": index % 12 == 11 ? writer.id("Account", Int64(index - 5)) : .null,
                "ExternalId__c": .text("ACC-\(1_001 + index)"), "BillingStreet": .text(place.street),
                "BillingCity": .text(place.city), "BillingState": place.state.isEmpty ? .null : .text(place.state),
                "BillingPostalCode": .text(place.postalCode), "BillingCountry": .text(place.country),
                "BillingLatitude": .real(place.latitude), "BillingLongitude": .real(place.longitude),
                "ShippingCity": .text(place.city), "ShippingCountry": .text(place.country),
                "Description": index % 3 == 0 ? .text("\(name) works in \(industry.lowercased()).") : .null,
            ])
        let account = writer.id("Account", number)
        try writeContacts(
            account, owner: owner, domain: domain, place: place, count: isBank ? 2 + index % 3 : index % 4)
        for _ in 0..<(index % 3) { try writeOpportunity(account, name: name, owner: owner) }
        if index.isMultiple(of: 2) { try writeCase(account) }
        try writeActivities(account, owner: owner, index: index)
    }

    private mutating func writeContacts(
        _ account: SQLValue, owner: SQLValue, domain: String, place: WordLists.Place, count: Int
    ) throws(DatabaseError) {
        for position in 0..<count {
            let (first, last) = (
                writer.generator.pick(WordLists.givenNames), writer.generator.pick(WordLists.familyNames)
            )
            let number = writer.count("Contact") + 1
            try writer.add(
                "Contact",
                [
                    "FirstName": .text(first), "LastName": .text(last), "AccountId": account, "OwnerId": owner,
                    "Salutation": writer.pick(Catalogue.salutations), "Title": writer.pick(WordLists.titles),
                    "Department": writer.pick(WordLists.departments),
                    "Email": .text("\(Self.ascii(first)).\(Self.ascii(last))@\(domain)"),
                    "Phone": .text("+1 555 01\(10 + position)"), "Birthdate": writer.day(-22_000 ..< -9_000),
                    "LeadSource": writer.pick(Catalogue.leadSources), "DoNotCall": .integer(number % 9 == 0 ? 1 : 0),
                    "ReportsToId": position > 0 ? writer.id("Contact", number - 1) : .null,
                    "ExternalId__c": .text("CON-\(5_000 + number)"), "MailingStreet": .text(place.street),
                    "MailingCity": .text(place.city), "MailingCountry": .text(place.country),
                    "MailingLatitude": .real(place.latitude), "MailingLongitude": .real(place.longitude),
                ])
        }
    }

    private mutating func writeOpportunity(
        _ account: SQLValue, name: String, owner: SQLValue
    ) throws(DatabaseError) {
        let stage = writer.generator.below(Catalogue.stages.count)
        let probability = [10.0, 10, 20, 50, 60, 70, 75, 90, 100, 0][stage]
        let lines = (0..<(1 + writer.generator.below(3))).map { _ in
            (writer.generator.below(WordLists.products.count), Double(1 + writer.generator.below(10)))
        }
        let amount = lines.reduce(0) { $0 + WordLists.products[$1.0].price * $1.1 }
        let number = try writer.add(
            "Opportunity",
            [
                "Name": .text("\(name) - \(WordLists.products[lines[0].0].name)"), "AccountId": account,
                "StageName": .text(Catalogue.stages[stage]), "Probability": .real(probability), "Amount": .real(amount),
                "CloseDate": writer.day(30..<300),
                "Type": writer.pick(["New Customer", "Existing Customer - Upgrade"]),
                "NextStep": writer.pick(WordLists.nextSteps), "LeadSource": writer.pick(Catalogue.leadSources),
                "ForecastCategoryName": .text(stage == 8 ? "Closed" : stage == 9 ? "Omitted" : "Pipeline"),
                "CampaignId": writer.any("Campaign"), "Pricebook2Id": writer.id("Pricebook2", 1), "OwnerId": owner,
            ])
        for (product, quantity) in lines {
            try writer.add(
                "OpportunityLineItem",
                [
                    "OpportunityId": writer.id("Opportunity", number), "Quantity": .real(quantity),
                    "PricebookEntryId": writer.id("PricebookEntry", Int64(product * 2 + 1)),
                    "Product2Id": writer.id("Product2", Int64(product + 1)),
                    "UnitPrice": .real(WordLists.products[product].price), "ServiceDate": writer.day(60..<330),
                ])
        }
    }

    private mutating func writeCase(_ account: SQLValue) throws(DatabaseError) {
        let subject = writer.generator.pick(WordLists.caseSubjects)
        try writer.add(
            "Case",
            [
                "AccountId": account, "ContactId": writer.count("Contact") > 0 ? writer.any("Contact") : .null,
                "OwnerId": writer.any("User"), "Subject": .text(subject), "Status": writer.pick(Catalogue.caseStatuses),
                "Priority": writer.pick(["High", "Medium", "Low"]), "Origin": writer.pick(Catalogue.caseOrigins),
                "Reason": writer.pick(Catalogue.caseReasons),
                "Type": writer.pick(["Mechanical", "Electronic", "Other"]),
                "IsEscalated": .integer(writer.generator.below(8) == 0 ? 1 : 0),
                "Description": .text("\(subject). Reported by the customer."),
            ])
    }

    private mutating func writeActivities(_ account: SQLValue, owner: SQLValue, index: Int) throws(DatabaseError) {
        let contact = writer.count("Contact") > 0 ? writer.any("Contact") : .null
        try writer.add(
            "Task",
            [
                "Subject": writer.pick(WordLists.taskSubjects), "WhoId": contact, "WhatId": account,
                "AccountId": account,
                "OwnerId": owner, "Status": writer.pick(["Not Started", "In Progress", "Completed"]),
                "Priority": writer.pick(["High", "Normal", "Low"]), "ActivityDate": writer.day(0..<200),
            ])
        guard index % 2 == 1 else { return }
        let start = writer.moment(0..<200) / 3_600_000 * 3_600_000
        try writer.add(
            "Event",
            [
                "Subject": writer.pick(WordLists.eventSubjects), "WhoId": contact, "WhatId": account,
                "AccountId": account,
                "OwnerId": owner, "StartDateTime": .text(WireTime.datetime(milliseconds: start)),
                "EndDateTime": .text(WireTime.datetime(milliseconds: start + 3_600_000)),
                "DurationInMinutes": .integer(60),
                "Location": .text(writer.generator.pick(WordLists.places).city),
            ])
    }

    private mutating func writeLeads() throws(DatabaseError) {
        let statuses = ["Open - Not Contacted", "Working - Contacted", "Closed - Converted", "Closed - Not Converted"]
        for index in 0..<40 {
            let (first, last) = (
                writer.generator.pick(WordLists.givenNames), writer.generator.pick(WordLists.familyNames)
            )
            let head = WordLists.companyHeads[WordLists.companyHeads.count - 1 - index % 26]
            let status = writer.generator.pick(statuses)
            let place = writer.generator.pick(WordLists.places)
            try writer.add(
                "Lead",
                [
                    "FirstName": .text(first), "LastName": .text(last), "Status": .text(status),
                    "Company": .text("\(head) \(writer.generator.pick(WordLists.companyTails))"),
                    "Title": writer.pick(WordLists.titles), "Industry": writer.pick(Catalogue.industries),
                    "Email": .text("\(Self.ascii(first)).\(Self.ascii(last))@\(Self.ascii(head)).example.net"),
                    "LeadSource": writer.pick(Catalogue.leadSources), "Rating": writer.pick(Catalogue.ratings),
                    "IsConverted": .integer(status == "Closed - Converted" ? 1 : 0), "OwnerId": writer.any("User"),
                    "NumberOfEmployees": .integer(Int64(writer.generator.below(500) + 5)), "City": .text(place.city),
                    "Country": .text(place.country), "Latitude": .real(place.latitude),
                    "Longitude": .real(place.longitude),
                ])
        }
    }

    /// Returns the ASCII letters of a name in lower case, for e-mail addresses.
    static func ascii(_ name: String) -> String {
        String(name.lowercased().filter { ("a"..."z").contains($0) })
    }

    /// Writes the records that connect others, last because earlier records must not depend on them.
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

    private static let note = SQLValue.text("RnJvbSB0aGUgZW1iZWRkZWQgb3JnLgo=")
    private static let size = SQLValue.integer(23)

    /// Writes a short text as an attachment and as a file of an account, and messages about accounts.
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
