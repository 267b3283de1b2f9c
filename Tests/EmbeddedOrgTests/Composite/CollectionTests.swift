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

    @Test("records are created, changed, read and deleted in the order given")
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
        await client.org.stop()
    }

    @Test("each record has its own result; all or none undoes the good ones")
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
        await client.org.stop()
    }

    @Test("an upsert says for each record whether it is new")
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
        await client.org.stop()
    }

    @Test("more than 200 records, a missing list and wrong ids are refused")
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
