// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SOQLSyntax
import Testing

@Suite("Query parameters")
struct QueryParameterTests {
    /// Returns `name: kind field`, with `[]` for a list and `?` if null is accepted.
    private func shown(_ parameter: QueryParameter) -> String {
        let kind = parameter.type.map { "\($0.kind)" } ?? "unknown"
        let references = parameter.type.map(\.references) ?? []
        let of = parameter.type?.origin?.name ?? references.joined(separator: "/")
        let form = (parameter.isList ? "[]" : "") + (parameter.isNillable ? "?" : "")
        return "\(parameter.name): \(kind)\(form)\(of.isEmpty ? "" : " \(of)")"
    }

    @Test(
        "a parameter has the type of the field with which it is compared",
        arguments: [
            ("Industry = :industry", "industry: text? Account.Industry"),
            ("Industry IN :these", "these: text[] Account.Industry"),
            ("Industry NOT IN (:a, 'Energy')", "a: text Account.Industry"),
            ("Industry > :x", "x: text Account.Industry"), ("Industry LIKE :x", "x: text"),
            ("toLabel(Industry) = :x", "x: text"), ("Name != :x", "x: text Account.Name"),
            ("Colors INCLUDES :sets", "sets: text[] Account.Colors"),
            ("Colors EXCLUDES ('Red', :x)", "x: text Account.Colors"),
            ("Revenue >= :x", "x: real Account.Revenue"), ("Size = :x", "x: integer? Account.Size"),
            ("Active = :x", "x: boolean Account.Active"), ("Founded < :x", "x: date Account.Founded"),
            ("CreatedDate = :x", "x: dateTime Account.CreatedDate"), ("CALENDAR_YEAR(Founded) = :x", "x: integer"),
            ("DAY_ONLY(CreatedDate) = :x", "x: date"), ("Founded = LAST_N_DAYS:x", "x: integer"),
            ("Id = :x", "x: id Account.Id"), ("OwnerId IN :x", "x: id[] Account.OwnerId"),
            ("Owner.ManagerId = :x", "x: id? User.ManagerId"), ("Shape = :x", "x: unknown"),
            ("DISTANCE(Place__c, GEOLOCATION(:lat, 3.5), 'km') < :far", "lat: real, far: real"),
            ("Id IN (SELECT AccountId FROM Contact WHERE LastName = :x)", "x: text Contact.LastName"),
            ("Id IN :x OR ParentId IN :x", "x: id[] Account"), ("Industry = :x OR Tier__c = :x", "x: text?"),
            ("Size < :x AND Revenue > :x", "x: integer"), ("Name = :x AND Site = :x", "x: text"),
            ("Name = 'a:b' AND (Site = ':c' OR Site = :d)", "d: text? Account.Site"),
        ])
    func types(condition: String, expected: String) throws {
        let checked = try SmallSchema.checked("SELECT Id FROM Account WHERE \(condition)")
        #expect(checked.findings.allSatisfy { $0.severity == .warning }, "\(checked.findings)")
        #expect(checked.parameters.map(shown).joined(separator: ", ") == expected)
    }

    @Test("LIMIT, OFFSET, child queries and groups determine the types of their parameters")
    func places() throws {
        let window = try SmallSchema.checked(
            "SELECT Id, (SELECT Id FROM Contacts WHERE LastName = :who LIMIT :few) FROM Account LIMIT :most OFFSET :start"
        )
        #expect(
            window.parameters.map(shown) == [
                "who: text Contact.LastName", "few: integer", "most: integer", "start: integer",
            ])
        let groups = try SmallSchema.checked(
            "SELECT Industry FROM Account GROUP BY Industry HAVING COUNT(Id) > :n AND MAX(Founded) < :day")
        #expect(groups.findings.isEmpty && groups.parameters.map(shown) == ["n: integer", "day: date"])
    }

    @Test(
        "a second type of a parameter is reported at its second position",
        arguments: [
            ("Founded = :x AND CreatedDate > :x", "CreatedDate > ", "Account.Founded (date)"),
            ("Id = :x OR OwnerId = :x", "OwnerId = ", "Account.Id (id)"),
            ("Name IN :x OR Site = :x", "Site = ", "a list"), ("Name = :x OR Site LIKE :y LIMIT :x", "LIMIT ", "Name"),
            ("Name = :x OR Site = :X", "Site = ", "differ only in case"), ("Name = :a.b", "Name = ", "full stop"),
        ])
    func conflicts(condition: String, before: String, words: String) throws {
        let soql = "SELECT Id\nFROM Account\nWHERE \(condition)"
        let finding = try #require(SmallSchema.checked(soql).findings.first { $0.severity == .error })
        #expect([.parameterType, .parameterName].contains(finding.rule) && finding.message.contains(words))
        let line = Array("WHERE \(condition)".unicodeScalars)
        let start = try #require("WHERE \(condition)".firstRange(of: before))
        let column = String("WHERE \(condition)"[..<start.upperBound]).unicodeScalars.count + 1
        #expect(finding.position.line == 3 && finding.position.column == column && line[column - 1] == ":")
    }

    @Test("the first position in a message about a parameter is a position in the file")
    func comments() throws {
        let text = "-- one\n/* two\n*/ SELECT Id FROM A WHERE B LIKE :x\nLIMIT :x"
        let places = CheckedFile(name: "a.soql", text: text, schema: nil).places
        #expect(places.map(\.line) == [4] && places.map(\.column) == [7])
        #expect(places[0].finding.message.contains(" at line 3, column 34; use two parameters"))
    }

    @Test("without a schema, only some positions determine a type, and conflicts are still found")
    func noSchema() throws {
        let checked = CheckedQuery("SELECT Id FROM A WHERE B = :x AND C LIKE :y LIMIT :y", schema: nil)
        #expect(checked.parameters.map(shown) == ["x: unknown", "y: text"])
        #expect(checked.findings.map(\.rule) == [.parameterType])
    }
}
