// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Resources of objects and records")
struct ObjectResourceTests {
    @Test("windows tell what was changed and what was deleted, and refuse times that are none")
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
        await client.org.stop()
    }

    @Test("a relationship leads to a parent and to children; what is none is told")
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
        await client.org.stop()
    }

    @Test("a file goes in as base 64 and comes out as bytes; a query names where they are")
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
        await client.org.stop()
    }

    @Test("a file goes in as a part of its own; a body without one is refused")
    func multipart() async throws {
        let client = try await OrgClient.start()
        let head = "--b\r\nContent-Disposition: form-data; name=\"entity\"\r\nContent-Type: application/json\r\n\r\n"
        let record = head + #"{"Title":"t","PathOnClient":"t.bin"}"# + "\r\n"
        let file =
            "--b\r\nContent-Disposition: form-data; name=\"VersionData\"; filename=\"t.bin\"\r\n\r\n1\r\n2\r\n--b--"
        func post(_ body: String) throws -> RawClient.Answer {
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
        await client.org.stop()
    }

    @Test("a method in the address, a format in the path, and OPTIONS")
    func methods() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"x"}"#)
        let path = "\(OrgClient.data)/sobjects/Account/\(id)"
        #expect(try client.send("POST", path + "?_HttpMethod=PATCH", body: #"{"Site":"y"}"#).status == 204)
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.string == "y")
        let options = try client.send("OPTIONS", path)
        #expect(options.status == 200 && options.field("Allow") == "GET, HEAD, PATCH, DELETE")
        #expect(try client.send("OPTIONS", "\(OrgClient.data)/nothing").status == 404)
        #expect(try client.send("POST", path + "?_HttpMethod=DELETE").status == 204)
        #expect(try client.get("/sobjects/Account/\(id)").errorCode == "ENTITY_IS_DELETED")
        await client.org.stop()
    }

    @Test("describes are sent again only when they have changed")
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

    @Test("counts and suggestions")
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
        await client.org.stop()
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

    @Test("another password opens the org, and the old one no longer does")
    func password() async throws {
        let client = try await OrgClient.start()
        let path = "\(OrgClient.data)/sobjects/User/\(client.org.userID)/password"
        #expect(try client.send("GET", path).json["isExpired"]?.bool == false)
        #expect(try client.send("POST", path, body: #"{"NewPassword":"short"}"#).errorCode == "INVALID_NEW_PASSWORD")
        #expect(try client.send("POST", path, body: #"{"NewPassword":"long-enough-1"}"#).status == 204)
        func logIn(_ password: String) throws -> Int {
            try client.form([
                ("grant_type", "password"), ("client_id", client.org.clientID),
                ("client_secret", client.org.clientSecret), ("username", client.org.username), ("password", password),
            ]).status
        }
        #expect(try logIn("long-enough-1") == 200)
        #expect(try logIn(client.org.password) == 400)
        await client.org.stop()
    }
}
