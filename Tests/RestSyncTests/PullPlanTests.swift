// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLStore
import SOQLSyntax
import Testing

@testable import RestSync

@Suite("The plan of a pull")
struct PullPlanTests {
    private static let part = SubsetPart(
        object: "Account", fields: ["Name"], condition: "Name != null", followsOthers: false)

    @Test("the first read sees all records, and a run resumes at its page after it was stored")
    func first() throws {
        var plan = PullPlan()
        plan.begin(members: 0, followsOthers: false)
        #expect(plan.phase == .reading && plan.seesAll)
        #expect(
            plan.query(Self.part, fields: ["Name"])
                == "SELECT Id, SystemModstamp, LastModifiedDate, Name FROM Account WHERE Name != null")
        plan.received(next: "/2", at: 1_000)
        var stored = try JSONValue(parsing: JSONValue(encoding: plan).description).decode(PullPlan.self)
        #expect(stored == plan && stored.nextPage == "/2")
        stored.begin(members: 5_000, followsOthers: false)
        #expect(stored.phase == .reading && stored.run == 1)
        stored.received(next: nil, at: 1_500)
        #expect(stored.phase == .idle && stored.position == 1_000)
    }

    @Test("windows overlap, begin before the time at which the last one began, and compare ids if counts differ")
    func windows() {
        var plan = PullPlan()
        plan.begin(members: 0, followsOthers: false)
        plan.received(next: nil, at: 1_769_698_800)
        plan.begin(members: 3_000, followsOthers: false)
        #expect(plan.phase == .window && !plan.seesAll)
        #expect(
            plan.query(Self.part, fields: ["Name"]) == """
                SELECT Id, SystemModstamp, LastModifiedDate, Name, IsDeleted FROM Account \
                WHERE (Name != null) AND SystemModstamp >= 2026-01-29T14:55:00Z
                """)
        plan.received(next: nil, at: 1_769_699_000)
        #expect(plan.phase == .counting)
        var equal = plan
        equal.counted(3_000, members: 3_000)
        #expect(equal.phase == .idle && equal.position == 1_769_699_000)
        plan.counted(2_999, members: 3_000)
        #expect(plan.phase == .comparing && plan.seesAll && plan.run == 3)
        plan.received(next: nil, at: 1_769_699_100)
        #expect(plan.phase == .idle && plan.position == 1_769_699_000)
    }

    @Test("small parts, and parts that depend on other records, are compared by their ids")
    func comparing() {
        for (members, follows) in [(2_000, false), (9_000, true)] {
            var plan = PullPlan()
            plan.begin(members: 0, followsOthers: follows)
            plan.received(next: nil, at: nil)
            plan.begin(members: members, followsOthers: follows)
            #expect(plan.phase == .comparing)
            #expect(
                plan.query(Self.part, fields: ["Name"])
                    == "SELECT Id, SystemModstamp FROM Account WHERE Name != null")
        }
    }

    @Test("a record that changed shortly before the last run is read again, because its stamp has whole seconds")
    func uncertain() {
        var plan = PullPlan()
        plan.begin(members: 0, followsOthers: false)
        plan.received(next: nil, at: 1_769_698_800)
        #expect(plan.isUncertain("2026-01-29T15:00:00.000+0000") && plan.isUncertain("2026-01-29T14:59:55.000+0000"))
        #expect(!plan.isUncertain("2026-01-29T14:59:54.000+0000"))
    }

    @Test("without the server's time the position stays, so the next window begins earlier")
    func noTime() {
        var plan = PullPlan()
        plan.begin(members: 0, followsOthers: false)
        plan.received(next: nil, at: nil)
        #expect(plan.position == 0)
        plan.begin(members: 3_000, followsOthers: false)
        #expect(plan.query(Self.part, fields: []).contains("SystemModstamp >= 1969-12-31T23:55:00Z"))
    }

    @Test("a server's clock that was ahead once hides no change")
    func clockAhead() {
        var plan = PullPlan()
        plan.begin(members: 0, followsOthers: false)
        plan.received(next: nil, at: 4_000_000_000)
        plan.begin(members: 5_000, followsOthers: false)
        #expect(plan.phase == .window)
        plan.received(next: nil, at: 1_000_000)
        #expect(plan.phase == .comparing)
        plan.received(next: nil, at: 1_000_001)
        #expect(plan.phase == .idle && plan.position == 1_000_000)
    }

    @Test("an id that a server sent cannot change the query of records")
    func hostileID() throws {
        let id = "a') OR (Name != '"
        let query = try SOQLQuery(parsing: PullPlan.query([id], of: "Account", fields: ["Name"]))
        #expect(query.where?.text == #"Id IN ('a\') OR (Name != \'')"#)
    }

    @Test("a subset has a part for each object, with parents and children by condition")
    func subsets() throws {
        let schema = try SyncSchema(describe: SyncBed.describe).schema
        let query = try SubsetQuery(
            "SELECT Id, Name, (SELECT LastName FROM Contacts WHERE Email != null) FROM Account WHERE Phone != null",
            schema)
        #expect(
            query.parts == [
                SubsetPart(
                    object: "Account", fields: ["Id", "Name"], condition: "Phone != null", followsOthers: false),
                SubsetPart(
                    object: "Contact", fields: ["LastName", "AccountId"],
                    condition: "AccountId IN (SELECT Id FROM Account WHERE Phone != null) AND (Email != null)",
                    followsOthers: true),
            ])
        let parents = try SubsetQuery("SELECT LastName, Account.Name FROM Contact", schema)
        #expect(
            parents.parts == [
                SubsetPart(object: "Contact", fields: ["LastName", "AccountId"], condition: nil, followsOthers: false),
                SubsetPart(
                    object: "Account", fields: ["Name"], condition: "Id IN (SELECT AccountId FROM Contact)",
                    followsOthers: true),
            ])
        let wrong = [
            "SELECT Id FROM Account LIMIT 5", "SELECT COUNT() FROM Account", "SELECT Nme FROM Account",
            "SELECT Id FROM Nothing", "SELECT Id FROM Account a", "SELECT Account.Owner.Nme FROM Contact", "SELECT",
            "SELECT Name FROM Account GROUP BY Name", "SELECT (SELECT Id FROM Nothings) FROM Account",
        ]
        for text in wrong {
            let error = #expect(throws: SyncError.self) { try SubsetQuery(text, schema) }
            #expect(error?.code == .subset, "\(text)")
        }
        for (text, follows) in [
            ("Name = 'a' AND Phone != null", false), ("Owner.Name = 'a'", true), ("CreatedDate = TODAY", true),
            ("Id IN (SELECT AccountId FROM Contact)", true), ("NOT (Name LIKE 'a%' OR Name IN ('b'))", false),
        ] {
            let query = try SubsetQuery("SELECT Id FROM Account WHERE \(text)", schema)
            #expect(query.parts.first?.followsOthers == follows, "\(text)")
        }
    }
}
