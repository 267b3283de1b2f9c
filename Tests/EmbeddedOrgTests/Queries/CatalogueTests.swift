// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import SOQLCheck
import SOQLStore
import Testing

@Suite("The catalog and the sample data")
struct CatalogueTests {
    private static let objects = Catalogue.standard.objects.map(\.name)

    @Test(
        "every field, parent and child relationship can be queried, and every object but those of events has records",
        arguments: objects)
    func everything(name: String) async throws {
        let client = try await SharedOrg.client
        let object = try #require(Catalogue.standard.object(named: name))
        let parents = object.fields.compactMap { field in field.relationshipName.map { "\($0).Id" } }
        let children = object.description.namedChildren.prefix(20).map { "(SELECT Id FROM \($0.name))" }
        let list = (object.fields.map(\.name) + parents + children).joined(separator: ",")
        let response = try client.get("/query?q=SELECT+\(list.replacing(" ", with: "+"))+FROM+\(name)+LIMIT+5")
        #expect(response.status == 200, "\(response.text)")
        // A new org publishes nothing by itself.
        if ["PushTopic", "StreamingChannel", "EventBusSubscriber"].contains(name) { return }
        let record = try #require(response.json["records"]?[0])
        let id = record["Id"]?.string ?? ""
        #expect(id.hasPrefix(object.keyPrefix) && RecordID.normalized(id) == id)
        for field in object.fields where !field.isNillable {
            #expect(record[field.name]?.isNull == false, "\(name).\(field.name)")
        }
    }

    @Test("every id in the sample data refers to a record of an allowed object", arguments: objects)
    func references(name: String) async throws {
        let client = try await SharedOrg.client
        let object = try #require(Catalogue.standard.object(named: name))
        for field in object.fields where field.type == .reference && !field.referenceTo.contains(name) {
            let all = try client.query("SELECT COUNT() FROM \(name) WHERE \(field.name) != null").json["totalSize"]
            let found = try field.referenceTo.map { target in
                let condition = "\(field.name) IN (SELECT Id FROM \(target))"
                return try client.query("SELECT COUNT() FROM \(name) WHERE \(condition)").json["totalSize"]?.int ?? 0
            }
            #expect(found.reduce(0, +) == all?.int, "\(name).\(field.name)")
        }
    }

    @Test("the sample data has a few hundred records, eight banks with contacts and owners, and non-ASCII strings")
    func sample() async throws {
        let client = try await OrgClient.start()
        let data = Catalogue.standard.objects.filter { !$0.abilities.isEmpty }
        let counts = try data.map(\.name).map {
            try client.query("SELECT COUNT() FROM \($0)").json["totalSize"]?.int ?? 0
        }
        #expect((300...1_000).contains(counts.reduce(0, +)))
        let banks = try client.query(
            "SELECT Name, Owner.Name, (SELECT Id FROM Contacts) FROM Account WHERE Industry = 'Banking'"
        ).json["records"]?.array
        #expect(banks?.count ?? 0 >= 8)
        for bank in banks ?? [] {
            #expect(bank["Contacts"]?["totalSize"]?.int ?? 0 >= 2)
            #expect(bank["Owner"]?["Name"]?.string != nil)
        }
        #expect(try client.query("SELECT Id FROM Account WHERE BillingCity = 'Zürich'").json["totalSize"]?.int ?? 0 > 0)
    }

