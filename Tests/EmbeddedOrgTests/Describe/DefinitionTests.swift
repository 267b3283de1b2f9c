// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("The org's metadata objects")
struct DefinitionTests {
    private func values(_ client: OrgClient, _ soql: String, _ field: String) throws -> [JSONValue?] {
        let response = try client.query(soql)
        #expect(response.status == 200, "\(response.text)")
        return response.json["records"]?.array?.map { $0[field] } ?? []
    }

    @Test("objects and fields are found with the filters that clients use")
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
            let response = try client.send(method, path, body: method == "DELETE" ? nil : body)
            #expect((400...405).contains(response.status), "\(response.text)")
        }
        let counts = try client.get("/limits/recordCount").text
        #expect(!counts.contains("Definition") && counts.contains("UserRole"))
    }

    @Test("the object description contains the record types, and a record accepts only those of its object")
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
    }
}

@Suite("Invalid object descriptions")
struct BadSchemaTests {
    private static func object(_ fields: String, _ name: String = "X__c") -> String {
        #"{"name":"\#(name)","fields":[\#(fields)]}"#
    }

    @Test(
        "the error names the object, the field and the path in the JSON",
        arguments: [
            ("", "line 1"), ("[", "line 1"), ("1", "(at $)"), ("[1]", "(at $[0])"), ("{}", "no 'name' (at $.name)"),
            (#"{"sobjects":1}"#, "'sobjects' must be a list (at $.sobjects)"),
            (#"{"name":"X__c"}"#, "X__c: it has no 'fields'"),
            (#"{"name":"X\";DROP","fields":[]}"#, "is not a valid name"),
            (object("", "sqlite_x"), "is not a valid name"),
            (object(#"{"name":"rowid","type":"int"}"#), "is not a valid name"),
            (object(#"{"name":"A__c"}"#), "X__c.A__c: it has no 'type' (at $.fields[0].type)"),
            (object(#"{"name":"A__c","type":"anyType"}"#), "type 'anyType'; leave the field out (at $.fields[0].type)"),
            (object(#"{"name":"A__c","type":"int"},{"name":"a__C","type":"int"}"#), "a__C is described twice"),
            (object(#"{"name":"A__c","type":"string","length":-1}"#), "(at $.fields[0].length)"),
            (object(#"{"name":"A__c","type":"string","unique":1}"#), "'unique' must be true or false"),
            (
                object(#"{"name":"A__c","type":"int","defaultValue":"x"}"#),
                "the default is not a value of the type 'int'"
            ),
            (object(#"{"name":"A__c","type":"picklist","picklistValues":[{}]}"#), "$.fields[0].picklistValues[0]"),
            (object(#"{"name":"A__c","type":"reference"}"#), "X__c.A__c: a reference needs"),
            (object(#"{"name":"A__c","type":"reference","referenceTo":["Y__c"]}"#), "points to Y__c"),
            (
                object(
                    #"{"name":"A__c","type":"reference","referenceTo":["User"],"relationshipName":"A__r"},"#
                        + #"{"name":"B__c","type":"reference","referenceTo":["User"],"relationshipName":"a__R"}"#),
                "two fields have the relationship"
            ),
            (object(#"{"name":"Address","type":"location"}"#), "Address must end with '__c'"),
            (object(#"{"name":"HomeAddress","type":"address"}"#), "HomeAddress has no parts"),
            (object(#"{"name":"Name","type":"int"}"#, "Account"), "the org's own Name is of the type 'string'"),
            ("[\(object("")),\(object("", "x__C"))]", "described twice"),
            (#"{"name":"X__c","keyPrefix":"0","fields":[]}"#, "X__c: the key prefix must be"),
            (#"{"name":"X__c","keyPrefix":"001","fields":[]}"#, "X__c: Account also has the key prefix 001"),
        ])
    func errors(json: String, expected: String) throws {
        let error = try #require(throws: StartError.self) { try OrgSchema(describe: Array(json.utf8)) }
        #expect(error.code == .invalidSchema && error.message.contains(expected), "\(error.message)")
    }

    @Test("the org's own description with one changed byte is accepted or rejected without a trap")
    func mutations() {
        let bytes = Array(InvoiceSchema.json.utf8)
        var refused = 0
        for index in stride(from: 0, to: bytes.count, by: 7) {
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "0"), UInt8(ascii: "_")] {
                var changed = bytes
                changed[index] = byte
                if (try? OrgSchema(describe: changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    @Test("a database file gets new objects and fields, and a schema that lacks or changes existing ones is rejected")
    func files() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder + "/org.db"
            let standard = LocalOrgConfiguration(storage: .file(file))
            await (try LocalOrg.start(standard)).stop()
            let first = try await OrgClient.start(try InvoiceSchema.configuration(file: file))
            let id = try first.create("Invoice__c", #"{"Total__c":5,"Place__Latitude__s":1,"Place__Longitude__s":2}"#)
            await first.org.stop()
            let more = InvoiceSchema.json.replacing(
                #"{"name":"Count__c","type":"int"}"#,
                with:
                    #"{"name":"Count__c","type":"int"},{"name":"New__c","type":"boolean"},{"name":"At__c","type":"location"}"#
            )
            let second = try await OrgClient.start(try InvoiceSchema.configuration(more, file: file))
            let record = try second.get("/sobjects/Invoice__c/\(id)").json
            #expect(record["Total__c"] == 5 && record["New__c"] == false && record["At__c"] == .null)
            await second.org.stop()
            let faults = [
                ("Account.Grade__c", standard), ("Invoice__c.At__L", try InvoiceSchema.configuration(file: file)),
                (
                    "Invoice__c.Count__c is of the type 'int'",
                    try InvoiceSchema.configuration(
                        more.replacing(#""Count__c","type":"int""#, with: #""Count__c","type":"string""#), file: file)
                ),
                (
                    "keyPrefix a0I",
                    try InvoiceSchema.configuration(more.replacing(#""a0I""#, with: #""a0J""#), file: file)
                ),
            ]
            for (text, configuration) in faults {
                let error = await #expect(throws: StartError.self) { try await LocalOrg.start(configuration) }
                #expect(
                    error?.code == .changedSchema && error?.message.contains(text) == true, "\(error?.message ?? "")")
            }
            let third = try await OrgClient.start(try InvoiceSchema.configuration(more, file: file))
            #expect(try third.get("/sobjects/Invoice__c/\(id)").json["Total__c"] == 5)
        }
    }
}
