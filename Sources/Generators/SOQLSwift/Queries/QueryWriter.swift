// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
import SOQLSyntax
import SwiftSource

struct QueryWriter {
    let plan: QueryPlan
    /// The access modifier followed by a space, or an empty string for internal declarations.
    let access: String

    private var function: String { SwiftIdentifiers.escaped(plan.function) }
    private var file: String { "`\(plan.source.name).soql`" }

    private var signature: String {
        plan.parameters.map { "\(SwiftIdentifiers.parameter($0.name)): \($0.type)" }.joined(separator: ", ")
    }

    /// The query with the values of the function's parameters.
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
        rows.write(shape, named: plan.row, ["One row of the query in \(file)."], into: &text)
    }

    private func writeFunction(into text: inout SwiftText) {
        let summary = plan.comment.isEmpty ? ["Runs the query in \(file)."] : plan.comment
        switch plan.result {
        case .rows:
            let rows = "the rows, which are fetched page by page as they are read."
            writeDoc(summary, returns: rows, throws: nil, into: &text)
            text.block("\(access)func \(function)(\(signature)) -> QueryRecords<\(plan.row)>") { text in
                text.line("self.records(\(call), as: \(plan.row).self)")
            }
        case .count:
            writeDoc(summary, returns: "the number of records.", throws: "`RestError`.", into: &text)
            text.block("\(access)func \(function)(\(signature)) async throws(RestError) -> Int") { text in
                text.line("try await self.send(.count(\(call)))")
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
        text.doc(["The query in \(file) with its values."])
        text.block("\(access)static func \(function)(\(signature)) -> SOQL") { text in
            let literal = QueryLiteral(plan.statement.text)
            text.line(literal.opening)
            for line in literal.lines { text.line(line) }
            text.line(literal.closing)
        }
    }
}

/// A query as a Swift literal with interpolated variables.
private struct QueryLiteral {
    let opening: String, closing: String
    let lines: [String]

    init(_ query: String) {
        // Add number signs until nothing in the query ends the literal or begins an escape sequence in it.
        var sign = ""
        while query.hasBytes("\\" + sign) || query.hasBytes("\"\"\"" + sign) { sign += "#" }
        (opening, closing) = (sign + "\"\"\"", "\"\"\"" + sign)
        let bytes = Array(query.utf8)
        var (text, end) = ("", 0)
        for variable in SOQLVariable.all(in: query) {
            text += String(decoding: bytes[end..<variable.range.lowerBound], as: UTF8.self).escapingControls(sign)
            text += "\\\(sign)(\(SwiftIdentifiers.escaped(variable.name)))"
            end = variable.range.upperBound
        }
        text += String(decoding: bytes[end...], as: UTF8.self).escapingControls(sign)
        // Former comments are whitespace now.
        lines = text.split(anyOf: "\n\r").map(\.trimmingEnd).filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate var trimmingEnd: String {
        String(self[..<(utf8.lastIndex { $0 != 0x20 && $0 != 0x09 }.map(utf8.index(after:)) ?? startIndex)])
    }
}

extension String {
    /// Returns the string with escape sequences for characters that are not allowed in a literal.
    fileprivate func escapingControls(_ sign: String) -> String {
        unicodeScalars.map { scalar in
            let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            let isPlain = !isControl || "\t\n\r".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "\\\(sign)u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }
}

/// The Swift types of values, with the objects whose types are used.
struct ObjectTypes {
    let names: ModelNames
    /// The used objects with their used picklists.
    private(set) var objects: [String: Set<ObjectDescription.Field>] = [:]
    private(set) var needsFoundation = false

    init(_ names: ModelNames) { self.names = names }

    mutating func swift(_ origin: ValueType.Origin) -> String {
        let type = names.swiftType(of: origin.field, in: origin.object)
        switch type {
        case .picklist, .picklists: objects[origin.object, default: []].insert(origin.field)
        case .id: name(origin.field.kind.rawValue.lowercased() == "id" ? [origin.object] : origin.field.referenceTo)
        default: break
        }
        return note(type)
    }

    mutating func swift(_ value: ValueType) -> String? {
        if let origin = value.origin { return swift(origin) }
        guard value.kind == .id else { return ModelType.plain[value.kind].map { note($0) } }
        name(value.references)
        return note(.id(of: value.references.count == 1 ? names.type(of: value.references[0]) : "AnyRecord"))
    }

    /// Adds the object of an id, unless there are several possible objects.
    private mutating func name(_ references: [String]) {
        guard references.count == 1 else { return }
        objects[references[0], default: []].formUnion([])
    }

    private mutating func note(_ type: ModelType) -> String {
        needsFoundation = needsFoundation || type.needsFoundation
        return type.swift
    }
}

/// Writes the types of objects that queries use, for ids and for the values of picklists.
enum ObjectWriter {
    static func file(_ types: ObjectTypes, _ schema: QuerySchema, _ options: QueryOptions) -> SwiftFile {
        guard options.objects == .written else {
            return QueryEmitter.file(QueryEmitter.paths[1], options, nil, [])
        }
        let names = types.objects.keys.filter { !options.modeled.contains($0.lowercased()) }.sorted {
            ($0.lowercased(), $0) < ($1.lowercased(), $1)
        }
        let parts = names.map { name in
            var text = SwiftText()
            write(name, types.objects[name] ?? [], schema.object(named: name), types.names, options, into: &text)
            return text
        }
        return QueryEmitter.file(QueryEmitter.paths[1], options, nil, parts)
    }

    private static func write(
        _ name: String, _ picklists: Set<ObjectDescription.Field>, _ object: ObjectDescription?, _ names: ModelNames,
        _ options: QueryOptions, into text: inout SwiftText
    ) {
        let access = options.accessWord
        let label = object.map { Documentation.line($0.summary.label, else: name) + " " } ?? ""
        text.doc(["The object \(label)(\(Documentation.code(name)))."])
        text.block("nonisolated \(access)enum \(names.type(of: name)): RecordObject") { text in
            text.doc(["The name of the object in queries."])
            text.line("\(access)static let objectName = \((object?.name ?? name).swiftLiteral)")
            for field in picklists.sorted(by: { $0.name < $1.name }) {
                text.line()
                PicklistWriter(names.picklist(field.name, of: name) ?? "_", field, access: access).write(to: &text)
            }
        }
    }
}
