// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLCheck
import SOQLSyntax
import Testing

@testable import EmbeddedOrg

@Suite("The checker of queries agrees with the org")
struct QueryCheckTests {
    /// What the org tells of its objects is what the checker knows of them.
    private static func schema(of schema: Schema) throws -> QuerySchema {
        let describes = DescribeResources(schema: schema)
        let texts = schema.objects.map {
            String(decoding: describes.describe($0, APIVersion(number: 66), nil), as: UTF8.self)
        }
        return try QuerySchema(json: Array("[\(texts.joined(separator: ","))]".utf8))
    }

    @Test("what the org refuses the checker refuses too, with the same code, in the same words, at the same place")
    func refusals() throws {
        let schema = try Self.schema(of: QueryTestSchema.schema)
        let all = QueryErrorTests.names + QueryErrorTests.types + QueryErrorTests.rules
        // What depends on the day of the query, or on how an org stores a time, only the org knows.
        let unknowable = ["LAST_N_YEARS:5000", "0000-01-01T00:00:00+0100"]
        for refusal in all where refusal.code != .notEnabled && !unknowable.contains(where: refusal.soql.contains) {
            let findings = QueryCheck.findings(in: refusal.soql, schema: schema).filter { $0.severity == .error }
            // The org shows where a path begins, and the checker the name of it that is wrong.
            let fitting = findings.first {
                $0.code == refusal.code.rawValue && $0.message.contains(refusal.reason)
                    && $0.position.column >= refusal.column
            }
            #expect(fitting != nil, "\(refusal.soql): \(refusal.code) \(refusal.reason) is not in \(findings)")
        }
    }

    @Test("what the org runs the checker lets pass, and what it refuses the checker refuses", arguments: 0..<40)
    func agreement(seed: UInt64) throws {
        let schema = try Self.schema(of: Catalogue.standard)
        var random = RandomFieldQuery(seed: seed, schema: Catalogue.standard)
        for _ in 0..<50 {
            let soql = random.next()
            let findings = QueryCheck.findings(in: soql, schema: schema).filter { $0.severity == .error }
            do throws(QueryError) {
                let options = QueryOptions(now: QueryTestDatabase.now, version: 66)
                _ = try QueryCompiler(schema: Catalogue.standard).compile(soql, options: options)
                // The org groups by what the platform does not.
                let others = findings.filter { $0.rule != .notGroupable }
                #expect(others.isEmpty, "the org runs \(soql)")
            } catch {
                // On the platform the object Name has fields that the org's own objects behind it may all lack.
                guard error.code != .notEnabled, !error.message.contains("on entity 'Name'") else { continue }
                #expect(
                    findings.contains { $0.code == error.code.rawValue && error.message.contains($0.message) },
                    "\(soql): \(error.message) is not in \(findings)")
            }
        }
    }
}

/// Queries over the fields of a schema, half of which make sense.
private struct RandomFieldQuery {
    private var state: UInt64
    private let schema: Schema

    init(seed: UInt64, schema: Schema) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        self.schema = schema
    }

    private mutating func number(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }

    mutating func next() -> String {
        let object = pick(schema.objects)
        guard number(3) > 0 else { return grouped(object) }
        var items = (0...number(3)).map { _ in path(object) }
        if number(4) == 0, let child = object.childRelationships.isEmpty ? nil : pick(object.childRelationships) {
            let name = number(8) == 0 ? "Nothing" : child.name
            items.append("(SELECT \(pick(["Id", "Name", "CreatedDate"])) FROM \(name))")
        }
        var soql = "SELECT \(items.joined(separator: ", ")) FROM \(number(30) == 0 ? "Nothing" : object.name)"
        if number(2) == 0 { soql += " WHERE \(test(object))" }
        if number(4) == 0 { soql += (soql.contains("WHERE") ? " OR " : " WHERE ") + test(object) }
        if number(3) == 0 { soql += " ORDER BY \(path(object))" }
        if number(8) == 0 { soql += " OFFSET \(pick(["1", "2000", "2001"]))" }
        return soql
    }

    private mutating func grouped(_ object: SObjectSchema) -> String {
        let terms = (0...number(2)).map { _ in path(object) }
        let function = pick(["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX", "CALENDAR_YEAR", "DAY_ONLY"])
        var soql = "SELECT \(pick(terms)), \(function)(\(path(object))) FROM \(object.name)"
        if number(3) == 0 { soql += " WHERE \(test(object))" }
        soql += " GROUP BY \(terms.joined(separator: ", "))"
        if number(3) == 0 { soql += " HAVING MAX(\(path(object))) > \(literal())" }
        return soql
    }

    private mutating func path(_ object: SObjectSchema) -> String {
        switch number(8) {
        case 0:
            let parents = object.fields.compactMap(\.relationshipName)
            guard !parents.isEmpty else { return "Id" }
            return "\(pick(parents)).\(pick(["Id", "Name", "Email", "Type", "Account.Name", "Owner.Name"]))"
        case 1: return pick(["Nothing", "Nothing.Id", "toLabel(Name)", "FORMAT(CreatedDate)", "\(object.name).Id"])
        default: return pick(object.fields).name
        }
    }

    private mutating func test(_ object: SObjectSchema) -> String {
        let field = pick([path(object), path(object), "CALENDAR_YEAR(CreatedDate)", "COUNT(Id)"])
        switch number(6) {
        case 0: return "\(field) IN (\(literal()), \(literal()))"
        case 1: return "\(field) LIKE 'a%'"
        case 2: return "\(field) INCLUDES ('a;b')"
        case 3: return "\(field) IN (SELECT \(pick(["Id", "AccountId", "Name"])) FROM \(pick(schema.objects).name))"
        default: return "\(field) \(pick(["=", "!=", "<", ">="])) \(literal())"
        }
    }

    private mutating func literal() -> String {
        pick([
            "null", "true", "5", "1.5", "'text'", "'001000000000001AAA'", "2026-01-29", "2026-02-30",
            "2026-01-29T10:11:12Z", "10:11:12Z", "TODAY", "LAST_N_DAYS:3", "''",
        ])
    }
}
