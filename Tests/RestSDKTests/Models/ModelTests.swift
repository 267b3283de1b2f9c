// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import SOQLSyntax
import Testing

@Suite("Records of models")
struct ModelRecordTests {
    private func account(_ fields: JSONObject) throws -> Account { try JSONValue(fields).decode(Account.self) }

    @Test("each type is read in the form that responses have, and null differs from a missing field")
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
        "a value of another type than in the model is an error with the path",
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

    @Test("a field set to another value is a change, and a field set back is not")
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

    @Test("another spelling of a letter is a change, and the original spelling is not")
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

    @Test("records are equal if their current values are, and survive JSON encoding")
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

    @Test("ids of 15 and of 18 characters are equal, and other strings are not ids")
    func ids() {
        #expect(RecordID<Account>("001B000000AbCdE")?.text == "001B000000AbCdEIAV")
        #expect(RecordID<Account>("001B000000AbCdEIAV") == RecordID("001B000000AbCdE"))
        for text in ["", "001", "001B000000AbCd'", "001B000000AbCdEIA", "001B000000AbCdEIAVX", "001B000000AbCdé"] {
            #expect(RecordID<Account>(text) == nil)
        }
    }

    @Test("a value outside the org's list works like a listed value")
    func unlisted() {
        #expect(Account.Industry(rawValue: "Banking") == .banking)
        #expect(Account.Industry(rawValue: "Space") == .unlisted("Space"))
        #expect(Account.Industry.unlisted("Banking") == .banking)
        #expect(Account.Industry.listed.count == 28 && Account.Industry.listed.first == .agriculture)
    }
}

@Suite("Queries of models")
struct ModelQueryTests {
    private func text(_ condition: ModelCondition<Account.Fields>) -> String {
        let query = SOQL(SOQL.Select(Account.self, select: \.id, where: condition))
        let start = "SELECT Id FROM Account WHERE "
        #expect(query.text.hasPrefix(start))
        return String(query.text.dropFirst(start.count))
    }

