// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import SOQLCheck
import SOQLSyntax

/// Translates WHERE and HAVING clauses.
///
/// A result that is unknown in SQL counts as false.
struct ConditionCompiler {
    let rows: JoinedRows
    /// The groups, if this is a HAVING clause.
    var groups: GroupRows?
    /// The number of enclosing queries.
    var depth = 0

    var compilation: Compilation { rows.compilation }

    func compile(_ condition: ResolvedCondition) throws(OrgError) -> SQLFragment {
        let sql = try self.sql(of: condition)
        guard sql.parenthesisDepth <= SQLTree.maximumDepth - depth * SQLTree.depthOfChildQuery else {
            throw OrgError(.tooComplicated, "the condition of the query is nested too deeply")
        }
        return sql
    }

    private func sql(of condition: ResolvedCondition) throws(OrgError) -> SQLFragment {
        switch condition {
        case .test(let test): return try sql(of: test)
        case .not(let inner): return "(\(try sql(of: inner))) IS NOT TRUE"
        case .and(let terms): return try tree(terms).joined(by: " AND ")
        case .or(let terms): return try tree(terms).joined(by: " OR ")
        }
    }

    private func tree(_ conditions: [ResolvedCondition]) throws(OrgError) -> SQLTree {
        var tree = SQLTree()
        for condition in conditions { tree.append(try sql(of: condition)) }
        return tree
    }

    // MARK: One test

    private func sql(of test: ResolvedTest) throws(OrgError) -> SQLFragment {
        let operand = groups?.operand(test.value) ?? rows.operand(test.value)
        switch test.right {
        case .literal(let value):
            guard case .currency(let currency) = value.literal else {
                return try compare(operand, test.operator, value)
            }
            return try compare(test.value, test.operator, currency, value.position)
        case .pattern(let pattern): return try match(operand, pattern)
        case .query(let query): return try semiJoin(operand, query, isNegated: test.operator == .notIn)
        case .list(let values):
            switch test.operator {
            case .includes, .excludes: return matchSets(operand, test.operator, values)
            default: return try compareList(test.value, operand, values, isNegated: test.operator == .notIn)
            }
        }
    }

    /// Compiles `Amount > USD5000`, which compares the amount of each record in the currency of the literal.
    ///
    /// - Throws: `OrgError` if the org has only one currency.
    private func compare(
        _ value: ResolvedValue, _ comparison: SOQLOperator, _ currency: SOQLCurrency, _ position: SOQLPosition
    ) throws(OrgError) -> SQLFragment {
        guard let amount = rows.amount(value, in: "\(.text(currency.code))") else {
            throw compilation.error(
                .notEnabled,
                "a currency literal is not supported here: this org has one currency, so write "
                    + "\(currency.text) without its code", at: position)
        }
        return try compare(amount, comparison, SOQLValue(.number(currency.amount), position: position))
    }
}

extension ConditionCompiler {
    /// Compiles `operand [NOT] IN (literals)`.
    ///
    /// The literals are one parameter, a JSON array, so that the SQL text does not depend on the length of the list.
    private func compareList(
        _ left: ResolvedValue, _ operand: Operand, _ values: [SOQLValue], isNegated: Bool
    ) throws(OrgError) -> SQLFragment {
        var list: [SQLValue] = []
        var tests: [SQLFragment] = []
        var hasNull = false
        for value in values {
            if case .formula = value.literal {
                tests.append(try compare(operand, .equal, value))
            } else if case .currency(let currency) = value.literal {
                tests.append(try compare(left, .equal, currency, value.position))
            } else if case let bound = try binding(value, operand), bound != .null {
                // No record contains NUL, and SQLite's list function reads a string only up to NUL.
                if !bound.hasNUL { list.append(bound) }
                // The checkbox of a parent that does not exist is not checked.
                hasNull = hasNull || (operand.kind == .boolean && bound == .integer(0))
            } else {
                hasNull = true
            }
        }
        if !list.isEmpty {
            let values = SQLValue.text(JSONList(list).text)
            tests.append("\(operand.equated(with: list)) IN (SELECT value FROM json_each(\(values)))")
        }
        if hasNull { tests.append("\(operand.sql) IS NULL") }
        let test: SQLFragment = tests.isEmpty ? "0" : "(\(tests.joined(separator: " OR ")))"
        // A row without a value is in no list, unless null is one of the literals.
        return isNegated ? "\(test) IS NOT TRUE" : test
    }

