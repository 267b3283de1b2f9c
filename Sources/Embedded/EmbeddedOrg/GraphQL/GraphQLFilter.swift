// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import SOQLSyntax

/// Makes conditions and orders of a query's tree out of the arguments `where` and `orderBy`.
struct GraphQLFilter {
    let schema: Schema
    /// Where the argument stands.
    let position: GraphQLProblem.Position
    let path: [String]

    /// The condition of `{Name: {eq: "x"}, or: […]}`; `nil` when it is empty.
    func condition(
        _ value: GraphQLDocument.Value, on object: SObjectSchema, below parents: [String] = []
    ) throws(GraphQLProblem) -> SOQLCondition? {
        guard case .object(let members) = value else { throw problem("'where' must be an object") }
        var tests: [SOQLCondition] = []
        for member in members where member.value != .null {
            switch member.name {
            case "and", "or":
                let list: [GraphQLDocument.Value] =
                    if case .list(let list) = member.value { list } else { [member.value] }
                var parts: [SOQLCondition] = []
                for part in list {
                    if let test = try condition(part, on: object, below: parents) { parts.append(test) }
                }
                if let joined = Self.joined(parts, isAnd: member.name == "and") { tests.append(joined) }
            case "not":
                if let test = try condition(member.value, on: object, below: parents) { tests.append(.not(test)) }
            default: tests += try self.tests(member, on: object, below: parents)
            }
        }
        return Self.joined(tests, isAnd: true)
    }

    private static func joined(_ tests: [SOQLCondition], isAnd: Bool) -> SOQLCondition? {
        guard tests.count > 1 else { return tests.first }
        return isAnd ? .and(tests) : .or(tests)
    }

    private func tests(
        _ member: GraphQLDocument.Value.Member, on object: SObjectSchema, below parents: [String]
    ) throws(GraphQLProblem) -> [SOQLCondition] {
        if let parent = parent(member.name, of: object) {
            return try condition(member.value, on: parent, below: parents + [member.name]).map { [$0] } ?? []
        }
        guard let field = object.field(named: member.name) else { throw unknown(member.name, object) }
        guard case .object(let operators) = member.value else {
            throw problem("the filter of \(field.name) must be an object such as {eq: …}")
        }
        var tests: [SOQLCondition] = []
        for test in operators {
            let path = SOQLExpression.path(SOQLPath(parents + [field.name]))
            tests.append(.comparison(try comparison(path, test, field)))
        }
        return tests
    }

    private static let operators: [String: SOQLOperator] = [
        "eq": .equal, "ne": .notEqual, "lt": .less, "lte": .lessOrEqual, "gt": .greater, "gte": .greaterOrEqual,
        "like": .like, "in": .in, "nin": .notIn, "includes": .includes, "excludes": .excludes,
    ]

    private func comparison(
        _ left: SOQLExpression, _ test: GraphQLDocument.Value.Member, _ field: FieldSchema
    ) throws(GraphQLProblem) -> SOQLComparison {
        guard let sign = Self.operators[test.name] else {
            throw problem("'\(test.name.prefix(40))' is no operator of \(field.name)")
        }
        switch sign {
        case .in, .notIn, .includes, .excludes:
            guard case .list(let list) = test.value, !list.isEmpty else {
                throw problem("'\(test.name)' of \(field.name) needs a list with values")
            }
            var values: [SOQLValue] = []
            for element in list { values.append(SOQLValue(try literal(element, field))) }
            return SOQLComparison(left, sign, .list(values))
        case .like:
            guard case .string(let text) = test.value else { throw problem("'like' of \(field.name) needs a string") }
            return SOQLComparison(left, sign, .pattern(Self.pattern(text)))
        default: return SOQLComparison(left, sign, .literal(SOQLValue(try literal(test.value, field))))
        }
    }

    /// The pattern of a text in which `%` and `_` are wildcards.
    private static func pattern(_ text: String) -> SOQLPattern {
        SOQLPattern(
            text.map { character in
                switch character {
                case "%": .anyRun
                case "_": .anyOne
                default: .text(String(character))
                }
            })
    }

    /// The literal of a value, by the kind of the field that it is compared with.
    private func literal(_ value: GraphQLDocument.Value, _ field: FieldSchema) throws(GraphQLProblem) -> SOQLLiteral {
        switch value {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .int(let text): if let number = SOQLNumber(text) { return .number(number) }
        case .float(let text): if let number = Double(text).flatMap({ SOQLNumber("\($0)") }) { return .number(number) }
        case .string(let text), .name(let text):
            switch field.type {
            case .date: if let date = WireTime.date(text) { return .date(date) }
            case .datetime: if let moment = WireTime.dateTime(text) { return .dateTime(moment) }
            default: return .string(text)
            }
        // `{value: "2026-01-29"}` and `{literal: TODAY}`, for days and moments.
        case .object(let members) where members.count == 1 && members[0].name == "value":
            return try literal(members[0].value, field)
        case .object(let members) where members.count == 1 && members[0].name == "literal":
            if case .name(let name) = members[0].value, let formula = SOQLDateFormula(name: name) {
                return .formula(formula)
            }
        case .list, .object, .variable: break
        }
        throw problem("a value that \(field.name) is compared with is of another kind")
    }

    /// The order of `{Name: {order: ASC, nulls: LAST}}`.
    func order(
        _ value: GraphQLDocument.Value, on object: SObjectSchema, below parents: [String] = []
    ) throws(GraphQLProblem) -> [SOQLOrdering] {
        if case .list(let list) = value {
            var orderings: [SOQLOrdering] = []
            for element in list { orderings += try order(element, on: object, below: parents) }
            return orderings
        }
        guard case .object(let members) = value else { throw problem("'orderBy' must be an object") }
        var orderings: [SOQLOrdering] = []
        for member in members where member.value != .null {
            if let parent = parent(member.name, of: object) {
                orderings += try order(member.value, on: parent, below: parents + [member.name])
                continue
            }
            guard let field = object.field(named: member.name) else { throw unknown(member.name, object) }
            guard case .object(let options) = member.value else {
                throw problem("the order of \(field.name) must be an object such as {order: ASC}")
            }
            let words = Dictionary(options.map { ($0.name, $0.value) }) { first, _ in first }
            guard words.allSatisfy({ Self.orders[$0.key]?.contains($0.value) ?? false }) else {
                throw problem("the order of \(field.name) is not of the form {order: ASC|DESC, nulls: FIRST|LAST}")
            }
            orderings.append(
                SOQLOrdering(
                    .path(SOQLPath(parents + [field.name])), isDescending: words["order"] == .name("DESC"),
                    nulls: words["nulls"].map { $0 == .name("LAST") ? .last : .first }))
        }
        return orderings
    }

    private static let orders: [String: Set<GraphQLDocument.Value>] = [
        "order": [.name("ASC"), .name("DESC")], "nulls": [.name("FIRST"), .name("LAST")],
    ]

    private func parent(_ name: String, of object: SObjectSchema) -> SObjectSchema? {
        object.referenceField(ofRelationship: name)?.referenceTo.first.flatMap { schema.object(named: $0) }
    }

    private func unknown(_ name: String, _ object: SObjectSchema) -> GraphQLProblem {
        problem("\(object.name) has no field '\(name.prefix(80))'")
    }

    private func problem(_ message: String) -> GraphQLProblem { .validation(message, position, path) }
}