    @Test("key paths become fields, and values are bound as literals")
    func conditions() throws {
        let noName: String? = nil
        let day = Date(timeIntervalSince1970: 0)
        #expect(text(\.industry == .banking) == "Industry = 'Banking'")
        #expect(text(\.industry != .unlisted("O'Hara")) == #"Industry != 'O\'Hara'"#)
        #expect(text(\.name == noName) == "Name = null")
        #expect(text(\.name != nil) == "Name != null")
        #expect(
            text(\.numberOfEmployees >= 10 && \.annualRevenue < 1.5)
                == "NumberOfEmployees >= 10 AND AnnualRevenue < 1.5")
        #expect(
            text((\.createdDate > day || \.isDeleted == true) && !(\.createdDate <= day))
                == "(CreatedDate > 1970-01-01T00:00:00Z OR IsDeleted = true) AND (NOT CreatedDate <= 1970-01-01T00:00:00Z)"
        )
        #expect(text(\.owner.name == "Ann") == "Owner.Name = 'Ann'")
        #expect(text(\.parent.parent.owner.name == "Ann") == "Parent.Parent.Owner.Name = 'Ann'")
        #expect(text(.in(\.industry, [.banking, .energy])) == "Industry IN ('Banking','Energy')")
        #expect(
            text(.notIn(\.name, ["a", "b"]) && \.type == .prospect) == "Name NOT IN ('a','b') AND Type = 'Prospect'")
        #expect(text(.like(\.name, "50%_", suffix: .anyRun)) == #"Name LIKE '50\%\_%'"#)
        #expect(text(.during(\.createdDate, .lastN(.day, 7))) == "CreatedDate = LAST_N_DAYS:7")
        let id = try #require(RecordID<Account>("001000000000001"))
        #expect(text(\.id == id) == "Id = '001000000000001AAA'")
        let things = SOQL(
            SOQL.Select(
                OddThing.self, select: \.id, \.what.name,
                where: .includes(\.colours, [[.red, .green], [.noneValue]])
                    && \.day >= SOQLDate(year: 2026, month: 1, day: 2)
                    && \.at < SOQLTime(hour: 9, minute: 30, second: 0)))
        #expect(
            things.text
                == "SELECT Id, What__r.Name, What__r.Id FROM Odd_Thing__c WHERE Colours__c INCLUDES ('Red;Green','None') "
                + "AND Day__c >= 2026-01-02 AND At__c < 09:30:00Z")
        #expect(things.description.contains("INCLUDES ? AND Day__c >= ? AND At__c < ?"))
    }

    @Test("fields, whole parents and children with their own fields are selected, and ids always")
    func selections() {
        let query = SOQL(
            SOQL.Select(
                Account.self, select: \.name, \.owner.name,
                { $0.contacts.fields(\.lastName, where: \.email != nil, order: \.lastName.descending, limit: 2) },
                where: \.name == "x", order: \.industry, \.name.descending.nullsLast, limit: 5))
        #expect(
            query.text
                == "SELECT Name, Owner.Name, Id, Owner.Id, (SELECT LastName, Id FROM Contacts WHERE Email != null "
                + "ORDER BY LastName DESC LIMIT 2) FROM Account WHERE Name = 'x' "
                + "ORDER BY Industry, Name DESC NULLS LAST LIMIT 5")
        let parents = SOQL(SOQL.Select(OddThing.self, select: \.name, \.what, \.self))
        #expect(parents.text.hasPrefix("SELECT Name, What__r.Id, What__r.Name, What__r.Type, At__c, Class__c,"))
        let far = SOQL(SOQL.Select(Account.self, select: \.parent.owner.name)).text
        #expect(far == "SELECT Parent.Owner.Name, Id, Parent.Id, Parent.Owner.Id FROM Account")
        let all = SOQL(SOQL.Select(Account.self)).text
        #expect(all == "SELECT \(Account.shape.fields.joined(separator: ", ")) FROM Account")
    }

    @Test("no value can change a query: it has one condition with one literal, the value", arguments: [1, 2, 3])
    func injection(seed: UInt64) throws {
        for text in HostileText(500, seed: seed) {
            let query = SOQL(
                SOQL.Select(
                    Contact.self, select: \.id,
                    where: \.lastName == text && .in(\.email, [text, "b"]) && .like(\.account.name, text)
                        && \.leadSource == .unlisted(text)))
            let parsed = try SOQLQuery(parsing: query.text)
            #expect(parsed.limit == nil && parsed.orderBy.isEmpty && parsed.with.isEmpty)
            guard case .and(let parts) = parsed.where, parts.count == 4,
                case .comparison(let name) = parts[0], case .literal(let value) = name.right
            else {
                Issue.record("another condition: \(query.text)")
                continue
            }
            #expect(value.literal == .string(text))
        }
    }

    @Test("an empty list, and a number without a literal, are rejected before anything is sent")
    func rejections() {
        let empty: [Account.Industry] = []
        #expect(SOQL(SOQL.Select(Account.self, select: \.id, where: .in(\.industry, empty))).problem != nil)
        #expect(SOQL(SOQL.Select(Account.self, select: \.id, where: \.annualRevenue == Decimal.nan)).problem != nil)
        #expect(SOQL(SOQL.Select(Account.self, where: \.name == "x")).problem == nil)
    }
}

@Suite("Models with the embedded org")
struct ModelEndToEndTests {
    private func writes(_ org: LocalOrg) throws -> [JSONValue] {
        try org.journal.entries.filter { $0.target.contains("/sobjects/") && $0.method != "GET" && !$0.body.isEmpty }
            .map { try JSONValue(parsing: $0.body) }
    }

    @Test("a query returns typed rows with parents and children")
    func query() async throws {
        try await withClient { client, _ in
            let expected = try await client.records(
                "SELECT Name, Owner.Name FROM Account WHERE Industry = 'Banking' ORDER BY Name"
            ).collect(limit: 1_000)
            #expect(!expected.isEmpty)
            let accounts = try await client.query(Account.self, where: \.industry == .banking, order: \.name)
                .collect(limit: 1_000)
            #expect(accounts.map(\.name) == expected.map { $0["Name"]?.string })
            #expect(accounts.allSatisfy { $0.industry == .banking && $0.id != nil && !$0.has(\.owner) })
            let some = try await client.query(
                Account.self, select: \.name, \.owner.name, { $0.contacts.fields(\.lastName, order: \.lastName) },
                where: .in(\.industry, [.banking]), order: \.name
            ).collect(limit: 1_000)
            #expect(some.map { $0.owner?.name } == expected.map { $0["Owner"]?["Name"]?.string })
            #expect(some.allSatisfy { $0.id != nil && ($0.owner == nil) == ($0.owner?.id == nil) })
            #expect(some.contains { !($0.contacts ?? []).isEmpty })
            #expect(some.allSatisfy { $0.contacts != nil && !$0.has(\.industry) })
            let whole = try await client.query(Contact.self, select: \.self, \.account, \.owner, limit: 3).collect(
                limit: 3)
            #expect(whole.count == 3 && whole.allSatisfy { $0.account?.createdDate != nil && $0.lastName != nil })
        }
    }

