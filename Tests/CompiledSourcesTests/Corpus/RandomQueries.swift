// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// Files with queries about a schema, each of which `soqlgen` accepts.
struct RandomQueries {
    struct File {
        let name: String
        let text: String
    }

    var chance: Chance
    let names: HostileNames
    let schema: QuerySchema
    var parameters: [String] = []

    private(set) var files: [File] = []

    init(_ chance: Chance, _ names: HostileNames, _ schema: QuerySchema) {
        (self.chance, self.names, self.schema) = (chance, names, schema)
        var functions: Set<String> = []
        for _ in 0..<self.chance.number(5...10) {
            guard let name = fileName(),
                functions.insert(name.lowercased().filter { $0.isLetter || $0.isNumber }).inserted
            else { continue }
            files.append(File(name: name, text: text()))
        }
    }

    /// Returns a name that can become a function name, unlike `init`, `self` and names without a letter.
    private mutating func fileName() -> String? {
        let object = chance.pick(schema.objects).name
        let name = chance.pick([names.next(&chance), names.next(&chance), object, object + "Row", "my-" + object])
        let letters = name.filter { $0.isLetter || $0.isNumber }.lowercased()
        guard name.unicodeScalars.first?.properties.isXIDStart == true, !["init", "self", ""].contains(letters) else {
            return nil
        }
        return name
    }

    private mutating func text() -> String {
        parameters = []
        let object = chance.pick(schema.objects.filter { Self.isWord($0.name) })
        let query =
            switch chance.number(0...9) {
            case 0: "SELECT COUNT() FROM \(object.name)" + condition(on: object)
            case 1...3: groups(of: object)
            default: records(of: object)
            }
        let comment = HostileText.next(&chance).split(whereSeparator: \.isNewline).joined(separator: " ")
            .replacing("*/", with: "* /")
        let comments = [
            "", "-- \(comment)\n", "/* \(comment)\n * more */\n", "// \(comment)\n-- SPDX-License-Identifier: x\n",
        ]
        return chance.pick(comments) + query + chance.pick(["", ";", "\n", " -- end\n"])
    }

    private mutating func records(of object: ObjectDescription) -> String {
        let items = selection(of: object, from: object.name, depth: 0)
        var query = "SELECT \(items.joined(separator: ",\n    "))\nFROM \(object.name)" + condition(on: object)
        if let field = object.words.first(where: { $0.kind == .date }), chance.percent(20) {
            query += " ORDER BY \(field.name)"
        }
        return query + window()
    }

    private mutating func window() -> String {
        var text = ""
        if chance.percent(30) { text += "\nLIMIT \(chance.percent(50) ? ":" + parameter() : "10")" }
        if !text.isEmpty, chance.percent(30) { text += " OFFSET \(chance.percent(50) ? ":" + parameter() : "5")" }
        return text
    }

    /// Returns the items that a query for records selects: each path, function and relationship once.
    private mutating func selection(of object: ObjectDescription, from source: String, depth: Int) -> [String] {
        var taken: Set<String> = ["id"]
        var items = ["Id"]
        for field in chance.some(object.words, chance.number(0...8)) where field.valueKind != nil {
            if taken.insert(field.name.lowercased()).inserted { items.append(printed(field)) }
        }
        for (field, parent) in parents(of: object) where chance.percent(50) {
            let way = field.relationshipName ?? ""
            // A path that begins with a name of FROM belongs to the object itself.
            guard ![object.name, source].contains(where: { $0.lowercased() == way.lowercased() }),
                taken.insert(way.lowercased()).inserted
            else {
                continue
            }
            items += paths(way, parent, field)
        }
        guard depth < 2 else { return items }
        for (name, child) in chance.some(object.namedChildren.filter { Self.isWord($0.name) }, chance.number(0...2)) {
            guard let other = schema.object(named: child.object), taken.insert(name.lowercased()).inserted
            else { continue }
            let inner = selection(of: other, from: name, depth: depth + 1).joined(separator: ", ")
            items.append("(SELECT \(inner) FROM \(name)\(condition(on: other)))")
        }
        return items
    }

    private mutating func printed(_ field: ObjectDescription.Field) -> String {
        switch field.valueKind {
        case .integer, .real, .date, .dateTime:
            chance.percent(25) ? "FORMAT(\(field.name))" + chance.pick(["", " \(alias())"]) : field.name
        case .text where field.kind == .picklist: chance.percent(25) ? "toLabel(\(field.name))" : field.name
        default: field.name
        }
    }

    private mutating func alias() -> String {
        aliases += 1
        return "\(chance.pick(["a", "aB", "Type_", "self_", "rowX", "Name_"]))\(aliases)"
    }

    private var aliases = 0

    /// Returns the relationships of an object with their target objects, or `nil` for a relationship with several
    /// targets.
    private func parents(of object: ObjectDescription) -> [(ObjectDescription.Field, ObjectDescription?)] {
        object.fields.compactMap { field in
            guard Self.isWord(field.relationshipName ?? ""),
                object.parentField(named: field.relationshipName ?? "") == field
            else { return nil }
            let targets = field.referenceTo.compactMap { schema.object(named: $0) }
            guard targets.count == field.referenceTo.count, !targets.isEmpty else { return nil }
            return (field, targets.count == 1 ? targets[0] : nil)
        }
    }

