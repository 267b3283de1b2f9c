// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

extension RandomQueries {
    // MARK: Groups

    /// A query for groups; one without terms is a single row.
    mutating func groups(of object: QuerySchema.Object) -> String {
        let terms = object.words.filter { $0.isGroupable && [.text, .date, .integer, .id].contains($0.kind) }
            .filter { !["multipicklist", "textarea", "base64", "encryptedstring"].contains($0.type) }
        let chosen = chance.some(terms, chance.number(0...2))
        var items = chosen.map(\.name)
        var known = Set(chosen.map { $0.name.lowercased() })
        for aggregate in aggregates(of: object) {
            let name = chance.pick(["total", "Self", "Type", "row", "expr", "count_", "x_1", "class", "init"])
            let isNamed = chance.percent(50) && known.insert(name.lowercased()).inserted
            items.append(aggregate + (isNamed ? " \(name)" : ""))
        }
        let years = object.words.filter { $0.kind == .dateTime && $0.isGroupable }.prefix(1)
            .map { "CALENDAR_YEAR(\($0.name))" }
        let rollup = chosen.count > 0 && years.isEmpty && chance.percent(20)
        if rollup { items.append("GROUPING(\(chosen[0].name)) sub") }
        if !years.isEmpty, !chosen.isEmpty { items += years }
        var query = "SELECT \(items.joined(separator: ", ")) FROM \(object.name)" + condition(on: object)
        guard !chosen.isEmpty else { return query }
        let all = (chosen.map(\.name) + years).joined(separator: ", ")
        query += rollup ? " GROUP BY ROLLUP(\(all))" : " GROUP BY \(all)"
        if chance.percent(30) { query += " HAVING COUNT(Id) > :\(parameter())" }
        return query
    }

    private mutating func aggregates(of object: QuerySchema.Object) -> [String] {
        let fields = object.words.filter { $0.isAggregatable && $0.type != "multipicklist" }
        let some = chance.some(fields, 4).compactMap { field -> String? in
            switch field.kind {
            case .integer, .real: "\(chance.pick(["SUM", "AVG", "MIN", "MAX", "COUNT"]))(\(field.name))"
            case .text, .date, .dateTime, .time, .id: "\(chance.pick(["MIN", "MAX", "COUNT_DISTINCT"]))(\(field.name))"
            default: nil
            }
        }
        return some + ["COUNT(Id)"]
    }

    // MARK: Conditions

    /// A WHERE clause, or nothing.
    mutating func condition(on object: QuerySchema.Object) -> String {
        guard chance.percent(70) else { return "" }
        let fields = chance.some(object.words.filter(\.isFilterable), chance.number(1...4))
        let tests = fields.compactMap { test($0) }
        guard !tests.isEmpty else { return "" }
        let joined = chance.percent(50) ? tests.joined(separator: "\n    AND ") : tests.joined(separator: " OR ")
        return "\nWHERE " + joined
    }

    /// A parameter of the query, with a name of its own.
    mutating func parameter() -> String {
        let words = ["Any", "Type", "Protocol", "x", "größe", "client", "row", "SOQL", "RestClient", "String"]
        for _ in 0..<20 {
            let name = chance.pick([names.next(&chance), chance.pick(words)])
            let isRefused = name.lowercased() == "self"
            if !isRefused, !Self.values.contains(name.uppercased()), !parameters.contains(name.lowercased()),
                name.first?.isLetter == true
            {
                parameters.append(name.lowercased())
                return name
            }
        }
        parameters.append("p\(parameters.count)")
        return "p\(parameters.count - 1)"
    }

    /// Words that are values where a parameter's name could be read as one.
    private static let values: Set = ["NULL", "TRUE", "FALSE"]

    private mutating func test(_ field: QuerySchema.Field) -> String? {
        if field.type == "multipicklist" {
            return "\(field.name) \(chance.pick(["INCLUDES", "EXCLUDES"])) \(chance.pick([":", "(:"]))"
                .closed(with: parameter())
        }
        switch (field.kind, chance.number(0...5)) {
        case (nil, _), (.compound, 0...4): return nil
        case (.compound, _):
            guard field.type == "location" || field.type == "address" else { return nil }
            return "DISTANCE(\(field.name), GEOLOCATION(:\(parameter()), :\(parameter())), 'km') < :\(parameter())"
        case (.text, 0): return "\(field.name) LIKE :\(parameter())"
        case (.text, 1): return "\(field.name) != 'it\\'s \\\"\\\"\\\" #\"\"\"# \\\\(x)'"
        case (.date, 0), (.dateTime, 0): return "\(field.name) = LAST_N_DAYS:\(parameter())"
        case (.boolean, _), (_, 2): return "\(field.name) \(chance.pick(["=", "!="])) :\(parameter())"
        case (_, 3): return "\(field.name) \(chance.pick(["IN", "NOT IN"])) :\(parameter())"
        case (_, 4): return "\(field.name) IN (:\(parameter()), :\(parameter()))"
        case (.id, _): return "\(field.name) = null"
        default: return "\(field.name) \(chance.pick(["<", ">=", "!="])) :\(parameter())"
        }
    }
}

extension String {
    /// The text with a name behind it, and the parenthesis that is open.
    fileprivate func closed(with name: String) -> String { self + name + (hasSuffix("(:") ? ")" : "") }
}
