// SPDX-License-Identifier: Apache-2.0

import RestText
import SOQLCheck
import SOQLSyntax
import SwiftSource

/// Writes the function of a query, the query itself, and its row.
struct QueryWriter {
    let plan: QueryPlan
    /// The word before declarations with a blank behind it; empty for internal ones.
    let access: String

    private var function: String { SwiftIdentifiers.escaped(plan.function) }
    private var file: String { "`\(plan.source.name).soql`" }

    private var signature: String {
        plan.parameters.map { "\(SwiftIdentifiers.parameter($0.name)): \($0.type)" }.joined(separator: ", ")
    }

    /// The query with the values of the function's own parameters.
    private var call: String {
        let arguments = plan.parameters.map { parameter in
            "\(SwiftIdentifiers.label(parameter.name)): \(SwiftIdentifiers.escaped(parameter.name))"
        }
        return ".\(function)(\(arguments.joined(separator: ", ")))"
    }

    func write(_ rows: inout RowWriter, into text: inout SwiftText) {
        text.line("// MARK: \(plan.source.name)")
        text.line()
        text.block("nonisolated extension RestClient") { writeFunction(into: &$0) }
        text.line()
        text.block("nonisolated extension SOQL") { writeQuery(into: &$0) }
        guard case .rows(let shape) = plan.result else { return }
        text.line()
        rows.write(shape, named: plan.row, ["One row of \(file)."], into: &text)
    }

    private func writeFunction(into text: inout SwiftText) {
        let summary = plan.comment.isEmpty ? ["Runs the query of \(file)."] : plan.comment
        switch plan.result {
        case .rows:
            writeDoc(summary, returns: "the rows, which are fetched as they are asked for.", throws: nil, into: &text)
            text.block("\(access)func \(function)(\(signature)) -> QueryRecords<\(plan.row)>") { text in
                text.line("self.records(\(call), as: \(plan.row).self)")
            }
        case .count:
            writeDoc(summary, returns: "the number of records.", throws: "`RestError`.", into: &text)
            text.block("\(access)func \(function)(\(signature)) async throws(RestError) -> Int") { text in
                text.line("try await self.count(\(call))")
            }
        }
    }

    private func writeDoc(
        _ summary: [String], returns: String, throws failure: String?, into text: inout SwiftText
    ) {
        text.doc(summary)
        text.line("///")
        if plan.parameters.count == 1, let only = plan.parameters.first {
            text.doc(["- Parameter \(only.name): \(only.doc)"])
        } else if !plan.parameters.isEmpty {
            text.line("/// - Parameters:")
            for parameter in plan.parameters { text.line("///   - \(parameter.name): \(parameter.doc)") }
        }
        text.line("/// - Returns: \(returns)")
        if let failure { text.line("/// - Throws: \(failure)") }
    }

    private func writeQuery(into text: inout SwiftText) {
        text.doc(["The query of \(file), with its values."])
        text.block("\(access)static func \(function)(\(signature)) -> SOQL") { text in
            let literal = QueryLiteral(plan.statement.text)
            text.line(literal.opening)
            for line in literal.lines { text.line(line) }
            text.line(literal.closing)
        }
    }
}

/// A query as a literal of Swift, in which variables are interpolated.
private struct QueryLiteral {
    let opening: String, closing: String
    let lines: [String]

    init(_ query: String) {
        // With signs of its own the literal has escapes and quotes of the query as they are: so many that nothing in it
        // ends the literal or begins an escape.
        var sign = ""
        while query.hasBytes("\\" + sign) || query.hasBytes("\"\"\"" + sign) { sign += "#" }
        (opening, closing) = (sign + "\"\"\"", "\"\"\"" + sign)
        let bytes = Array(query.utf8)
        var (text, end) = ("", 0)
        for variable in (try? SOQLVariable.all(in: query)) ?? [] {
            text += String(decoding: bytes[end..<variable.range.lowerBound], as: UTF8.self).escapingControls(sign)
            text += "\\\(sign)(\(SwiftIdentifiers.escaped(variable.name)))"
            end = variable.range.upperBound
        }
        text += String(decoding: bytes[end...], as: UTF8.self).escapingControls(sign)
        // What was a comment is blank now.
        lines = text.split(anyOf: "\n\r").map(\.trimmingEnd).filter { !$0.isEmpty }
    }
}

extension Substring {
    /// The text without blanks at its end.
    fileprivate var trimmingEnd: String {
        String(self[..<(utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }.map(utf8.index(after:)) ?? startIndex)])
    }
}

extension String {
    /// The text with escapes for what cannot stand in a literal.
    fileprivate func escapingControls(_ sign: String) -> String {
        unicodeScalars.map { scalar in
            let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            let isPlain = !isControl || "\t\n\r".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "\\\(sign)u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}
