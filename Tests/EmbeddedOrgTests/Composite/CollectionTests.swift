// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Collections of records")
struct CollectionTests {
    private static let path = "\(OrgClient.data)/composite/sobjects"

    private func account(_ members: String) -> String { #"{"attributes":{"type":"Account"},\#(members)}"# }

    private func body(_ records: [String], allOrNone: Bool = false) -> String {
        #"{"allOrNone":\#(allOrNone),"records":[\#(records.joined(separator: ","))]}"#
    }

    @Test("records are created, changed, read and deleted in the given order")
    func roundTrip() async throws {
        let client = try await OrgClient.start()
        let made = try client.send(
            "POST", Self.path, body: body([account(#""Name":"One""#), account(#""Name":"Two""#)])
        ).json
        let ids = made.array?.compactMap { $0["id"]?.string } ?? []
        try #require(ids.count == 2)
        #expect(made[0]?["success"]?.bool == true && made[0]?["errors"]?.array?.isEmpty == true)
        let changed = try client.send(
            "PATCH", Self.path,
            body: body([account(#""Id":"\#(ids[0])","Site":"A""#), account(#""id":"\#(ids[1])","Site":"B""#)]))
        #expect(changed.json.array?.compactMap { $0["id"]?.string } == ids)
        let missing = "001bZ00000zzzzz"
        let read = try client.send(
            "GET", "\(Self.path)/Account?ids=\(ids[1]),\(missing),\(ids[0])&fields=Id,Site"
        ).json
        #expect(read[0]?["Site"]?.string == "B" && read[1]?.isNull == true && read[2]?["Site"]?.string == "A")
        let posted = try client.send(
            "POST", "\(Self.path)/Account", body: #"{"ids":["\#(ids[0])"],"fields":["Name"]}"#)
        #expect(posted.json[0]?["Name"]?.string == "One")
        let deleted = try client.send("DELETE", "\(Self.path)?ids=\(ids.joined(separator: ","))&allOrNone=true").json
        #expect(deleted.array?.map { $0["success"]?.bool } == [true, true])
        #expect(try client.get("/sobjects/Account/\(ids[0])").errorCode == "ENTITY_IS_DELETED")
    }

    @Test("each record has its own result, and all-or-none undoes the valid ones")
    func errors() async throws {
        let client = try await OrgClient.start()
        let records = [
            account(#""Name":"Good""#), account(#""Name":"Bad","Colour":1"#), #"{"Name":"No type"}"#,
            account(#""Id":"001bZ00000000001","Name":"With id""#),
        ]
        let some = try client.send("POST", Self.path, body: body(records)).json
        let codes = some.array?.map { $0["errors"]?[0]?["statusCode"]?.string }
        #expect(codes == [nil, "INVALID_FIELD", "INVALID_TYPE", "INVALID_FIELD"])
        #expect(some.array?.map { $0["success"]?.bool } == [true, false, false, false])
        let none = try client.send("POST", Self.path, body: body(Array(records.prefix(2)), allOrNone: true)).json
        let undone = none.array?.map { $0["errors"]?[0]?["statusCode"]?.string }
        #expect(undone == ["ALL_OR_NONE_OPERATION_ROLLED_BACK", "INVALID_FIELD"])
        #expect(try client.query("SELECT COUNT() FROM Account WHERE Name = 'Good'").json["totalSize"]?.int == 1)
    }

    @Test("an upsert reports for each record whether it was created")
    func upsert() async throws {
        let client = try await OrgClient.start()
        let path = "\(Self.path)/Account/ExternalId__c"
        let record = account(#""ExternalId__c":"c-1","Name":"First""#)
        let first = try client.send("PATCH", path, body: body([record])).json
        #expect(first[0]?["created"]?.bool == true)
        let both = try client.send(
            "PATCH", path,
            body: body([record, account(#""ExternalId__c":"c-2","Name":"Second""#), account(#""Name":"x""#)]))
        #expect(both.json[0]?["created"]?.bool == false && both.json[1]?["created"]?.bool == true)
        #expect(both.json[0]?["id"]?.string == first[0]?["id"]?.string)
        #expect(both.json[2]?["errors"]?[0]?["statusCode"]?.string == "MISSING_ARGUMENT")
    }

    @Test("more than 200 records, a missing list and invalid ids are rejected")
    func limits() async throws {
        let client = try await SharedOrg.client
        let many = body(Array(repeating: account(#""Name":"Too many""#), count: 201))
        #expect(try client.send("POST", Self.path, body: many).errorCode == "EXCEEDED_ID_LIMIT")
        #expect(try client.send("POST", Self.path, body: "{}").errorCode == "INVALID_INPUT")
        let deleted = try client.send("DELETE", "\(Self.path)?ids=xxx").json
        #expect(deleted[0]?["errors"]?[0]?["statusCode"]?.string == "MALFORMED_ID")
        #expect(try client.send("GET", "\(Self.path)/Nothing?ids=x&fields=Id").status == 404)
        #expect(try client.send("GET", "\(Self.path)/Account?ids=x&fields=Nope").errorCode == "INVALID_FIELD")
        #expect(try client.query("SELECT COUNT() FROM Account WHERE Name = 'Too many'").json["totalSize"]?.int == 0)
    }
}

@Suite("Trees of records")
struct TreeTests {
    private func post(_ records: String, to type: String = "Account", _ client: OrgClient) throws -> RawClient.Response
    {
        try client.send("POST", "\(OrgClient.data)/composite/tree/\(type)", body: #"{"records":[\#(records)]}"#)
    }

    private func record(_ type: String, _ reference: String, _ fields: String) -> String {
        #"{"attributes":{"type":"\#(type)","referenceId":"\#(reference)"},\#(fields)}"#
    }

    @Test("records are created with their children, linked, each with its id")
    func created() async throws {
        let client = try await OrgClient.start()
        let contacts =
            record("Contact", "c1", #""LastName":"Roe""#) + "," + record("Contact", "c2", #""LastName":"Poe""#)
        let response = try post(
            record("Account", "a1", #""Name":"Tree","Contacts":{"records":[\#(contacts)]}"#) + ","
                + record("Account", "a2", #""Name":"Bush""#), client)
        #expect(response.status == 201)
        #expect(response.json["hasErrors"]?.bool == false)
        let results = response.json["results"]?.array ?? []
        #expect(results.compactMap { $0["referenceId"]?.string } == ["a1", "c1", "c2", "a2"])
        let id = try #require(results[0]["id"]?.string)
        let linked = try client.query("SELECT LastName FROM Contact WHERE AccountId = '\(id)' ORDER BY LastName").json
        #expect(linked["records"]?.array?.compactMap { $0["LastName"]?.string } == ["Poe", "Roe"])
    }

    @Test("one rejected record undoes the whole tree, and the results contain only records with their own errors")
    func refusedRecord() async throws {
        let client = try await OrgClient.start()
        let broken = record("Contact", "c1", #""LastName":"Roe","Email":"nobody""#)
        let response = try post(
            record("Account", "a1", #""Name":"Undone","Contacts":{"records":[\#(broken)]}"#) + ","
                + record(
                    "Account", "a2",
                    #""Colour":"x","Contacts":{"records":[\#(record("Contact", "c2", #""LastName":"P""#))]}"#),
            client)
        #expect(response.status == 400)
        #expect(response.json["hasErrors"]?.bool == true)
        let results = response.json["results"]?.array ?? []
        #expect(results.compactMap { $0["referenceId"]?.string } == ["c1", "a2"])
        #expect(
            results.compactMap { $0["errors"]?[0]?["statusCode"]?.string } == [
                "INVALID_EMAIL_ADDRESS", "INVALID_FIELD",
            ])
        let left = try client.query("SELECT COUNT() FROM Account WHERE Name = 'Undone'")
        #expect(left.json["totalSize"]?.int == 0)
    }

    @Test(
        "a record of another type, and an unknown relationship, are rejected by name",
        arguments: [
            (#"{"attributes":{"type":"Contact","referenceId":"r"},"LastName":"x"}"#, "INVALID_TYPE"),
            (
                #"{"attributes":{"type":"Account","referenceId":"r"},"Name":"x","Nopes":{"records":[]}}"#,
                "INVALID_FIELD"
            ),
        ])
    func wrongRecord(record: String, code: String) async throws {
        let response = try post(record, try await SharedOrg.client)
        #expect(response.status == 400)
        #expect(response.json["results"]?[0]?["referenceId"]?.string == "r")
        #expect(response.json["results"]?[0]?["errors"]?[0]?["statusCode"]?.string == code)
    }

    @Test("201 records, six levels, a repeated reference and a record without a reference are rejected as a whole")
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
