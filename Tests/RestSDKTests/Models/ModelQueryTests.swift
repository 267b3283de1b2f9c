// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrgModels
import RestModels
import RestSDK
import SOQLSyntax
import Testing

@Suite("Queries of models")
struct ModelQueryTests {
    /// The WHERE clause of a query of one field.
    private func text(_ condition: ModelCondition<Account.Fields>) -> String {
        let query = SOQL(SOQL.Select(Account.self, select: \.id, where: condition))
        let start = "SELECT Id FROM Account WHERE "
        #expect(query.text.hasPrefix(start))
        return String(query.text.dropFirst(start.count))
    }

    @Test("key paths become fields, values bound literals")
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

    @Test("what is selected: fields, parents as a whole, children with fields of their own; the ids in any case")
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

    @Test("no value changes a query: there is one condition, with one literal that is the value", arguments: [1, 2, 3])
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

    @Test("a list without values and a number that has no literal are refused before anything is sent")
    func refusals() {
        let empty: [Account.Industry] = []
        #expect(SOQL(SOQL.Select(Account.self, select: \.id, where: .in(\.industry, empty))).problem != nil)
        #expect(SOQL(SOQL.Select(Account.self, select: \.id, where: \.annualRevenue == Decimal.nan)).problem != nil)
        #expect(SOQL(SOQL.Select(Account.self, where: \.name == "x")).problem == nil)
    }
}
