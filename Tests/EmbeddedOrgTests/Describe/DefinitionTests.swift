// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("What the org knows of its objects")
struct DefinitionTests {
    private func values(_ client: OrgClient, _ soql: String, _ field: String) throws -> [JSONValue?] {
        let answer = try client.query(soql)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json["records"]?.array?.map { $0[field] } ?? []
    }

    @Test("objects and fields are found by the filters that clients use")
    func filters() async throws {
        let client = try await OrgClient.start(try InvoiceSchema.configuration())
        let entity = "SELECT QualifiedApiName FROM EntityDefinition WHERE "
        for condition in [
            "QualifiedApiName = 'invoice__c'", "DurableId = 'Invoice__c'", "KeyPrefix = 'a0I'",
            "Label = 'Invoice' AND IsQueryable = true", "PluralLabel = 'Invoices' AND IsEverDeletable = true",
            "DeveloperName = 'Invoice'",
        ] {
            #expect(try values(client, entity + condition, "QualifiedApiName") == ["Invoice__c"], "\(condition)")
        }
        let field = "SELECT DataType FROM FieldDefinition WHERE QualifiedApiName = 'Rate__c' AND "
        for condition in [
            "EntityDefinition.QualifiedApiName = 'Invoice__c'", "EntityDefinitionId = 'Invoice__c'",
            "EntityDefinition.KeyPrefix = 'a0I' AND Precision = 5 AND Scale = 2", "DurableId = 'Invoice__c.Rate__c'",
        ] {
            #expect(try values(client, field + condition, "DataType") == ["Number(3, 2)"], "\(condition)")
        }
        let all = "SELECT DataType FROM FieldDefinition WHERE EntityDefinitionId = 'Account' AND QualifiedApiName = "
        for (name, type) in [
            ("Name", "Text(255)"), ("OwnerId", "Lookup(User)"), ("Industry", "Picklist"), ("IsDeleted", "Checkbox"),
            ("Description", "Long Text Area(32000)"), ("Id", "Lookup()"),
        ] {
            #expect(try values(client, all + "'\(name)'", "DataType") == [JSONValue(type)], "\(name)")
        }
        let down = try client.query(
            "SELECT (SELECT QualifiedApiName FROM Fields) FROM EntityDefinition WHERE QualifiedApiName = 'Line__c'")
        #expect(down.json["records"]?[0]?["Fields"]?["totalSize"] == 10, "\(down.text)")
        let body = #"{"Label":"x"}"#
        let id = try values(client, "SELECT Id FROM EntityDefinition LIMIT 1", "Id")[0]?.string ?? ""
        for (method, path) in [("POST", ""), ("PATCH", "/\(id)"), ("DELETE", "/\(id)")] {
            let path = "\(OrgClient.data)/sobjects/EntityDefinition\(path)"
            let answer = try client.send(method, path, body: method == "DELETE" ? nil : body)
            #expect((400...405).contains(answer.status), "\(answer.text)")
        }
        let counts = try client.get("/limits/recordCount").text
        #expect(!counts.contains("Definition") && counts.contains("UserRole"))
        await client.org.stop()
    }

    @Test("record types are in the describe, and records have those of their object only")
    func recordTypes() async throws {
        let client = try await OrgClient.start()
        let first = try client.get("/sobjects/Account/describe")
        let infos = first.json["recordTypeInfos"]?.array ?? []
        #expect(infos.map { $0["developerName"]?.string } == ["Partner", "Master"])
        #expect(infos.map { $0["defaultRecordTypeMapping"]?.bool } == [false, true])
        let partner = infos[0]["recordTypeId"]?.string ?? ""
        let id = try client.create("Account", #"{"Name":"x","RecordTypeId":"\#(partner)"}"#)
        let found = try client.query("SELECT Id FROM Account WHERE RecordType.DeveloperName = 'Partner'")
        #expect(found.json["records"]?[0]?["Id"]?.string == id)
        let master = #"{"RecordTypeId":"012000000000000AAA"}"#
        #expect(try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(id)", body: master).status == 204)
        #expect(try client.get("/sobjects/Account/\(id)").json["RecordTypeId"] == .null)
        let other = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Contact", body: #"{"LastName":"x","RecordTypeId":"\#(partner)"}"#)
        #expect(other.errorCode == "INVALID_CROSS_REFERENCE_KEY", "\(other.text)")
        let body = #"{"Name":"Shop","DeveloperName":"Shop","SobjectType":"Account","IsActive":false}"#
        let closed = try client.create("RecordType", body)
        let again = try client.get("/sobjects/Account/describe")
        #expect(again.json["recordTypeInfos"]?.array?.count == 3 && again.field("ETag") != first.field("ETag"))
        let refused = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account", body: #"{"Name":"x","RecordTypeId":"\#(closed)"}"#)
        #expect(refused.errorCode == "INVALID_CROSS_REFERENCE_KEY")
        await client.org.stop()
    }
}
