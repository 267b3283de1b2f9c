// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Records")
struct RecordTests {
    @Test("a record is created, read, changed and deleted")
    func life() async throws {
        let client = try await SharedOrg.client
        let path = "\(OrgClient.data)/sobjects/Contact"
        let created = try client.send(
            "POST", path, body: #"{"firstname":"Zoë","LastName":"O\"Hara","Birthdate":"1990-02-28"}"#)
        #expect(created.status == 201)
        #expect(created.json["success"]?.bool == true)
        #expect(created.json["errors"]?.array?.isEmpty == true)
        let id = try #require(created.json["id"]?.string)
        #expect(id.count == 18 && id.hasPrefix("003"))
        #expect(created.field("Location") == "\(path)/\(id)")
        let read = try client.send("GET", "\(path)/\(id.prefix(15))").json
        #expect(read["attributes"]?["url"]?.string == "\(path)/\(id)")
        #expect(read["Name"]?.string == "Zoë O\"Hara")
        #expect(read["IsDeleted"]?.bool == false)
        #expect(read["OwnerId"]?.string == read["CreatedById"]?.string)
        #expect(read["CreatedDate"]?.string?.hasSuffix("+0000") == true)
        #expect(read["AccountId"]?.isNull == true)
        let changed = try client.send("PATCH", "\(path)/\(id)", body: #"{"LastName":"Meyer","FirstName":null}"#)
        #expect(changed.status == 204)
        #expect(changed.body.isEmpty)
        #expect(
            try client.send("GET", "\(path)/\(id)?fields=Name,Id").text.hasSuffix(#""Name":"Meyer","Id":"\#(id)"}"#))
        #expect(try client.send("DELETE", "\(path)/\(id)").status == 204)
        for method in ["GET", "DELETE"] {
            let gone = try client.send(method, "\(path)/\(id)")
            #expect(gone.status == 404)
            #expect(gone.errorCode == "ENTITY_IS_DELETED")
        }
    }

    @Test("conditions: what is known is not sent again, what was changed meanwhile is not changed")
    func conditions() async throws {
        let client = try await OrgClient.start()
        let created = try client.send("POST", "\(OrgClient.data)/sobjects/Account/Id", body: #"{"Name":"A"}"#)
        #expect(created.status == 201 && created.json["created"]?.bool == true)
        let path = "\(OrgClient.data)/sobjects/Account/\(try #require(created.json["id"]?.string))"
        let read = try client.send("GET", path)
        let modified = try #require(read.field("Last-Modified"))
        let tag = try #require(read.field("ETag"))
        let (old, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 GMT")
        func status(_ method: String, _ field: String) throws -> Int {
            try client.send(method, path, body: method == "PATCH" ? #"{"Site":"x"}"# : nil, fields: [field]).status
        }
        for (field, expected) in [
            ("If-Modified-Since: \(modified)", 304), ("If-Modified-Since: \(old)", 200),
            ("If-Modified-Since: yesterday", 400), ("If-None-Match: \(tag)", 304),
            ("If-None-Match: \"x\", \(tag)", 304),
            ("If-None-Match: \"x\"", 200), ("If-None-Match: *", 304), ("If-Match: \(tag)", 200),
            ("If-Match: \"x\"", 412),
            ("If-Unmodified-Since: \(old)", 412),
        ] {
            #expect(try status("GET", field) == expected, "\(field)")
        }
        #expect(try status("PATCH", "If-Unmodified-Since: \(old)") == 412)
        #expect(try status("PATCH", "If-Match: \"x\"") == 412)
        #expect(try client.send("GET", path).json["Site"]?.isNull == true)
        #expect(try status("PATCH", "If-Match: \(tag)") == 204)
        #expect(try status("PATCH", "If-Match: \(tag)") == 412)
        #expect(try status("PATCH", "If-Unmodified-Since: \(later)") == 204)
        await client.org.stop()
    }

    @Test("an upsert by external id creates, then changes; the version decides the answer")
    func upsert() async throws {
        let client = try await OrgClient.start()
        let path = "\(OrgClient.data)/sobjects/Account/ExternalId__c/A%2F1%20x"
        let first = try client.send("PATCH", path, body: #"{"Name":"Upserted"}"#)
        #expect(first.status == 201)
        #expect(first.json["created"]?.bool == true)
        let second = try client.send("PATCH", path, body: #"{"Industry":"Energy"}"#)
        #expect(second.status == 200)
        #expect(second.json["created"]?.bool == false)
        #expect(second.json["id"]?.string == first.json["id"]?.string)
        let read = try client.send("GET", path).json
        #expect(read["ExternalId__c"]?.string == "A/1 x")
        #expect(read["Industry"]?.string == "Energy")
        let twice = try client.send("PATCH", path, body: #"{"ExternalId__c":"B","Name":"x"}"#)
        #expect(twice.errorCode == "INVALID_FIELD")
        let unknown = try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/Name/x", body: "{}")
        #expect(unknown.status == 404)
        #expect(
            unknown.json[0]?["message"]?.string
                == "Provided external ID field does not exist or is not accessible: Name")
        let duplicate = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account", body: #"{"Name":"x","ExternalId__c":"a/1 X"}"#)
        #expect(duplicate.errorCode == "DUPLICATE_VALUE")
        #expect(try client.send("DELETE", path).status == 204)
        #expect(try client.send("GET", path).status == 404)
        #expect(try client.send("PATCH", path, body: #"{"Name":"Again"}"#).status == 201)
        await client.org.stop()
    }

    @Test(
        "values come back as they were sent",
        arguments: [
            (#""AnnualRevenue":300"#, #""AnnualRevenue":300.0"#), (#""AnnualRevenue":0.1"#, #""AnnualRevenue":0.1"#),
            (#""AnnualRevenue":1.50E3"#, #""AnnualRevenue":1500.0"#),
            (#""AnnualRevenue":-0.0"#, #""AnnualRevenue":0.0"#),
            (#""NumberOfEmployees":-2147483648"#, #""NumberOfEmployees":-2147483648"#),
            (#""Site":"a\tb\u0001\\\"/é😀""#, #""Site":"a\tb\u0001\\\"/é😀""#),
            (#""Site":" ' OR '1'='1 ""#, #""Site":" ' OR '1'='1 ""#),
        ])
    func roundTrips(sent: String, expected: String) async throws {
        let client = try await SharedOrg.client
        let id = try client.create("Account", #"{"Name":"x",\#(sent)}"#)
        let field = sent.split(separator: "\"")[0]
        let read = try client.get("/sobjects/Account/\(id)?fields=\(field)").text
        #expect(read.hasSuffix(expected + "}"))
    }

    @Test(
        "datetimes are kept in UTC to the millisecond",
        arguments: [
            ("2026-03-01T01:30:00.1239+02:00", "2026-02-28T23:30:00.123+0000"),
            ("2026-03-01T01:30:00z", "2026-03-01T01:30:00.000+0000"),
            ("2024-02-29T23:59:59-0030", "2024-03-01T00:29:59.000+0000"),
            ("1899-12-31T00:00:00Z", "1899-12-31T00:00:00.000+0000"),
        ])
    func datetimes(sent: String, expected: String) async throws {
        let client = try await SharedOrg.client
        let id = try client.create("Event", #"{"StartDateTime":"\#(sent)"}"#)
        let read = try client.get("/sobjects/Event/\(id)?fields=StartDateTime").json
        #expect(read["StartDateTime"]?.string == expected)
    }

    @Test("an id's suffix tells its capitals")
    func identifiers() async throws {
        let client = try await SharedOrg.client
        let user = try client.get("/sobjects/Account").json["objectDescribe"]?["keyPrefix"]?.string
        #expect(user == "001")
        let id = try client.create("Account", #"{"Name":"x"}"#)
        #expect(id.hasPrefix("001bZ000"))
        // The first group is 001bZ: its fifth character is a capital, bit 4, so the suffix begins with letter 16, a Q.
        #expect(id.dropFirst(15).first == "Q")
    }

    @Test("describes name every field with its type, and every relationship")
    func describes() async throws {
        let client = try await SharedOrg.client
        let objects = try client.get("/sobjects").json["sobjects"]?.array ?? []
        let names = objects.compactMap { $0["name"]?.string }
        #expect(names.contains("PricebookEntry") && names.count == 33)
        for name in names {
            let describe = try client.get("/sobjects/\(name)/describe").json
            let fields = describe["fields"]?.array ?? []
            #expect(fields.first?["name"]?.string == "Id")
            #expect(fields.allSatisfy { $0["type"]?.string?.isEmpty == false && $0["label"]?.string?.isEmpty == false })
            for child in describe["childRelationships"]?.array ?? [] {
                #expect(names.contains(child["childSObject"]?.string ?? ""))
            }
            let relations = (describe["childRelationships"]?.array ?? []).compactMap { $0["relationshipName"]?.string }
            #expect(Set(relations).count == relations.count)
        }
        let account = try client.get("/sobjects/account/describe").json
        let children = (account["childRelationships"]?.array ?? []).compactMap { $0["relationshipName"]?.string }
        #expect(Set(["Contacts", "Opportunities", "Cases", "Tasks", "Events", "ChildAccounts"]).isSubset(of: children))
    }
}
