// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
package import SOQLStore

/// Random queries with the fields of a schema, about half of which are valid.
package struct RandomFieldQuery {
    private var state: UInt64
    private let schema: Schema

    package init(seed: UInt64, schema: Schema) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        self.schema = schema
    }

    private mutating func number(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }

    package mutating func next() -> String {
        let object = pick(schema.objects)
        guard number(3) > 0 else { return grouped(object) }
        var items = (0...number(3)).map { _ in path(object) }
        if number(4) == 0, let child = object.childRelationships.isEmpty ? nil : pick(object.childRelationships) {
            let name = number(8) == 0 ? "Nothing" : child.name ?? ""
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