    @Test("a record is created, updated with only its changed fields, and deleted")
    func writes() async throws {
        try await withClient { client, org in
            let made = try await client.create(
                Account(name: "O'Hara") {
                    $0.industry = .banking
                    $0.annualRevenue = 1_000.5
                })
            let id = try #require(made.id)
            #expect(made.changes.isEmpty)
            var account = try await client.retrieve(id)
            #expect(account.name == "O'Hara" && account.industry == .banking && account.annualRevenue == 1_000.5)
            account.industry = .unlisted("Space")
            account.annualRevenue = nil
            account.name = "O'Hara"
            account = try await client.update(account)
            #expect(account.changes.isEmpty && account.industry == .unlisted("Space"))
            let calls = org.journal.entries.count
            account = try await client.update(account)
            #expect(org.journal.entries.count == calls, "without a change nothing is sent")
            #expect(
                try writes(org) == [
                    ["Name": "O'Hara", "Industry": "Banking", "AnnualRevenue": 1_000.5],
                    ["Industry": "Space", "AnnualRevenue": nil],
                ])
            let read = try await client.retrieve(id, select: \.industry, \.annualRevenue)
            #expect(read.industry == .unlisted("Space") && read.annualRevenue == nil && read.has(\.annualRevenue))
            try await client.update(id) { $0.site = "x" }
            #expect(try await client.retrieve(id, select: \.site).site == "x")
            #expect(try writes(org).last == ["Site": "x"])
            try await client.delete(id)
            await expectFailure(.notFound) { try await client.retrieve(id) }
        }
    }

    @Test("an upsert by an external id creates a record, and then updates the same record")
    func upsert() async throws {
        try await withClient { client, org in
            let account = Account(name: "Acme") { $0.externalID = "E'1/2" }
            let (first, isCreated) = try await client.upsert(account, by: \.externalID)
            #expect(isCreated && first.id != nil)
            var again = first
            again.phone = "1"
            let second = try await client.upsert(again, by: \.externalID)
            #expect(!second.isCreated && second.record.id == first.id)
            #expect(try writes(org) == [["Name": "Acme"], ["Name": "Acme", "Phone": "1"]])
            let found = try await client.query(Account.self, where: \.externalID == "E'1/2").collect(limit: 2)
            #expect(found.map(\.phone) == ["1"])
            await expectFailure(.invalidRequest) { try await client.upsert(Account(name: "x"), by: \.externalID) }
        }
    }

    @Test("writes are also requests, for every calling style and for collections")
    @MainActor
    func fronts() async throws {
        try await withClient { client, _ in
            for front in Front.allCases where front.reads(.json) {
                let outcomes = await front.outcomes(of: .create(Account(name: "Front")), through: client)
                #expect(outcomes.count == 1)
                #expect(try outcomes.first?.get()["id"]?.string != nil)
            }
            let made = try await client.send(
                .create([Record.Draft(Account(name: "Many")), Record.Draft(Account(name: "More"))]))
            let ids = try made.get().compactMap { RecordID<Account>($0) }
            #expect(ids.count == 2)
            var accounts = try await client.query(Account.self, where: .in(\.id, ids), order: \.name).collect(limit: 2)
            for index in accounts.indices { accounts[index].site = "s\(index)" }
            _ = try await client.send(.update(accounts.map { Record.Draft($0) })).get()
            let sites = try await client.query(Account.self, select: \.site, where: .in(\.id, ids), order: \.name)
                .collect(limit: 2).map(\.site)
            #expect(sites == ["s0", "s1"])
        }
    }

    @Test("a record without an id is not sent, and a record of another type ends the query with its path")
    func rejections() async throws {
        try await withClient { client, org in
            await expectFailure(.invalidRequest) { try await client.update(Account(name: "x")) }
            let sent = try writes(org)
            #expect(sent.isEmpty)
            let wrong = client.query(Renamed.self, limit: 1)
            await #expect { try await wrong.collect(limit: 1) } throws: {
                ($0 as? RestError)?.code == .decoding
                    && "\($0)".contains("records[0] does not fit the model of Account: Name: found")
            }
        }
    }
}

/// An outdated model, from when the name of an account was a number.
private struct Renamed: RecordModel {
    static let shape = ModelShape("Account", "Id id read\nName double")
    var record: ModelRecord

    struct Fields: ModelFields {
        typealias Model = Renamed
        let _path: ModelPath
        init(_path: ModelPath) { self._path = _path }
    }
}
