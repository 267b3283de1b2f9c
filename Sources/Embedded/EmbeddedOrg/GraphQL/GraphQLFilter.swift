// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLStore
import SOQLSyntax

/// Converts the arguments `where` and `orderBy` into conditions and orders of a query.
struct GraphQLFilter {
    let schema: Schema
    let field: GraphQLField
    let path: [String]

    /// Returns the condition of `{Name: {eq: "x"}, or: […]}`, or `nil` if it is empty.
    func condition(
        _ value: JSONValue, on object: SObjectSchema, below parents: [String] = []
    ) throws(GraphQLProblem) -> SOQLCondition? {
        guard let members = value.object else { throw problem("'where' must be an object") }
        var tests: [SOQLCondition] = []
        for (name, value) in members where !value.isNull {
            switch name {
            case "and", "or":
                var parts: [SOQLCondition] = []
                for part in value.array.map({ Array($0) }) ?? [value] {
                    if let test = try condition(part, on: object, below: parents) { parts.append(test) }
                }
                if let joined = Self.joined(parts, isAnd: name == "and") { tests.append(joined) }
            case "not":
                if let test = try condition(value, on: object, below: parents) { tests.append(.not(test)) }
            default:
                if let parent = parent(name, of: object) {
                    if let test = try condition(value, on: parent, below: parents + [name]) { tests.append(test) }
                    continue
                }
                let field = try self.field(name, of: object)
                guard let operators = value.object else {
                    throw problem("the filter of \(field.name) must be an object such as {eq: …}")
                }
                let path = SOQLExpression.path(SOQLPath(parents + [field.name]))
                for (name, value) in operators { tests.append(.comparison(try comparison(path, name, value, field))) }
            }
        }
        return Self.joined(tests, isAnd: true)
    }

    private static func joined(_ tests: [SOQLCondition], isAnd: Bool) -> SOQLCondition? {
        guard tests.count > 1 else { return tests.first }
        return isAnd ? .and(tests) : .or(tests)
    }

    private static let operators: [String: SOQLOperator] = [
        "eq": .equal, "ne": .notEqual, "lt": .less, "lte": .lessOrEqual, "gt": .greater, "gte": .greaterOrEqual,
        "like": .like, "in": .in, "nin": .notIn, "includes": .includes, "excludes": .excludes,
    ]

    private func comparison(
        _ left: SOQLExpression, _ name: String, _ value: JSONValue, _ field: FieldSchema
    ) throws(GraphQLProblem) -> SOQLComparison {
        guard let sign = Self.operators[name] else {
            throw problem("'\(name.prefix(40))' is not an operator of \(field.name)")
        }
        switch sign {
        case .in, .notIn, .includes, .excludes:
            guard let list = value.array, !list.isEmpty else {
                throw problem("'\(name)' of \(field.name) needs a list with values")
            }
            var values: [SOQLValue] = []
            for element in list { values.append(SOQLValue(try literal(element, field))) }
            return SOQLComparison(left, sign, .list(values))
        case .like:
            guard let text = value.string else { throw problem("'like' of \(field.name) needs a string") }
            // `%` and `_` are wildcards.
            let pattern = text.map { character -> SOQLPattern.Element in
                character == "%" ? .anyRun : character == "_" ? .anyOne : .text(String(character))
            }
            return SOQLComparison(left, sign, .pattern(SOQLPattern(pattern)))
        default: return SOQLComparison(left, sign, .literal(SOQLValue(try literal(value, field))))
        }
    }

    private func literal(_ value: JSONValue, _ field: FieldSchema) throws(GraphQLProblem) -> SOQLLiteral {
        switch value.kind {
        case .null: return .null
        case .bool: return .boolean(value.bool == true)
        case .number:
            let text = value.numberText ?? ""
            if let number = SOQLNumber(text) ?? Double(text).flatMap({ SOQLNumber("\($0)") }) { return .number(number) }
        case .string:
            let text = value.string ?? ""
            switch field.type {
            case .date: if let date = WireTime.date(text) { return .date(date) }
            case .datetime: if let moment = WireTime.dateTime(text) { return .dateTime(moment) }
            default: return .string(text)
            }
        // `{value: "2026-01-29"}` and `{literal: TODAY}`, for dates.
        case .object where value.object?.count == 1:
            if let inner = value["value"], inner.kind != .object { return try literal(inner, field) }
            if let formula = value["literal"]?.string.flatMap({ SOQLDateFormula(name: $0) }) {
                return .formula(formula)
            }
        case .array, .object: break
        }
        throw problem("\(field.name) is compared with a value of another type")
    }

    /// Returns the order of `{Name: {order: ASC, nulls: LAST}}`.
    func order(
        _ value: JSONValue, on object: SObjectSchema, below parents: [String] = []
    ) throws(GraphQLProblem) -> [SOQLOrdering] {
        var orderings: [SOQLOrdering] = []
        if let list = value.array {
            for element in list { orderings += try order(element, on: object, below: parents) }
            return orderings
        }
        guard let members = value.object else { throw problem("'orderBy' must be an object") }
        for (name, value) in members where !value.isNull {
            if let parent = parent(name, of: object) {
                orderings += try order(value, on: parent, below: parents + [name])
                continue
            }
            let field = try self.field(name, of: object)
            let options = value.object
            guard let options, options.allSatisfy({ Self.orders[$0.key]?.contains($0.value) == true }) else {
                throw problem("the order of \(field.name) is not of the form {order: ASC|DESC, nulls: FIRST|LAST}")
            }
            orderings.append(
                SOQLOrdering(
                    .path(SOQLPath(parents + [field.name])), isDescending: options["order"] == "DESC",
                    nulls: options["nulls"].map { $0 == "LAST" ? .last : .first }))
        }
        return orderings
    }

    private static let orders: [String: Set<JSONValue>] = ["order": ["ASC", "DESC"], "nulls": ["FIRST", "LAST"]]

    private func parent(_ name: String, of object: SObjectSchema) -> SObjectSchema? {
        object.referenceField(ofRelationship: name)?.referenceTo.first.flatMap { schema.object(named: $0) }
    }

    private func field(_ name: String, of object: SObjectSchema) throws(GraphQLProblem) -> FieldSchema {
        guard let field = object.field(named: name) else {
            throw problem("\(object.name) has no field '\(name.prefix(80))'")
        }
        return field
    }

    private func problem(_ message: String) -> GraphQLProblem { .validation(message, field.offset, path) }
}
