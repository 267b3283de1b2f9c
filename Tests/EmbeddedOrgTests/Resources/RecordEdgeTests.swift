// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Records by other names")
struct RecordEdgeTests {
    private static let account = "\(OrgClient.data)/sobjects/Account"

    @Test("an external id names a record in every verb")
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
        await client.org.stop()
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
            let answer = try client.send(method, "\(OrgClient.data)/sobjects/Part__c/Key__c/k", body: body)
            #expect(answer.status == 300 && answer.json.array?.compactMap(\.string) == paths)
        }
        let records = #"{"records":[{"attributes":{"type":"Part__c"},"Key__c":"k","Name":"q"}]}"#
        let many = try client.send("PATCH", "\(OrgClient.data)/composite/sobjects/Part__c/Key__c", body: records)
        #expect(many.json[0]?["errors"]?[0]?["statusCode"]?.string == "DUPLICATE_EXTERNAL_ID")
        #expect(try client.query("SELECT COUNT() FROM Part__c WHERE Name = 'p'").json["totalSize"]?.int == 2)
        await client.org.stop()
    }

    @Test("conditions hold for every write, and one that is no condition is refused")
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
                let answer = try client.send(method, path, body: body, fields: [field])
                #expect(answer.status == status, "\(method) \(field)")
            }
        }
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.isNull == true)
        let made = try client.send(
            "PATCH", "\(Self.account)/ExternalId__c/new", body: #"{"Name":"B"}"#, fields: ["If-None-Match: *"])
        #expect(made.status == 201)
        await client.org.stop()
    }

    @Test("a relationship that is in the wrong place is called so")
    func relationships() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A"}"#)
        for (path, words) in [
            ("\(id)/Nope", "no relationship named 'Nope'"), ("\(id)/Contacts/x", "Contacts is a list"),
            ("\(id)/Parent", "leads to no record"), ("nope/Contacts", "nor is it the id of a record of Account"),
            ("Industry/x", "external ID field does not exist or is not accessible: Industry"),
        ] {
            let answer = try client.get("/sobjects/Account/\(path)")
            #expect(answer.status == 404 && answer.text.contains(words), "\(path): \(answer.text)")
        }
        await client.org.stop()
    }

    @Test("records that a caller marks as used are his recent ones")
    func recentRecords() async throws {
        let client = try await OrgClient.start()
        let mark = ["Sforce-Mru: updateMru=true"]
        let made = try client.send("POST", Self.account, body: #"{"Name":"A"}"#, fields: mark)
        let first = try #require(made.json["id"]?.string)
        let second = try client.create("Account", #"{"Name":"B"}"#)
        try client.send("PATCH", "\(Self.account)/\(second)", body: #"{"Site":"x"}"#, fields: mark)
        try client.send("PATCH", "\(Self.account)/\(first)", body: #"{"Site":"x"}"#)
        #expect(try client.get("/recent").json.array?.compactMap { $0["Id"]?.string } == [second, first])
        await client.org.stop()
    }
}
