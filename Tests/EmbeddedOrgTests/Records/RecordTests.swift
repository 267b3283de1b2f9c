// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSQLite
import RestTransport
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

    @Test("with conditions, a known record is not sent again and a changed record is not overwritten")
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
    }

    @Test("an upsert by external id creates a record, then changes it, and the API version determines the response")
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
    }

    @Test(
        "values are returned as they were sent",
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
        "datetimes are stored in UTC with milliseconds",
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

    @Test("an id's suffix encodes its capital letters")
    func identifiers() async throws {
        let client = try await SharedOrg.client
        let user = try client.get("/sobjects/Account").json["objectDescribe"]?["keyPrefix"]?.string
        #expect(user == "001")
        let id = try client.create("Account", #"{"Name":"x"}"#)
        #expect(id.hasPrefix("001bZ000"))
        // The first group is 001bZ. Its fifth character is a capital letter (bit 4), so the suffix begins with letter
        // 16, a Q.
        #expect(id.dropFirst(15).first == "Q")
    }

    @Test("object descriptions contain every field with its type, and every relationship")
    func describes() async throws {
        let client = try await SharedOrg.client
        let objects = try client.get("/sobjects").json["sobjects"]?.array ?? []
        let names = objects.compactMap { $0["name"]?.string }
        #expect(names.contains("PricebookEntry") && names.count == 36)
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

@Suite("Times that the org writes")
struct SystemTimeTests {
    @Test("system times have whole seconds, as in Salesforce")
    func wholeSeconds() async throws {
        try await withTemporaryDirectory { folder in
            let client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(folder + "/org.db")))
            let ids = try (0..<4).map { try client.create("Account", #"{"Name":"A\#($0)"}"#) }
            try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(ids[0])", body: #"{"Site":"x"}"#)
            try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(ids[1])")
            #expect(try client.query("SELECT Id FROM Account WHERE Id = '\(ids[2])' FOR VIEW").status == 200)
            let job = #"{"operation":"query","query":"SELECT Id FROM Account"}"#
            #expect(try client.send("POST", "\(OrgClient.data)/jobs/query", body: job).status == 200)
            await client.org.stop()
            let file = try SQLiteConnection(path: folder + "/org.db")
            let times = try times(in: file)
            #expect(Set(times.map(\.column)).isSuperset(of: Self.names))
            for (column, time) in times { #expect(time.hasSuffix(".000+0000"), "\(column): \(time)") }
        }
    }

    private static let names: Set<String> = [
        "CreatedDate", "LastModifiedDate", "SystemModstamp", "Viewed", "Referenced", "Modified",
    ]

    /// Returns all values of the columns with these names, in all tables.
    private func times(in file: SQLiteConnection) throws -> [(column: String, time: String)] {
        var columns: [(table: String, name: String)] = []
        try file.rows(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
        ) { row in
            if Self.names.contains(row.text(1)) { columns.append((row.text(0), row.text(1))) }
        }
        var times: [(column: String, time: String)] = []
        for (table, name) in columns {
            try file.rows("SELECT \"\(name)\" FROM \"\(table)\" WHERE \"\(name)\" IS NOT NULL") { row in
                times.append((name, row.text(0)))
            }
        }
        return times
    }

    @Test(
        "changes are listed for 30 days, deletions for 15, and an earlier start is rejected with Salesforce's message"
    )
    func windows() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A"}"#)
        let now = try #require(try client.get("/sobjects/Account/\(id)").json["SystemModstamp"]?.string)
        let stamp = try #require(JSONTimestamp(now)).seconds
        for (name, days) in [("updated", 30), ("deleted", 15)] {
            func ask(_ start: Int, _ end: Int) throws -> RawClient.Response {
                let times = [start, end].map { JSONTimestamp(seconds: stamp + Int64($0)).text ?? "" }
                return try client.get("/sobjects/Account/\(name)?start=\(times[0])&end=\(times[1])")
            }
            let whole = try ask(-days * 86_400 + 600, 600)
            #expect(whole.status == 200)
            #expect(whole.json["latestDateCovered"]?.string?.hasSuffix(".000+0000") == true)
            for (start, end, words) in [
                (-days * 86_400 - 1, 0, "startDate cannot be more than \(days) days ago"),
                (0, -1, "startDate must be before endDate"), (0, 0, "startDate must be before endDate"),
            ] {
                let refused = try ask(start, end)
                #expect(refused.status == 400 && refused.errorCode == "INVALID_REPLICATION_DATE")
                #expect(refused.json[0]?["message"]?.string == words)
            }
        }
    }
}

@Suite("Conditional requests")
struct ConditionTests {
    private static let objects = "\(OrgClient.data)/sobjects"
    private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("each change of a record results in a new entity tag, also within a second")
    func tags() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.objects)/Account/\(try client.create("Account", #"{"Name":"A"}"#))"
        var tags = Set([try #require(try client.send("GET", path).field("ETag"))])
        for number in 0..<10 {
            let tag = try #require(try client.send("GET", path).field("ETag"))
            let body = #"{"NumberOfEmployees":\#(number)}"#
            #expect(try client.send("PATCH", path, body: body, fields: ["If-Match: \(tag)"]).status == 204)
            #expect(try client.send("PATCH", path, body: body, fields: ["If-Match: \(tag)"]).status == 412)
            tags.insert(try #require(try client.send("GET", path).field("ETag")))
        }
        #expect(tags.count == 11)
    }

    @Test("a record without an entity tag does not match a condition with a tag")
    func untagged() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.objects)/Contact/\(try client.create("Contact", #"{"LastName":"A"}"#))"
        #expect(try client.send("GET", path).field("ETag") == nil)
        for (field, status) in [("If-Match: \"x\"", 412), ("If-Match: *", 204), ("If-None-Match: \"x\"", 204)] {
            #expect(try client.send("PATCH", path, body: #"{"Title":"x"}"#, fields: [field]).status == status)
        }
        #expect(try client.send("GET", path, fields: ["If-None-Match: \"x\""]).status == 200)
        #expect(try client.send("DELETE", path, fields: ["If-Match: \"x\""]).status == 412)
    }

    @Test("an upsert that expects an existing record creates no record")
    func upsert() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.objects)/Account/ExternalId__c/none"
        for field in ["If-Match: *", "If-Match: \"x\""] {
            #expect(try client.send("PATCH", path, body: #"{"Name":"A"}"#, fields: [field]).status == 412)
        }
        #expect(try client.send("GET", path).status == 404)
    }

    @Test("a deletion respects the conditions, whatever path names the record")
    func deletions() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"A","ExternalId__c":"a"}"#)
        let contact = try client.create("Contact", #"{"LastName":"C","AccountId":"\#(account)"}"#)
        for path in ["Account/\(account)", "Account/ExternalId__c/a", "Contact/\(contact)/Account"] {
            let response = try client.send(
                "DELETE", "\(Self.objects)/\(path)", fields: ["If-Unmodified-Since: \(Self.old)"])
            #expect(response.status == 412 && response.errorCode == "PRECONDITION_FAILED", "\(path)")
        }
        #expect(try client.get("/sobjects/Account/\(account)").status == 200)
    }

    @Test("a write that would ignore a condition is rejected")
    func ignored() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A"}"#)
        let record = #"{"attributes":{"type":"Account"},"id":"\#(id)","Site":"x"}"#
        for (method, path, body) in [
            ("POST", "/sobjects/Account", #"{"Name":"B"}"#),
            ("PATCH", "/composite/sobjects", #"{"records":[\#(record)]}"#),
            ("DELETE", "/composite/sobjects?ids=\(id)", nil),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert"}"#),
        ] as [(String, String, String?)] {
            for field in ["If-Match: *", "If-Unmodified-Since: \(Self.old)", "If-None-Match: *"] {
                let response = try client.send(method, OrgClient.data + path, body: body, fields: [field])
                #expect(response.status == 400 && response.errorCode == "INVALID_HEADER", "\(method) \(path)")
            }
        }
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.isNull == true)
    }

    @Test("unchanged contents of files are not sent again")
    func files() async throws {
        let client = try await OrgClient.start()
        let parent = try client.create("Account", #"{"Name":"A"}"#)
        let id = try client.create("Attachment", #"{"Name":"f","ParentId":"\#(parent)","Body":"aGk="}"#)
        let path = "\(Self.objects)/Attachment/\(id)/Body"
        let tag = try #require(try client.send("GET", path).field("ETag"))
        for (field, status) in [
            ("If-None-Match: \(tag)", 304), ("If-None-Match: \"x\"", 200), ("If-Match: \(tag)", 200),
            ("If-Match: \"x\"", 412), ("If-Modified-Since: \(Self.old)", 200), ("If-Match: x", 400),
        ] {
            let response = try client.send("GET", path, fields: [field])
            #expect(response.status == status, "\(field)")
            #expect(response.text == "hi" || status != 200)
        }
    }
}
