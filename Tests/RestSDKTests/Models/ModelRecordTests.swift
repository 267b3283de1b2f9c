// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrgModels
import RestModels
import RestSDK
import Testing

@Suite("Records of models")
struct ModelRecordTests {
    private func account(_ fields: JSONObject) throws -> Account { try JSONValue(fields).decode(Account.self) }

    @Test("each type is read as it stands in answers, and what is null is another thing than what is absent")
    func reading() throws {
        let thing = try JSONValue(
            parsing: Array(
                #"""
                {"attributes": {"type": "Odd_Thing__c"}, "Id": "a00000000000001", "Name": null,
                 "Class__c": "1-10", "Colours__c": "Red;Blue", "At__c": "09:30:00.250Z", "Day__c": "2026-02-28",
                 "Place__c": {"latitude": 1.5, "longitude": -2}, "Extra__c": [1], "Foo_Bar__c": 0.10, "Once__c": 7,
                 "Self__r": {"Id": "a00000000000002AAA", "Self__r": null}, "What__r": {"Name": "Acme", "Type": "Account"},
                 "Things__r": {"totalSize": 1, "done": true, "records": [{"Name": "child"}]}}
                """#.utf8)
        ).decode(OddThing.self)
        #expect(thing.id == RecordID("a00000000000001AAA") && thing.id?.keyPrefix == "a00")
        #expect(thing.name == nil && thing.has(\.name) && !thing.has(\.nameCustom))
        #expect(thing.class == ._1_10)
        #expect(thing.colours == [.unlisted("Blue"), .red])
        #expect(thing.at == SOQLTime(hour: 9, minute: 30, second: 0, nanosecond: 250_000_000))
        #expect(thing.day == SOQLDate(year: 2026, month: 2, day: 28))
        #expect(thing.place?.latitude == 1.5 && thing.extra == [1])
        #expect(thing.fooBar == Decimal(string: "0.1") && thing.once == 7)
        #expect(thing.selfParent?.id == RecordID("a00000000000002") && thing.selfParent?.selfParent == nil)
        #expect(thing.what?.name == "Acme" && thing.what?.type == "Account")
        #expect(thing.has(\.what.name) && !thing.has(\.what.id) && !thing.has(\.elsewhereID))
        #expect(thing.things?.map(\.name) == ["child"] && thing.things?[0].things == nil)
        #expect(thing.changes.isEmpty)
    }

    @Test(
        "a value of another type than the model says is an error with its place",
        arguments: [
            (#"{"Day__c": "2026-02-30"}"#, "Day__c: found string"), (#"{"At__c": "25:00:00Z"}"#, "At__c: found string"),
            (#"{"Once__c": 1.5}"#, "Once__c: found number"), (#"{"Foo_Bar__c": "1"}"#, "Foo_Bar__c: found string"),
            (#"{"Name": 1}"#, "Name: found number"), (#"{"Self__r": [1]}"#, "Self__r: found array"),
            (#"{"Self__r": {"Self__r": {"Name": true}}}"#, "Self__r.Self__r.Name: found bool"),
            (#"{"Things__r": {"records": [{}, {"Day__c": 1}]}}"#, "Things__r.records[1].Day__c: found number"),
            (#"{"Place__c": "here"}"#, "Place__c: found string"),
            (#"{"Place__c": {"latitude": "1"}}"#, "Place__c: found"),
            (#"{"Id": "'"}"#, "Id: found string for id"), (#"{"Foo_Bar__c": 1e200}"#, "Foo_Bar__c: found number"),
            (#"["Name"]"#, "a record is a JSON object"),
        ])
    func mismatches(json: String, message: String) throws {
        let error = #expect(throws: JSONDecodingError.self) {
            try JSONValue(parsing: Array(json.utf8)).decode(OddThing.self)
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("what is set to another value is a change, what is set back is none")
    func changes() throws {
        var account = try account([
            "Id": "001000000000001AAA", "Name": "Acme", "Industry": "Banking", "AnnualRevenue": 10.50, "Phone": nil,
            "CreatedDate": "2026-01-29T10:11:12.000+0000",
        ])
        account.name = "Acme"
        account.annualRevenue = Decimal(string: "10.5")
        account.phone = nil
        #expect(account.changes.isEmpty)
        account.name = "Other"
        account.industry = nil
        account.fax = nil
        account.rating = .hot
        account.annualRevenue = Decimal(string: "0.1")
        #expect(
            account.changes == ["Name": "Other", "Industry": nil, "Fax": nil, "Rating": "Hot", "AnnualRevenue": 0.1])
        #expect(account.name == "Other" && account.industry == nil && account.rating == .hot)
        account.name = "Acme"
        account.industry = .banking
        #expect(account.changes == ["Fax": nil, "Rating": "Hot", "AnnualRevenue": 0.1])
    }

    @Test("another spelling of a letter is a change, and the spelling that was read is none")
    func spellings() throws {
        var account = try account(["Name": "Cafe\u{301}", "Industry": "Ba\u{301}nk"])
        account.name = "Caf\u{E9}"
        account.industry = .unlisted("B\u{E1}nk")
        #expect(
            account.changes.map { Array($0.value.string?.utf8 ?? "".utf8) }
                == ["Caf\u{E9}", "B\u{E1}nk"].map { Array($0.utf8) })
        account.name = "Other"
        account.name = "Cafe\u{301}"
        account.industry = .unlisted("Ba\u{301}nk")
        #expect(account.changes.isEmpty)
        var thing = try JSONValue(["Colours__c": "Red;Blue"] as JSONObject).decode(OddThing.self)
        thing.colours = [.unlisted("Blue"), .red]
        #expect(thing.changes.isEmpty, "the order of the values says nothing")
    }

    @Test("records are equal by their values now, and go through JSON as they are")
    func coding() throws {
        var first = try account(["attributes": ["type": "Account"], "Name": "Acme", "NumberOfEmployees": 1.0])
        let second = Account(name: "Acme") { $0.numberOfEmployees = 1 }
        #expect(first == second && first.hashValue == second.hashValue && second.id == nil)
        first.site = "x"
        #expect(first != second)
        let copy = try JSONValue(encoding: first).decode(Account.self)
        #expect(copy == first && copy.changes.isEmpty)
        let foundation = try JSONDecoder().decode(Account.self, from: JSONEncoder().encode(first))
        #expect(foundation == first)
        #expect("\(first)" == #"Account {"Name":"Acme","NumberOfEmployees":1.0,"Site":"x"}"#)
    }

    @Test("ids of 15 and of 18 characters are the same id, and nothing else is one")
    func ids() {
        #expect(RecordID<Account>("001B000000AbCdE")?.text == "001B000000AbCdEIAV")
        #expect(RecordID<Account>("001B000000AbCdEIAV") == RecordID("001B000000AbCdE"))
        for text in ["", "001", "001B000000AbCd'", "001B000000AbCdEIA", "001B000000AbCdEIAVX", "001B000000AbCdé"] {
            #expect(RecordID<Account>(text) == nil)
        }
    }

    @Test("a value that the org had not listed is one like the others")
    func unlisted() {
        #expect(Account.Industry(rawValue: "Banking") == .banking)
        #expect(Account.Industry(rawValue: "Space") == .unlisted("Space"))
        #expect(Account.Industry.unlisted("Banking") == .banking)
        #expect(Account.Industry.listed.count == 28 && Account.Industry.listed.first == .agriculture)
    }
}