    @Test("calculated fields are updated by every write")
    func derived() async throws {
        let client = try await OrgClient.start()
        let opportunity = try client.create(
            "Opportunity", #"{"Name":"Deal","StageName":"Closed Won","CloseDate":"2026-03-01"}"#)
        #expect(try read(client, "Opportunity", opportunity, "IsClosed,IsWon") == [true, true])
        try client.send(
            "PATCH", "\(OrgClient.data)/sobjects/Opportunity/\(opportunity)", body: #"{"StageName":"Prospecting"}"#)
        #expect(try read(client, "Opportunity", opportunity, "IsClosed,IsWon") == [false, false])
        let item = try client.create(
            "OpportunityLineItem",
            """
            {"OpportunityId":"\(opportunity)","PricebookEntryId":"01ubZ0000000001","Product2Id":"01tbZ0000000001",
            "Quantity":3,"UnitPrice":10.1,"Discount":10}
            """)
        #expect(try read(client, "OpportunityLineItem", item, "Name,TotalPrice") == ["Deal Compressor C100", 27.27])
        let number = try read(client, "Case", try client.create("Case", "{}"), "CaseNumber,Status,IsClosed")
        #expect(number.first?.string?.count == 8 && number.dropFirst() == ["New", false])
        let attachment = try client.create(
            "Attachment", #"{"Name":"a.bin","ParentId":"\#(opportunity)","Body":"AAECAw=="}"#)
        #expect(try read(client, "Attachment", attachment, "BodyLength") == [4])
        #expect(try client.get("/sobjects/Attachment/\(attachment)/Body").body == [0, 1, 2, 3])
        let contract = try client.create("Contract", #"{"AccountId":"001bZ0000000001"}"#)
        #expect(try read(client, "Contract", contract, "ContractNumber,Status").last == "Draft")
        let lead = try client.create("Lead", #"{"FirstName":"A","LastName":"B","Company":"C"}"#)
        #expect(try read(client, "Lead", lead, "Name,Status") == ["A B", "Open - Not Contacted"])
    }

    private func read(_ client: OrgClient, _ object: String, _ id: String, _ fields: String) throws -> [JSONValue] {
        let record = try client.get("/sobjects/\(object)/\(id)?fields=\(fields)").json
        return fields.split(separator: ",").map { record[String($0)] ?? .null }
    }
}

/// Uses an org whose description has Salesforce's objects and fields for several currencies.
@Suite("Several currencies")
struct CurrencyTests {
    private static let schema = """
        {"sobjects":[
        {"name":"CurrencyType","keyPrefix":"01L","fields":[{"name":"IsoCode","type":"string","length":3,"nameField":true},
         {"name":"ConversionRate","type":"double"}]},
        {"name":"User","fields":[{"name":"DefaultCurrencyIsoCode","type":"string","length":3}]},
        {"name":"Opportunity","fields":[{"name":"CurrencyIsoCode","type":"string","length":3}]}]}
        """

    private func start() async throws -> OrgClient {
        let client = try await OrgClient.start(try InvoiceSchema.configuration(Self.schema))
        for (code, rate) in [("USD", "1"), ("EUR", "0.5"), ("JPY", "100")] {
            #expect(!(try client.create("CurrencyType", #"{"IsoCode":"\#(code)","ConversionRate":\#(rate)}"#)).isEmpty)
        }
        let members = #""StageName":"Prospecting","CloseDate":"2026-03-01""#
        for (name, amount, code) in [("a", 300, "USD"), ("b", 200, "EUR"), ("c", 7_000, "JPY"), ("d", 1, "CHF")] {
            let fields = #"{"Name":"=\#(name)","Amount":\#(amount),"CurrencyIsoCode":"\#(code)",\#(members)}"#
            #expect(!(try client.create("Opportunity", fields)).isEmpty)
        }
        return client
    }

    private func names(_ condition: String, _ client: OrgClient) throws -> String {
        let response = try client.query(
            "SELECT Name FROM Opportunity WHERE Name LIKE '=%' AND (\(condition)) ORDER BY Name")
        #expect(response.status == 200, "\(response.text)")
        return (response.json["records"]?.array ?? []).compactMap { $0["Name"]?.string?.dropFirst().description }
            .joined()
    }

    @Test("An amount is compared in the currency of the literal, with the org's exchange rates")
    func comparisons() async throws {
        let client = try await start()
        #expect(try names("Amount > USD100", client) == "ab")
        #expect(try names("Amount >= eur150", client) == "ab")
        #expect(try names("Amount < JPY7000.5", client) == "c")
        #expect(try names("Amount = EUR200", client) == "b")
        #expect(try names("Amount IN (USD70, EUR150)", client) == "ac")
        #expect(try names("Amount NOT IN (USD70, EUR150)", client) == "bd")
        #expect(try names("Amount > 250", client) == "ac")
        // There is no exchange rate for these currencies.
        #expect(try names("Amount > GBP0", client) == "")
        for condition in ["Amount IN (USD70, 5)", "ExpectedRevenue = USD5 OR AccountId = USD5"] {
            #expect(try client.query("SELECT Id FROM Opportunity WHERE \(condition)").status == 400)
        }
        let groups = "SELECT MAX(Amount) FROM Opportunity GROUP BY Name HAVING MAX(Amount) > USD1"
        #expect(try client.query(groups).errorCode == "MALFORMED_QUERY")
    }

    @Test("convertCurrency returns the amount in the user's currency")
    func conversion() async throws {
        let client = try await start()
        let list = "SELECT convertCurrency(Amount) FROM Opportunity WHERE Name LIKE '=%' ORDER BY Name"
        func amounts() throws -> [Double] {
            (try client.query(list).json["records"]?.array ?? []).compactMap { $0["Amount"]?.double }
        }
        #expect(try amounts() == [300, 200, 7_000, 1])
        let user = "\(OrgClient.data)/sobjects/User/\(client.org.userID)"
        #expect(try client.send("PATCH", user, body: #"{"DefaultCurrencyIsoCode":"EUR"}"#).status == 204)
        #expect(try amounts() == [150, 200, 35, 1])
    }

    @Test("An org with one currency rejects a currency literal with a specific error code")
    func single() async throws {
        let response = try await SharedOrg.client.query("SELECT Id FROM Opportunity WHERE Amount > USD5000")
        #expect(response.status == 400 && response.errorCode == "FUNCTIONALITY_NOT_ENABLED")
    }
}

@Suite("Queries with the sample records")
struct SampleQueryTests {
    private func ids(_ soql: String, _ client: OrgClient) throws -> [String] {
        let response = try client.query(soql)
        #expect(response.status == 200, "\(response.errorCode ?? "")")
        return (response.json["records"]?.array ?? []).compactMap { $0["Id"]?.string }
    }

    @Test(
        "The records near a city are the records with an address in it",
        arguments: [
            ("Account", "BillingAddress", "BillingCity", "San Francisco", 37.775, -122.418),
            ("Contact", "MailingAddress", "MailingCity", "ZÜRICH", 47.4, 8.5),
            ("Lead", "Address", "City", "são paulo", -23.5, -46.6),
        ])
    func near(object: String, address: String, field: String, city: String, latitude: Double, longitude: Double)
        async throws
    {
        let far = "DISTANCE(\(address), GEOLOCATION(\(latitude), \(longitude)), 'mi')"
        let client = try await OrgClient.start()
        let inCity = try ids("SELECT Id FROM \(object) WHERE \(field) = '\(city)' ORDER BY Id", client)
        #expect(!inCity.isEmpty)
        #expect(try ids("SELECT Id FROM \(object) WHERE \(far) < 20 ORDER BY Id", client) == inCity)
    }

    @Test("Activities know the types of their related records, and TYPEOF selects by them")
    func activities() async throws {
        let client = try await OrgClient.start()
        let all = try ids("SELECT Id FROM Task WHERE What.Type != null ORDER BY Id", client)
        let parts = try ["Account", "Opportunity", "Case", "Campaign"].flatMap {
            try ids("SELECT Id FROM Task WHERE What.Type = '\($0)'", client)
        }
        #expect(!all.isEmpty && parts.sorted() == all.sorted())
        let query = "SELECT TYPEOF What WHEN Account THEN Phone WHEN Case THEN CaseNumber ELSE Name END FROM Task"
        let records = try client.query(query).json["records"]?.array ?? []
        for record in records {
            guard let what = record["What"]?.object, let type = what["attributes"]?["type"]?.string else {
                continue
            }
            let name = ["Account": "Phone", "Case": "CaseNumber"][type] ?? "Name"
            #expect(Set(what.map(\.key)) == ["attributes", name])
        }
        #expect(records.contains { $0["What"]?["Phone"] != nil })
    }

    @Test("The scope mine contains the records that the user owns")
    func mine() async throws {
        let client = try await OrgClient.start()
        let owned = try ids("SELECT Id FROM Account WHERE OwnerId = '\(client.org.userID)' ORDER BY Id", client)
        #expect(!owned.isEmpty)
        #expect(try ids("SELECT Id FROM Account USING SCOPE mine ORDER BY Id", client) == owned)
    }

    @Test("An unsupported construct has a specific error code")
    func unsupported() async throws {
        let response = try await SharedOrg.client.query("SELECT Id FROM Account USING LOOKUP Owner")
        #expect(response.status == 400 && response.errorCode == "FUNCTIONALITY_NOT_ENABLED")
    }

    @Test(
        "A query that exceeds the stack of SQLite's parser is too complicated, when it runs and when it is explained",
        arguments: ["q", "explain"])
    func tooDeep(parameter: String) async throws {
        let condition =
            String(repeating: "(", count: 20) + "Subject = 'x' AND Status = 'y'" + String(repeating: ")", count: 20)
        let branches = "TYPEOF What WHEN Account THEN FORMAT(AnnualRevenue), Owner.Manager.Name ELSE Name END"
        var query = "SELECT \(branches), FORMAT(CreatedDate) FROM Tasks WHERE \(condition)"
        for _ in 0..<3 { query = "SELECT FORMAT(CreatedDate), (\(query)) FROM Cases WHERE \(condition)" }
        let text = "SELECT Id, (\(query)) FROM Account".replacing(" ", with: "+").replacing("'", with: "%27")
        let response = try await SharedOrg.client.get("/query?\(parameter)=\(text)")
        #expect(response.status == 400 && response.errorCode == "QUERY_TOO_COMPLICATED", "\(response.text)")
    }

    @Test("Opportunities are sorted by stage, in the order of the object description")
    func stages() async throws {
        let client = try await SharedOrg.client
        let fields = try client.get("/sobjects/Opportunity/describe").json["fields"]?.array ?? []
        let field = fields.first { $0["name"]?.string == "StageName" }
        let list = (field?["picklistValues"]?.array ?? []).compactMap { $0["value"]?.string }
        let response = try client.query("SELECT StageName FROM Opportunity GROUP BY StageName ORDER BY StageName")
        let stages = (response.json["records"]?.array ?? []).compactMap { $0["StageName"]?.string }
        #expect(stages == list.filter(stages.contains) && stages.count > 3)
    }
}

@Suite("The article on objects")
struct ObjectArticleTests {
    private static let article = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("docs/EmbeddedOrg.docc/Objects.md")

    /// The fields that every object or every viewable object has, and that the article names once.
    private static let common: Set<String> = [
        "Id", "IsDeleted", "CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp",
        "LastViewedDate", "LastReferencedDate",
    ]

    @Test("the article describes every object, field, type, external id and number of records as the org does")
    func isCurrent() async throws {
        let client = try await OrgClient.start()
        let objects = try client.get("/sobjects").json["sobjects"]?.array ?? []
        var sections: [String] = []
        for object in objects { sections.append(try Self.section(object["name"]?.string ?? "", client)) }
        await client.org.stop()
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let written = text.components(separatedBy: "\n### ").dropFirst().map { "### " + $0 }
        #expect(sections.count == 36)
        #expect(written.map(Self.words) == sections.map(Self.words), "\(sections.joined(separator: "\n\n"))")
        for name in Self.common { #expect(text.contains("`\(name)`")) }
    }

    /// Splits a text into words, because line breaks do not matter.
    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    private static func section(_ name: String, _ client: OrgClient) throws -> String {
        let describe = try client.get("/sobjects/\(name)/describe").json
        let count = try client.query("SELECT COUNT() FROM \(name)").json["totalSize"]?.int ?? 0
        let fields = describe["fields"]?.array ?? []
        let externalIDs = fields.filter { $0["externalId"]?.bool == true }.map { "`\($0["name"]?.string ?? "")`" }
        let children = describe["childRelationships"]?.array?.map { "`\($0["relationshipName"]?.string ?? "")`" } ?? []
        var lines = ["### \(name)", ""]
        let isOwn = ["createable", "updateable", "deletable"].allSatisfy { describe[$0]?.bool == false }
        lines.append(
            "\(isOwn ? "Read-only." : "\(count) sample records.") Ids begin with `\(describe["keyPrefix"]?.string ?? "")`. External id: "
                + "\(externalIDs.first ?? "none"). Child relationships: "
                + "\(children.isEmpty ? "none" : children.joined(separator: ", ")).")
        lines.append("")
        for (type, names) in grouped(fields.filter { !common.contains($0["name"]?.string ?? "") }) {
            lines.append("- \(type): \(names.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the fields of each type, in the order of each type's first field.
    private static func grouped(_ fields: [JSONValue]) -> [(type: String, names: [String])] {
        var groups: [(type: String, names: [String])] = []
        for field in fields {
            let type = field["type"]?.string ?? ""
            if let position = groups.firstIndex(where: { $0.type == type }) {
                groups[position].names.append(name(of: field))
            } else {
                groups.append((type, [name(of: field)]))
            }
        }
        return groups
    }

    private static func name(of field: JSONValue) -> String {
        var notes = field["referenceTo"]?.array?.compactMap(\.string) ?? []
        if field["createable"]?.bool == false {
            notes.append("read-only")
        } else if field["nillable"]?.bool == false, field["type"]?.string != "boolean" {
            notes.append("required")
        }
        let name = "`\(field["name"]?.string ?? "")`"
        return notes.isEmpty ? name : "\(name) (\(notes.joined(separator: ", ")))"
    }
}