    private mutating func paths(
        _ way: String, _ parent: ObjectDescription?, _ field: ObjectDescription.Field
    ) -> [String] {
        guard let parent else {
            guard chance.percent(60) else { return ["\(way).Name", "\(way).Id", "\(way).Type"] }
            let branches = field.referenceTo.compactMap { schema.object(named: $0) }.filter { Self.isWord($0.name) }
                .map { "WHEN \($0.name) THEN Id" + ($0.lastValue.map { ", \($0)" } ?? "") }
            guard !branches.isEmpty else { return ["\(way).Name"] }
            return ["TYPEOF \(way) \(branches.joined(separator: " "))\(chance.pick(["", " ELSE Id, Name"])) END"]
        }
        var items = ["\(way).Id"]
        for inner in chance.some(parent.words, 3) where inner.valueKind != nil && inner.name != "Id" {
            items.append("\(way).\(inner.name)")
        }
        for (_, next) in parents(of: parent).prefix(1) {
            guard let next, let second = parents(of: parent).first?.0.relationshipName else { continue }
            items.append("\(way).\(second).Id")
            if let last = next.lastValue { items.append("\(way).\(second).\(last)") }
        }
        return items
    }
}

extension RandomQueries {
    /// Words with another meaning at the position of a field name, which no Salesforce field has.
    private static let reserved: Set = [
        "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "LIKE", "IN", "NULL", "LIMIT", "TRUE", "FALSE", "INCLUDES",
        "EXCLUDES", "HAVING", "ASC", "DESC", "NULLS", "USING", "WITH", "AS", "FIRST", "LAST", "BY", "FOR", "UPDATE",
        "ELSE", "LOOKUP", "BIND", "ROLLUP", "CUBE", "GROUP", "ORDER", "TYPEOF",
    ]

    static func isWord(_ name: String) -> Bool {
        name.first?.isLetter == true && !reserved.contains(name.uppercased())
    }
}

extension ObjectDescription {
    var words: [ObjectDescription.Field] { fields.filter { RandomQueries.isWord($0.name) } }

    fileprivate var lastValue: String? { words.last { $0.valueKind != nil && $0.name != "Id" }?.name }
}

extension RandomQueries {
    /// Returns a query for groups, with a single row if it has no terms.
    mutating func groups(of object: ObjectDescription) -> String {
        let terms = object.words.filter { $0.isGroupable && [.text, .date, .integer, .id].contains($0.valueKind) }
            .filter { !["multipicklist", "textarea", "base64", "encryptedstring"].contains($0.kind.rawValue) }
        let chosen = chance.some(terms, chance.number(0...2))
        var items = chosen.map(\.name)
        var known = Set(chosen.map { $0.name.lowercased() })
        for aggregate in aggregates(of: object) {
            let name = chance.pick(["total", "Self", "Type", "row", "expr", "count_", "x_1", "class", "init"])
            let isNamed = chance.percent(50) && known.insert(name.lowercased()).inserted
            items.append(aggregate + (isNamed ? " \(name)" : ""))
        }
        let years = object.words.filter { $0.valueKind == .dateTime && $0.isGroupable }.prefix(1)
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

    private mutating func aggregates(of object: ObjectDescription) -> [String] {
        let fields = object.words.filter { $0.isAggregatable && $0.kind != .multipicklist }
        let some = chance.some(fields, 4).compactMap { field -> String? in
            switch field.valueKind {
            case .integer, .real: "\(chance.pick(["SUM", "AVG", "MIN", "MAX", "COUNT"]))(\(field.name))"
            case .text, .date, .dateTime, .time, .id: "\(chance.pick(["MIN", "MAX", "COUNT_DISTINCT"]))(\(field.name))"
            default: nil
            }
        }
        return some + ["COUNT(Id)"]
    }

    mutating func condition(on object: ObjectDescription) -> String {
        guard chance.percent(70) else { return "" }
        let fields = chance.some(object.words.filter(\.isFilterable), chance.number(1...4))
        let tests = fields.compactMap { test($0) }
        guard !tests.isEmpty else { return "" }
        let joined = chance.percent(50) ? tests.joined(separator: "\n    AND ") : tests.joined(separator: " OR ")
        return "\nWHERE " + joined
    }

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

    /// Words that are values where a parameter's name is also allowed.
    private static let values: Set = ["NULL", "TRUE", "FALSE"]

    private mutating func test(_ field: ObjectDescription.Field) -> String? {
        if field.kind == .multipicklist {
            return "\(field.name) \(chance.pick(["INCLUDES", "EXCLUDES"])) \(chance.pick([":", "(:"]))"
                .closed(with: parameter())
        }
        switch (field.valueKind, chance.number(0...5)) {
        case (nil, _), (.compound, 0...4): return nil
        case (.compound, _):
            guard field.kind == .location || field.kind == .address else { return nil }
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
    /// Returns the string followed by `name` and a closing parenthesis, if one is open.
    fileprivate func closed(with name: String) -> String { self + name + (hasSuffix("(:") ? ")" : "") }
}