    private func match(_ operand: Operand, _ pattern: SOQLPattern) throws(OrgError) -> SQLFragment {
        let text = pattern.sqliteText
        guard text.utf8.count <= 50_000 else {
            throw compilation.error(.tooComplicated, "the pattern of LIKE is too long", at: pattern.position)
        }
        // SQLite reads a pattern only up to the first NUL, which would match too much.
        guard !SQLValue.text(text).hasNUL else { return "0" }
        let test: SQLFragment =
            text.isASCII
            ? "\(operand.sql) LIKE \(.text(text)) ESCAPE '\\'" : "unicode_like(\(.text(text)), \(operand.sql))"
        guard let range = range(of: pattern, operand) else { return test }
        return "(\(test) AND \(range))"
    }

    /// Returns a range test for values that begin like a pattern, so that an index can be used.
    ///
    /// The upper bound is a string that no value exceeds: the highest character, repeated for the maximum length.
    private func range(of pattern: SOQLPattern, _ operand: Operand) -> SQLFragment? {
        guard operand.isColumn, let field = operand.field, field.isOrdered, field.length <= 255,
            case .text(let beginning)? = pattern.elements.first
        else { return nil }
        let end = beginning + String(repeating: "\u{10FFFF}", count: 255)
        return "\(operand.collated) BETWEEN \(.text(beginning)) AND \(.text(end))"
    }

    /// Compiles `operand INCLUDES|EXCLUDES (sets)`: all values of at least one set are selected, or of no set.
    private func matchSets(
        _ operand: Operand, _ comparison: SOQLOperator, _ values: [SOQLValue]
    ) -> SQLFragment {
        var condition = SQLTree()
        for value in values {
            guard case .string(let set) = value.literal else { continue }
            let members = set.split(byte: ";", omittingEmptySubsequences: true)
            guard !members.isEmpty else { continue }
            let tests = members.map { isChosen(String($0), operand) }
            condition.append(SQLTree(tests).joined(by: " AND "))
        }
        let test = condition.isEmpty ? "0" : condition.joined(by: " OR ")
        return comparison == .includes ? test : "\(test) IS NOT TRUE"
    }

    /// Tests whether a multi-select picklist contains a value.
    private func isChosen(_ member: String, _ operand: Operand) -> SQLFragment {
        guard !member.isASCII else {
            return "instr(';' || lower(\(operand.sql)) || ';', \(.text(";" + member.lowercased() + ";"))) > 0"
        }
        let pattern = SOQLPattern([.anyRun, .text(";" + member + ";"), .anyRun]).sqliteText
        return "unicode_like(\(.text(pattern)), ';' || \(operand.sql) || ';')"
    }
}

private struct JSONList {
    private var bytes: [UInt8] = []

    init(_ values: [SQLValue]) {
        for value in values { append(value) }
    }

    var text: String { "[" + String(decoding: bytes, as: UTF8.self) + "]" }

    private mutating func append(_ value: SQLValue) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .integer(let number): bytes.append(contentsOf: number.description.utf8)
        case .real(let number): bytes.append(contentsOf: number.description.utf8)
        case .text(let text): bytes.appendQuoted(ContiguousArray(text.utf8).span)
        // Literals of a query are never bytes.
        case .bytes: bytes.append(contentsOf: "null".utf8)
        }
    }
}

extension SQLValue {
    /// Whether the value is a string with U+0000, which no field of a record contains.
    fileprivate var hasNUL: Bool { if case .text(let text) = self { text.utf8.contains(0) } else { false } }
}

extension SOQLPattern {
    /// The pattern for SQLite's LIKE with `\` as the escape character, in which runs of `%` are merged.
    var sqliteText: String {
        var result = ""
        var previous: Element?
        for element in elements {
            switch element {
            case .anyRun: if previous != .anyRun { result.append("%") }
            case .anyOne: result.append("_")
            case .text(let text):
                for scalar in text.unicodeScalars {
                    if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
                    result.unicodeScalars.append(scalar)
                }
            }
            previous = element
        }
        return result
    }
}
