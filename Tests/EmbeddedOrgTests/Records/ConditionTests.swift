// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTransport
import Testing

@Suite("Conditional requests")
struct ConditionTests {
    private static let objects = "\(OrgClient.data)/sobjects"
    private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("each change of a record has an entity tag of its own, also within a second")
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
        await client.org.stop()
    }

    @Test("a record without an entity tag fulfils no condition that names one")
    func untagged() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.objects)/Contact/\(try client.create("Contact", #"{"LastName":"A"}"#))"
        #expect(try client.send("GET", path).field("ETag") == nil)
        for (field, status) in [("If-Match: \"x\"", 412), ("If-Match: *", 204), ("If-None-Match: \"x\"", 204)] {
            #expect(try client.send("PATCH", path, body: #"{"Title":"x"}"#, fields: [field]).status == status)
        }
        #expect(try client.send("GET", path, fields: ["If-None-Match: \"x\""]).status == 200)
        #expect(try client.send("DELETE", path, fields: ["If-Match: \"x\""]).status == 412)
        await client.org.stop()
    }

    @Test("an upsert that expects a record creates none")
    func upsert() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.objects)/Account/ExternalId__c/none"
        for field in ["If-Match: *", "If-Match: \"x\""] {
            #expect(try client.send("PATCH", path, body: #"{"Name":"A"}"#, fields: [field]).status == 412)
        }
        #expect(try client.send("GET", path).status == 404)
        await client.org.stop()
    }

    @Test("a deletion by any name honours the conditions")
    func deletions() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"A","ExternalId__c":"a"}"#)
        let contact = try client.create("Contact", #"{"LastName":"C","AccountId":"\#(account)"}"#)
        for path in ["Account/\(account)", "Account/ExternalId__c/a", "Contact/\(contact)/Account"] {
            for (method, query) in [("DELETE", ""), ("POST", "?_HttpMethod=DELETE")] {
                let answer = try client.send(
                    method, "\(Self.objects)/\(path)\(query)", fields: ["If-Unmodified-Since: \(Self.old)"])
                #expect(answer.status == 412 && answer.errorCode == "PRECONDITION_FAILED", "\(method) \(path)")
            }
        }
        #expect(try client.get("/sobjects/Account/\(account)").status == 200)
        await client.org.stop()
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
                let answer = try client.send(method, OrgClient.data + path, body: body, fields: [field])
                #expect(answer.status == 400 && answer.errorCode == "INVALID_HEADER", "\(method) \(path)")
            }
        }
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.isNull == true)
        await client.org.stop()
    }

    @Test("contents of files that are known are not sent again")
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
            let answer = try client.send("GET", path, fields: [field])
            #expect(answer.status == status, "\(field)")
            #expect(answer.text == "hi" || status != 200)
        }
        await client.org.stop()
    }
}
