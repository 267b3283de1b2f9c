// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestText
import SOQLSyntax

extension ConditionCompiler {
    /// `operand [NOT] IN (literals)`.
    ///
    /// The literals are one parameter, a JSON array, so that a list of any length is the same SQL text.
    func compareList(
        _ operand: Operand, _ values: [SOQLValue], isNegated: Bool
    ) throws(QueryError) -> SQLFragment {
        var list: [SQLValue] = []
        var tests: [SQLFragment] = []
        var hasNull = false
        for value in values {
            if case .formula = value.literal {
                tests.append(try compare(operand, .equal, value))
            } else if case let bound = try binding(value, operand), bound != .null {
                // No record has a text with NUL, and SQLite's list function reads a text only up to it.
                if !bound.hasNUL { list.append(bound) }
                // A check box of a parent that does not exist is not ticked.
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
        // A row without a value is in no list, unless null is one of its literals.
        return isNegated ? "\(test) IS NOT TRUE" : test
    }

    /// `operand LIKE pattern`.
    func match(_ operand: Operand, _ pattern: SOQLPattern) throws(QueryError) -> SQLFragment {
        guard operand.kind == .text else { throw invalidOperator(operand) }
        let text = pattern.sqliteText
        guard text.utf8.count <= 50_000 else {
            throw compilation.error(.tooComplicated, "the pattern of LIKE is too long", at: pattern.position)
        }
        // SQLite reads a pattern up to the first NUL, which would match too much.
        guard !SQLValue.text(text).hasNUL else { return "0" }
        let test: SQLFragment =
            text.isASCII
            ? "\(operand.sql) LIKE \(.text(text)) ESCAPE '\\'" : "unicode_like(\(.text(text)), \(operand.sql))"
        guard let range = range(of: pattern, operand) else { return test }
        return "(\(test) AND \(range))"
    }

    /// Where in the order of a field the texts are that begin as a pattern does, so that they are looked up there.
    ///
    /// The end is a text that no value of the field is beyond: the highest character, more often than a value is long.
    private func range(of pattern: SOQLPattern, _ operand: Operand) -> SQLFragment? {
        guard operand.isColumn, operand.field.isOrdered, operand.field.length <= 255,
            case .text(let beginning)? = pattern.elements.first
        else { return nil }
        let end = beginning + String(repeating: "\u{10FFFF}", count: 255)
        return "\(operand.collated) BETWEEN \(.text(beginning)) AND \(.text(end))"
    }

    /// `operand INCLUDES|EXCLUDES (sets)`: all values of one set at least are chosen, or those of none are.
    func matchSets(
        _ operand: Operand, _ comparison: SOQLOperator, _ values: [SOQLValue]
    ) throws(QueryError) -> SQLFragment {
        guard operand.field.type == .multipicklist, operand.isColumn else { throw invalidOperator(operand) }
        var condition = SQLTree()
        for value in values {
            guard case .string(let set) = value.literal else { throw wrongType(operand, value) }
            let members = set.split(byte: ";", omittingEmptySubsequences: true)
            guard !members.isEmpty else { continue }
            let tests = members.map { isChosen(String($0), operand) }
            condition.append(SQLTree(tests).joined(by: " AND "))
        }
        let test = condition.isEmpty ? "0" : condition.joined(by: " OR ")
        return comparison == .includes ? test : "\(test) IS NOT TRUE"
    }

    /// Whether one value of a multi-select picklist is chosen.
    private func isChosen(_ member: String, _ operand: Operand) -> SQLFragment {
        guard !member.isASCII else {
            return "instr(';' || lower(\(operand.sql)) || ';', \(.text(";" + member.lowercased() + ";"))) > 0"
        }
        let pattern = SOQLPattern([.anyRun, .text(";" + member + ";"), .anyRun]).sqliteText
        return "unicode_like(\(.text(pattern)), ';' || \(operand.sql) || ';')"
    }
}

/// The elements of a list as a JSON array.
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
        // No literal of a query is bytes.
        case .bytes: bytes.append(contentsOf: "null".utf8)
        }
    }
}

extension SQLValue {
    /// Whether the value is a text with U+0000, which no field of a record contains.
    fileprivate var hasNUL: Bool { if case .text(let text) = self { text.utf8.contains(0) } else { false } }
}

extension SOQLPattern {
    /// The pattern for SQLite's LIKE with `\` as the escape character; a run of `%` is one.
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
