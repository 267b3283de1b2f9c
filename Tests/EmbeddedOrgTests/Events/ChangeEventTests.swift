// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("Change events", .timeLimit(.minutes(2)))
struct ChangeEventTests {
    private func patch(_ client: OrgClient, _ path: String, _ body: String) throws {
        #expect(try client.send("PATCH", "\(OrgClient.data)/sobjects/\(path)", body: body).status == 204)
    }

    @Test("a record's events have its fields, its changed fields, nothing, and its fields again")
    func record() async throws {
        let client = try await OrgClient.start()
        let bayeux = try BayeuxClient.connected(client, "/data/AccountChangeEvent")
        let fields = ["Sforce-Call-Options: client=peer"]
        let made = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Account",
            body:
                #"{"Name":"Ada \"& Co\"","Phone":"1","NumberOfEmployees":7,"BillingCity":"Bonn","AnnualRevenue":1.5}"#,
            fields: fields)
        let id = try #require(made.json["id"]?.string)
        try patch(client, "Account/\(id)", #"{"Phone":null,"NumberOfEmployees":8,"BillingCity":"Ulm"}"#)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)").status == 204)
        let events = try bayeux.events()
        #expect(
            events.map(\.change) == [
                "CREATE Account 1 []",
                #"UPDATE Account 1 ["NumberOfEmployees", "BillingAddress.City", "LastModifiedDate", "Phone"]"#,
                "DELETE Account 1 []",
            ])
        let created = try #require(events.first)
        #expect(created["channel"] == "/data/AccountChangeEvent")
        #expect(created.payload["Name"]?.string == #"Ada "& Co""#)
        #expect(created.payload["NumberOfEmployees"]?.int == 7 && created.payload["AnnualRevenue"]?.double == 1.5)
        #expect(created.payload["BillingAddress"]?["City"] == "Bonn" && created.payload["BillingCity"] == nil)
        #expect(created.payload["CreatedDate"]?.string?.hasSuffix(".000Z") == true)
        #expect(created.payload["Id"] == nil && created.payload["IsDeleted"] == nil && created.payload["Fax"] == nil)
        let header = try #require(created.payload["ChangeEventHeader"])
        #expect(header["recordIds"]?[0]?.string == id && header["commitUser"]?.string == client.org.userID)
        #expect(header["changeOrigin"] == "com/salesforce/api/rest/66.0;client=peer")
        #expect(header["commitTimestamp"]?.int ?? 0 > 1_700_000_000_000)
        let updated = events[1].payload
        #expect(updated["Phone"] == .null && updated["Name"] == nil && updated["BillingAddress"] == ["City": "Ulm"])
        #expect(updated["LastModifiedDate"] != nil)
        #expect(events[2].payload.object?.keys == ["ChangeEventHeader"])
        let numbers = events.compactMap { $0.payload["ChangeEventHeader"]?["commitNumber"]?.int }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
        let ids = events.compactMap(\.replayID)
        #expect(ids.count == 3 && ids == ids.sorted() && Set(ids).count == 3)
    }

    @Test("the names of people are in parts, and objects that nobody listens to have no events")
    func people() async throws {
        let client = try await OrgClient.start()
        let account = try client.create("Account", #"{"Name":"Before"}"#)
        let bayeux = try BayeuxClient.connected(
            client, "/data/ContactChangeEvent", "/data/AccountChangeEvent", replay: -2)
        _ = try client.create("Lead", #"{"LastName":"Silent","Company":"C"}"#)
        let id = try client.create("Contact", #"{"FirstName":"Ada","LastName":"Adler","AccountId":"\#(account)"}"#)
        try patch(client, "Contact/\(id)", #"{"FirstName":"Eva"}"#)
        let events = try bayeux.events()
        #expect(events.count == 2)
        #expect(events.first?.payload["Name"] == ["FirstName": "Ada", "LastName": "Adler"])
        #expect(events.last?.payload["Name"] == ["FirstName": "Eva"])
        #expect(events.last?.change == #"UPDATE Contact 1 ["Name.FirstName", "LastModifiedDate"]"#)
    }

    @Test("the records of a transaction share its key, and a transaction that is rolled back has no events")
    func transactions() async throws {
        let client = try await OrgClient.start { $0.events.changedObjects = ["Account", "Contact"] }
        let bayeux = try BayeuxClient.connected(client, "/data/ChangeEvents")
        func save(_ last: String) throws {
            let body = """
                {"allOrNone":true,"records":[{"attributes":{"type":"Account"},"Name":"A"},
                {"attributes":{"type":"Contact"},\(last)}]}
                """
            _ = try client.send("POST", "\(OrgClient.data)/composite/sobjects", body: body)
        }
        try save(#""LastName":"B""#)
        try save(#""FirstName":"no last name""#)
        let events = try bayeux.events()
        #expect(events.map(\.change) == ["CREATE Account 1 []", "CREATE Contact 2 []"])
        #expect(Set(events.map { $0.payload["ChangeEventHeader"]?["transactionKey"]?.string }).count == 1)
        #expect(events.allSatisfy { $0["channel"] == "/data/ChangeEvents" })
    }

    @Test("the updates of a composite request have their own transactions, and one that fails undoes no other")
    func updates() async throws {
        let client = try await OrgClient.start { $0.events.changedObjects = ["Account"] }
        for (object, name) in [("Account", "Name"), ("Contact", "LastName")] {
            let ids = try ["A", "B", "C"].map { try client.create(object, #"{"\#(name)":"\#($0)"}"#) }
            let bayeux = try BayeuxClient.connected(client, "/data/ChangeEvents")
            let parts = zip(ids, ["new", "", "newer"]).map { id, value in
                let url = "\(OrgClient.data)/sobjects/\(object)/\(id)"
                return #"{"method":"PATCH","url":"\#(url)","referenceId":"r\#(id)","body":{"\#(name)":"\#(value)"}}"#
            }
            let answer = try client.send(
                "POST", "\(OrgClient.data)/composite",
                body: #"{"compositeRequest":[\#(parts.joined(separator: ","))]}"#)
            let statuses = answer.json["compositeResponse"]?.array?.compactMap { $0["httpStatusCode"]?.int }
            #expect(statuses == [204, 400, 204])
            let found = try ids.map {
                try client.send("GET", "\(OrgClient.data)/sobjects/\(object)/\($0)").json[name]?.string
            }
            #expect(found == ["new", "B", "newer"])
            // Only changes of accounts are captured.
            let keys = try bayeux.events().map { $0.payload["ChangeEventHeader"]?["transactionKey"]?.string }
            #expect(keys.count == (object == "Account" ? 2 : 0) && Set(keys).count == keys.count)
        }
    }

    @Test("records that a transaction deletes together have one event")
    func together() async throws {
        let client = try await OrgClient.start()
        let bayeux = try BayeuxClient.connected(client, "/data/ContactChangeEvent")
        let ids = try ["A", "B", "C"].map { try client.create("Contact", #"{"LastName":"\#($0)"}"#) }
        #expect(try bayeux.events().count == 3)
        let list = ids.joined(separator: ",")
        try client.send("DELETE", "\(OrgClient.data)/composite/sobjects?allOrNone=true&ids=\(list)")
        let events = try bayeux.events()
        #expect(events.map(\.change) == ["DELETE Contact 1 []"])
        let records = events.first?.payload["ChangeEventHeader"]?["recordIds"]?.array
        #expect(records?.compactMap(\.string) == ids)
    }

    @Test("a long text that changes in a few lines is a difference, and any other text is whole")
    func differences() async throws {
        let client = try await OrgClient.start()
        let bayeux = try BayeuxClient.connected(client, "/data/AccountChangeEvent")
        let id = try client.create("Account", #"{"Name":"A"}"#)
        let lines = (0..<200).map { "line \($0) – ünïcode" }
        func description(_ lines: [String]) throws -> JSONValue? {
            let text = JSONValue(lines.joined(separator: "\n"))
            let body: JSONValue = ["Description": text]
            try patch(client, "Account/\(id)", String(decoding: body.bytes(), as: UTF8.self))
            return try bayeux.events().last?.payload["Description"]
        }
        #expect(try description(lines)?.string == lines.joined(separator: "\n"))
        var changed = lines
        changed[100] = "another line"
        changed.insert("one more", at: 103)
        let difference = try #require(try description(changed)?["diff"]?.string).components(separatedBy: "\n")
        #expect(difference[0].hasPrefix("--- ") && difference[0].utf8.count == 68 && difference[1].hasPrefix("+++ "))
        #expect(difference[2] == "@@ -98,9 +98,10 @@")
        #expect(
            difference[3...].map { $0.prefix(9) } == [
                " line 97 ", " line 98 ", " line 99 ", "-line 100", "-line 101", "-line 102", "+another ", "+line 101",
                "+line 102", "+one more", " line 103", " line 104", " line 105", "",
            ])
        #expect(try description(lines.map { "other " + $0 })?.string?.isEmpty == false)
        #expect(try description(["short"])?.string == "short")
    }

    @Test("bulk jobs, trees, merges and restored records have events; a deletion takes its children along")
    func otherCalls() async throws {
        let client = try await OrgClient.start { $0.events.changedObjects = ["Account", "Contact"] }
        let bayeux = try BayeuxClient.connected(client, "/data/ChangeEvents", replay: -2)
        _ = try await client.ended(try client.load(#"{"object":"Account","operation":"insert"}"#, "Name\nB1\nB2\n"))
        #expect(try bayeux.events().map(\.change) == ["CREATE Account 1 []", "CREATE Account 2 []"])
        let tree = """
            {"records":[{"attributes":{"type":"Account","referenceId":"a"},"Name":"T","Contacts":{"records":[
            {"attributes":{"type":"Contact","referenceId":"c"},"LastName":"U"}]}}]}
            """
        let made = try client.send("POST", "\(OrgClient.data)/composite/tree/Account", body: tree).json
        let id = try #require(made["results"]?[0]?["id"]?.string)
        #expect(try bayeux.events().map(\.change) == ["CREATE Account 1 []", "CREATE Contact 2 []"])
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)").status == 204)
        #expect(try bayeux.events().map(\.change) == ["DELETE Account 1 []", "DELETE Contact 2 []"])
    }

    @Test("a gap names records without values, and an overflow no record")
    func gaps() async throws {
        let client = try await OrgClient.start()
        let bayeux = try BayeuxClient.connected(client, "/data/AccountChangeEvent")
        #expect(client.org.events.report(.update, of: "account", ids: ["001000000000001AAA"]))
        #expect(client.org.events.report(.overflow, of: "Account"))
        #expect(!client.org.events.report(.update, of: "Nothing"))
        let events = try bayeux.events()
        #expect(events.map(\.change) == ["GAP_UPDATE Account 1 []", "GAP_OVERFLOW Account 1 []"])
        #expect(events.first?.payload["ChangeEventHeader"]?["recordIds"] == ["001000000000001AAA"])
    }

    @Test("custom channels deliver the events of their members only")
    func customChannel() async throws {
        let client = try await OrgClient.start {
            $0.schema = try OrgSchema(
                describe: Array(#"{"name":"Paid__e","fields":[{"name":"Sum__c","type":"int"}]}"#.utf8))
            $0.events.channels = ["/data/Sales__chn": ["AccountChangeEvent", "Paid__e"]]
        }
        let bayeux = try BayeuxClient.connected(client, "/data/Sales__chn", "/data/ContactChangeEvent")
        _ = try client.create("Contact", #"{"LastName":"L"}"#)
        _ = try client.create("Account", #"{"Name":"A"}"#)
        _ = try client.create("Paid__e", #"{"Sum__c":3}"#)
        let events = try bayeux.events()
        #expect(
            events.map { $0["channel"]?.string } == [
                "/data/Sales__chn", "/data/Sales__chn", "/data/ContactChangeEvent",
            ])
        #expect(events[1].payload["Sum__c"] == 3)
    }
}
