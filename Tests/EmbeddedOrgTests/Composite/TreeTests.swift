// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Trees of records")
struct TreeTests {
    private func post(_ records: String, to type: String = "Account", _ client: OrgClient) throws -> RawClient.Answer {
        try client.send("POST", "\(OrgClient.data)/composite/tree/\(type)", body: #"{"records":[\#(records)]}"#)
    }

    private func record(_ type: String, _ reference: String, _ fields: String) -> String {
        #"{"attributes":{"type":"\#(type)","referenceId":"\#(reference)"},\#(fields)}"#
    }

    @Test("records are made with those below them, linked, each with its id")
    func created() async throws {
        let client = try await OrgClient.start()
        let contacts =
            record("Contact", "c1", #""LastName":"Roe""#) + "," + record("Contact", "c2", #""LastName":"Poe""#)
        let answer = try post(
            record("Account", "a1", #""Name":"Tree","Contacts":{"records":[\#(contacts)]}"#) + ","
                + record("Account", "a2", #""Name":"Bush""#), client)
        #expect(answer.status == 201)
        #expect(answer.json["hasErrors"]?.bool == false)
        let results = answer.json["results"]?.array ?? []
        #expect(results.compactMap { $0["referenceId"]?.string } == ["a1", "c1", "c2", "a2"])
        let id = try #require(results[0]["id"]?.string)
        let linked = try client.query("SELECT LastName FROM Contact WHERE AccountId = '\(id)' ORDER BY LastName").json
        #expect(linked["records"]?.array?.compactMap { $0["LastName"]?.string } == ["Poe", "Roe"])
        await client.org.stop()
    }

    @Test("one record that is refused undoes all, and only those that were refused by themselves are named")
    func refusedRecord() async throws {
        let client = try await OrgClient.start()
        let broken = record("Contact", "c1", #""LastName":"Roe","Email":"nobody""#)
        let answer = try post(
            record("Account", "a1", #""Name":"Undone","Contacts":{"records":[\#(broken)]}"#) + ","
                + record(
                    "Account", "a2",
                    #""Colour":"x","Contacts":{"records":[\#(record("Contact", "c2", #""LastName":"P""#))]}"#),
            client)
        #expect(answer.status == 400)
        #expect(answer.json["hasErrors"]?.bool == true)
        let results = answer.json["results"]?.array ?? []
        #expect(results.compactMap { $0["referenceId"]?.string } == ["c1", "a2"])
        #expect(
            results.compactMap { $0["errors"]?[0]?["statusCode"]?.string } == [
                "INVALID_EMAIL_ADDRESS", "INVALID_FIELD",
            ])
        let left = try client.query("SELECT COUNT() FROM Account WHERE Name = 'Undone'")
        #expect(left.json["totalSize"]?.int == 0)
        await client.org.stop()
    }

    @Test(
        "a record of another type, and a relationship that there is not, are refused by name",
        arguments: [
            (#"{"attributes":{"type":"Contact","referenceId":"r"},"LastName":"x"}"#, "INVALID_TYPE"),
            (
                #"{"attributes":{"type":"Account","referenceId":"r"},"Name":"x","Nopes":{"records":[]}}"#,
                "INVALID_FIELD"
            ),
        ])
    func wrongRecord(record: String, code: String) async throws {
        let answer = try post(record, try await SharedOrg.client)
        #expect(answer.status == 400)
        #expect(answer.json["results"]?[0]?["referenceId"]?.string == "r")
        #expect(answer.json["results"]?[0]?["errors"]?[0]?["statusCode"]?.string == code)
    }

    @Test("201 records, six levels, a reference used twice and a record without one are refused as a whole")
    func limits() async throws {
        let client = try await SharedOrg.client
        let many = (0...200).map { record("Account", "r\($0)", #""Name":"x""#) }.joined(separator: ",")
        let deep = (1...6).reversed().reduce("") { inner, level in
            record(
                "Account", "d\(level)",
                #""Name":"x""# + (inner.isEmpty ? "" : #","ChildAccounts":{"records":[\#(inner)]}"#))
        }
        let twice = [record("Account", "r", #""Name":"x""#), record("Account", "r", #""Name":"y""#)]
        for records in [many, deep, twice.joined(separator: ","), #"{"Name":"x"}"#, ""] {
            #expect(try post(records, client).errorCode == "INVALID_INPUT")
        }
        #expect(try post("{}", to: "Nothing", client).status == 404)
        #expect(try client.get("/composite/tree/Account").status == 405)
    }
}
