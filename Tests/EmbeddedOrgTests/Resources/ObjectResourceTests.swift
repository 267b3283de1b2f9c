// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Resources of objects and records")
struct ObjectResourceTests {
    @Test("changes and deletions in a period are listed, and invalid times are rejected")
    func windows() async throws {
        let client = try await OrgClient.start()
        let kept = try client.create("Account", #"{"Name":"kept"}"#)
        let gone = try client.create("Account", #"{"Name":"gone"}"#)
        try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(gone)")
        let today = try client.get("/sobjects/Account/\(kept)").json["SystemModstamp"]?.string?.prefix(10) ?? ""
        let window = "start=\(today)T00:00:00Z&end=\(today)T23:59:59%2B00:00"
        let updated = try client.get("/sobjects/Account/updated/?\(window)").json
        #expect(updated["ids"]?.array?.compactMap(\.string) == [kept])
        #expect(updated["latestDateCovered"]?.string?.hasPrefix(today) == true)
        let deleted = try client.get("/sobjects/Account/deleted?\(window)").json
        #expect(deleted["deletedRecords"]?.array?.compactMap { $0["id"]?.string } == [gone])
        for query in ["start=x&end=\(today)T00:00:00Z", "start=2001-01-01T00:00:00Z&end=\(today)T00:00:00Z"] {
            let refused = try client.get("/sobjects/Account/updated?\(query)")
            #expect(refused.status == 400 && refused.errorCode == "INVALID_REPLICATION_DATE")
        }
        #expect(try client.get("/sobjects/Account/updated").errorCode == "MISSING_ARGUMENT")
    }

    @Test("a relationship path leads to a parent or to children, and an unknown relationship is reported")
    func relationships() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"Parent","ExternalId__c":"rel"}"#)
        let contact = try client.create("Contact", #"{"LastName":"Child","Account":{"ExternalId__c":"rel"}}"#)
        let parent = try client.get("/sobjects/Contact/\(contact)/Account?fields=Name")
        #expect(parent.json["Name"]?.string == "Parent" && parent.json["Id"] == nil)
        let children = try client.get("/sobjects/Account/\(account)/Contacts?fields=LastName")
        #expect(children.json["records"]?[0]?["LastName"]?.string == "Child")
        let changed = try client.send(
            "PATCH", "\(OrgClient.data)/sobjects/Contact/\(contact)/Account", body: #"{"Site":"x"}"#)
        #expect(changed.status == 204)
        #expect(try client.get("/sobjects/Account/\(account)").json["Site"]?.string == "x")
        let unknown = try client.get("/sobjects/Contact/\(contact)/Nothing")
        #expect(unknown.status == 404 && unknown.text.contains("Contact has no relationship named 'Nothing'"))
        let neither = try client.get("/sobjects/Contact/Nothing/x")
        #expect(neither.status == 404 && neither.text.contains("nor is it the id of a record of Contact"))
        let missing = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Contact", body: #"{"LastName":"x","Account":{"ExternalId__c":"no"}}"#)
        #expect(missing.errorCode == "INVALID_FIELD" && missing.text.contains("Foreign key external ID: no not found"))
    }

    @Test("a file is uploaded as Base64 and downloaded as bytes, and a query returns the path of the bytes")
    func files() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"with a file"}"#)
        let id = try client.create("Attachment", #"{"Name":"a","ParentId":"\#(account)","Body":"aABp"}"#)
        let record = try client.get("/sobjects/Attachment/\(id)").json
        #expect(record["Body"]?.string == "/services/data/v66.0/sobjects/Attachment/\(id)/Body")
        #expect(record["BodyLength"]?.int == 3)
        let older = try client.send("GET", "/services/data/v60.0/sobjects/Attachment/\(id)").json
        #expect(older["Body"]?.string == "/services/data/v60.0/sobjects/Attachment/\(id)/Body")
        #expect(try client.get("/sobjects/Attachment/\(id)/Body").body == [0x68, 0, 0x69])
        let bad = try client.send(
            "PATCH", "\(OrgClient.data)/sobjects/Attachment/\(id)", body: #"{"Body":"not base 64"}"#)
        #expect(bad.status == 400)
        #expect(try client.get("/sobjects/Attachment/\(id)/Body").body == [0x68, 0, 0x69])
        let path = "\(OrgClient.data)/sobjects/Attachment/\(id)"
        #expect(try client.send("PATCH", path, body: #"{"Body":"AA=="}"#).status == 204)
        #expect(try client.send("GET", path + "/Body").body == [0])
        #expect(try client.send("GET", path).json["BodyLength"] == 1)
    }

    @Test("a file is uploaded as a form part, and a body without the part is rejected")
    func multipart() async throws {
        let client = try await OrgClient.start()
        let head = "--b\r\nContent-Disposition: form-data; name=\"entity\"\r\nContent-Type: application/json\r\n\r\n"
        let record = head + #"{"Title":"t","PathOnClient":"t.bin"}"# + "\r\n"
        let file =
            "--b\r\nContent-Disposition: form-data; name=\"VersionData\"; filename=\"t.bin\"\r\n\r\n1\r\n2\r\n--b--"
        func post(_ body: String) throws -> RawClient.Response {
            try client.send(
                "POST", "\(OrgClient.data)/sobjects/ContentVersion", body: body,
                fields: ["Content-Type: multipart/form-data; boundary=\"b\""])
        }
        let id = try #require(try post(record + file).json["id"]?.string)
        #expect(try client.get("/sobjects/ContentVersion/\(id)/VersionData").text == "1\r\n2")
        #expect(try client.get("/sobjects/ContentVersion/\(id)").json["ContentSize"]?.int == 4)
        let path = "\(OrgClient.data)/sobjects/ContentVersion/\(id)"
        #expect(try client.send("PATCH", path, body: #"{"VersionData":null}"#).status == 400)
        #expect(try client.send("GET", path + "?fields=VersionData,ContentSize").json["ContentSize"]?.int == 4)
        for body in [record + "--b--", file, "x", "--b", record, head, ""] { #expect(try post(body).status == 400) }
    }

    @Test("object descriptions are sent again only if they have changed")
    func describes() async throws {
        let client = try await SharedOrg.client
        for path in ["/sobjects", "/sobjects/Account/describe"] {
            let first = try client.get(path)
            let (tag, date) = (try #require(first.field("ETag")), try #require(first.field("Last-Modified")))
            for field in ["If-None-Match: \(tag)", "If-Modified-Since: \(date)"] {
                let again = try client.send("GET", OrgClient.data + path, fields: [field])
                #expect(again.status == 304 && again.body.isEmpty)
            }
        }
    }

    @Test("record counts and suggestions are returned")
    func others() async throws {
        let client = try await OrgClient.start()
        let count = try client.get("/limits/recordCount?sObjects=Account,Nothing").json["sObjects"]
        #expect(count?.array?.count == 1 && count?[0]?["count"]?.int == 60)
        _ = try client.create("Account", #"{"Name":"quick"}"#)
        let suggested = try client.get("/search/suggestions?q=qui&sobject=Account").json["autoSuggestResults"]
        #expect(suggested?[0]?["Name"]?.string == "quick")
        #expect(
            try client.get("/search/suggestions?q=%25_&sobject=Account").json["autoSuggestResults"]?.array?.isEmpty
                == true)
    }

    @Test("a query is explained by the database's planner")
    func explained() async throws {
        let client = try await SharedOrg.client
        let scan = try client.get("/query?explain=SELECT+Id+FROM+Account").json["plans"]?[0]
        #expect(scan?["leadingOperationType"]?.string == "TableScan" && scan?["relativeCost"]?.double == 1)
        let search = try client.get("/query?explain=SELECT+Id+FROM+Account+WHERE+Id='001000000000001'").json["plans"]?[
            0]
        #expect(search?["leadingOperationType"]?.string == "Index" && search?["fields"]?[0]?.string == "Id")
        #expect(try client.get("/query?explain=SELECT+Nope+FROM+Account").errorCode == "INVALID_FIELD")
    }

    @Test("a new password is accepted, and the old password is rejected")
    func password() async throws {
        let client = try await OrgClient.start()
        let path = "\(OrgClient.data)/sobjects/User/\(client.org.userID)/password"
        #expect(try client.send("GET", path).json["isExpired"]?.bool == false)
        #expect(try client.send("POST", path, body: #"{"NewPassword":"short"}"#).errorCode == "INVALID_NEW_PASSWORD")
        #expect(try client.send("POST", path, body: #"{"NewPassword":"long-enough-1"}"#).status == 204)
        func logIn(_ password: String) throws -> Int {
            try client.grant("password", [("username", client.org.username), ("password", password)]).status
        }
        #expect(try logIn("long-enough-1") == 200)
        #expect(try logIn(client.org.password) == 400)
    }
}

@Suite("Differences between API versions")
struct VersionTests {
    private func get(_ client: OrgClient, _ version: Int, _ path: String) throws -> RawClient.Response {
        try client.send("GET", "/services/data/v\(version).0\(path)")
    }

    @Test("the newest API versions are listed and supported, and later ones are not")
    func newest() async throws {
        let client = try await SharedOrg.client
        let labels = try client.send("GET", "/services/data").json.array?.suffix(2).map { $0["label"]?.string }
        #expect(labels == ["Summer '26", "Winter '27"])
        for version in [67, 68] {
            let record = try get(client, version, "/query?q=SELECT+Id+FROM+Account+LIMIT+1").json["records"]?[0]
            let url = try #require(record?["attributes"]?["url"]?.string)
            #expect(url.hasPrefix("/services/data/v\(version).0/") && record?["Id"] != nil)
        }
        #expect(try get(client, 69, "/limits").status == 404)
    }

    @Test(
        "a resource exists from its API version on",
        arguments: [
            ("/sobjects/Account/{id}/Owner", 36), ("/limits/recordCount", 40), ("/jobs/ingest", 41),
            ("/composite/sobjects/Account?ids={id}&fields=Id", 42), ("/jobs/query", 47),
        ])
    func resources(path: String, since: Int) async throws {
        let client = try await SharedOrg.client
        let id = try #require(
            try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 1").json["records"]?[0]?["Id"]?.string)
        let path = path.replacing("{id}", with: id)
        let before = try get(client, since - 1, path)
        #expect(before.status == 404 && before.errorCode == "NOT_FOUND")
        #expect(try get(client, since, path).status == 200)
    }

    @Test(
        "a resource accepts requests from its API version on",
        arguments: [
            ("/composite/batch", 34), ("/composite/tree/Account", 34), ("/parameterizedSearch", 36),
            ("/composite", 38), ("/composite/graph", 50),
        ])
    func posted(path: String, since: Int) async throws {
        let client = try await SharedOrg.client
        for (version, status) in [(since - 1, 404), (since, 400)] {
            let response = try client.send("POST", "/services/data/v\(version).0\(path)", body: "{}")
            #expect(response.status == status, "\(version)")
        }
    }

    @Test("the list of resources depends on the API version")
    func list() async throws {
        let client = try await SharedOrg.client
        for (version, names) in [(33, []), (34, ["composite"]), (36, ["composite", "parameterizedSearch"])] {
            let list = try get(client, version, "").json
            let found = ["composite", "jobs", "parameterizedSearch"].filter { list[$0] != nil }
            #expect(found == names)
        }
    }

    @Test(
        "a clause is supported from its API version on",
        arguments: [
            ("SELECT TYPEOF Who WHEN Contact THEN LastName END FROM Task LIMIT 1", 46),
            ("SELECT FIELDS(STANDARD) FROM Account LIMIT 1", 51),
            ("SELECT Id, (SELECT Id, (SELECT Id FROM Tasks) FROM Contacts) FROM Account LIMIT 1", 58),
        ])
    func clauses(query: String, since: Int) async throws {
        let client = try await SharedOrg.client
        let path = "/query?q=\(try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))"
        let before = try get(client, since - 1, path)
        #expect(before.status == 400 && before.errorCode == "MALFORMED_QUERY")
        #expect(try get(client, since, path).status == 200)
    }

    @Test("a search returns a bare array before version 37")
    func search() async throws {
        let client = try await SharedOrg.client
        let path = "/search?q=FIND+%7BAlder%7D+RETURNING+Account(Id)"
        let (bare, wrapped) = (try get(client, 36, path).json, try get(client, 37, path).json)
        #expect(bare.array?.isEmpty == false && bare.array?.count == wrapped["searchRecords"]?.array?.count)
    }
}

@Suite("Other ways to identify a record")
struct RecordEdgeTests {
    private static let account = "\(OrgClient.data)/sobjects/Account"

    @Test("an external id identifies a record in every method")
    func externalIDs() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.account)/ExternalId__c"
        let made = try client.send("POST", path, body: #"{"Name":"A","ExternalId__c":"a"}"#)
        #expect(made.status == 201 && made.json["created"]?.bool == true)
        #expect(try client.send("POST", path + "/", body: #"{"Name":"B"}"#).status == 201)
        #expect(try client.send("POST", path + "/b", body: #"{"Name":"B"}"#).status == 405)
        #expect(try client.send("HEAD", path + "/a").status == 200)
        #expect(try client.send("GET", path + "/a").json["Id"]?.string == made.json["id"]?.string)
        let only = try client.send("PATCH", path + "/new?updateOnly=true", body: #"{"Name":"C"}"#)
        #expect(only.status == 404)
        #expect(try client.send("PATCH", path + "/a?updateOnly=true", body: #"{"Site":"x"}"#).status == 200)
        #expect(try client.send("DELETE", path + "/a").status == 204)
        #expect(try client.send("DELETE", path + "/a").status == 404)
    }

    @Test("an external id of several records is answered with all of them")
    func ambiguousIDs() async throws {
        var configuration = LocalOrgConfiguration()
        let fields = """
            [{"name":"Name","type":"string"},
             {"name":"Key__c","type":"string","externalId":true,"unique":false}]
            """
        configuration.schema = try OrgSchema(describe: Array(#"{"name":"Part__c","fields":\#(fields)}"#.utf8))
        let client = try await OrgClient.start(configuration)
        let ids = try (1...2).map { _ in try client.create("Part__c", #"{"Name":"p","Key__c":"k"}"#) }
        let paths = ids.map { "\(OrgClient.data)/sobjects/Part__c/\($0)" }
        for (method, body) in [("GET", nil), ("PATCH", #"{"Name":"q"}"#), ("DELETE", nil)] as [(String, String?)] {
            let response = try client.send(method, "\(OrgClient.data)/sobjects/Part__c/Key__c/k", body: body)
            #expect(response.status == 300 && response.json.array?.compactMap(\.string) == paths)
        }
        let records = #"{"records":[{"attributes":{"type":"Part__c"},"Key__c":"k","Name":"q"}]}"#
        let many = try client.send("PATCH", "\(OrgClient.data)/composite/sobjects/Part__c/Key__c", body: records)
        #expect(many.json[0]?["errors"]?[0]?["statusCode"]?.string == "DUPLICATE_EXTERNAL_ID")
        #expect(try client.query("SELECT COUNT() FROM Part__c WHERE Name = 'p'").json["totalSize"]?.int == 2)
    }

    @Test("conditions apply to every write, and an invalid condition is rejected")
    func conditions() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A","ExternalId__c":"a"}"#)
        let old = "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
        let key = "\(Self.account)/ExternalId__c/a"
        for (method, path) in [("PATCH", "\(Self.account)/\(id)"), ("PATCH", key), ("DELETE", "\(Self.account)/\(id)")]
        {
            for (field, status) in [
                (old, 412), ("If-Match: \"x\"", 412), ("If-None-Match: *", 412), ("If-Match: x", 400),
                ("If-Unmodified-Since: yesterday", 400), ("If-None-Match: \"", 400),
            ] {
                let body = method == "PATCH" ? #"{"Site":"x"}"# : nil
                let response = try client.send(method, path, body: body, fields: [field])
                #expect(response.status == status, "\(method) \(field)")
            }
        }
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.isNull == true)
        let made = try client.send(
            "PATCH", "\(Self.account)/ExternalId__c/new", body: #"{"Name":"B"}"#, fields: ["If-None-Match: *"])
        #expect(made.status == 201)
    }

    @Test("a relationship in an invalid position is reported as such")
    func relationships() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A"}"#)
        for (path, words) in [
            ("\(id)/Nope", "no relationship named 'Nope'"), ("\(id)/Contacts/x", "Contacts is a list"),
            ("\(id)/Parent", "leads to no record"), ("nope/Contacts", "nor is it the id of a record of Account"),
            ("Industry/x", "external ID field does not exist or is not accessible: Industry"),
        ] {
            let response = try client.get("/sobjects/Account/\(path)")
            #expect(response.status == 404 && response.text.contains(words), "\(path): \(response.text)")
        }
    }

    @Test("records that a caller marks as used are recent records")
    func recentRecords() async throws {
        let client = try await OrgClient.start()
        let mark = ["Sforce-Mru: updateMru=true"]
        let made = try client.send("POST", Self.account, body: #"{"Name":"A"}"#, fields: mark)
        let first = try #require(made.json["id"]?.string)
        let second = try client.create("Account", #"{"Name":"B"}"#)
        try client.send("PATCH", "\(Self.account)/\(second)", body: #"{"Site":"x"}"#, fields: mark)
        try client.send("PATCH", "\(Self.account)/\(first)", body: #"{"Site":"x"}"#)
        #expect(try client.get("/recent").json.array?.compactMap { $0["Id"]?.string } == [second, first])
    }
}
