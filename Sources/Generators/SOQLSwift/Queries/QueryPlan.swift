// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck
import SOQLSyntax
import SwiftSource

package struct QuerySource: Sendable {
    package let path: String
    package let text: String

    package init(path: String, text: String) { (self.path, self.text) = (path, text) }

    /// The name of the file without its extension.
    var name: String {
        let file = path.split(byte: "/").last ?? ""
        return String(file.removing(suffix: ".soql") ?? file)
    }

    func fault(_ message: String, line: Int = 1, column: Int = 1) -> QueryDiagnostic {
        QueryDiagnostic(path, line: line, column: column, message)
    }

    /// Returns the only statement of the file.
    func statement() throws(QueryDiagnostic) -> Statement {
        let statements = StatementReader.statements(of: text)
        guard let statement = statements.first else { throw fault("the file has no query") }
        if let broken = statements.first(where: { $0.fault != nil }), let why = broken.fault {
            throw fault(why.message, line: why.line, column: why.column)
        }
        guard statements.count == 1 else {
            let second = statements[1]
            throw fault(
                "a second query begins here; give each query its own file", line: second.line, column: second.column)
        }
        return statement
    }

    /// Returns the names of the function and the row, which differs from the names in `taken`.
    func names(besides taken: Set<String>) throws(QueryDiagnostic) -> (function: String, row: String) {
        let scalars = name.unicodeScalars
        let isName = scalars.allSatisfy { $0.properties.isXIDContinue || $0 == "-" || $0 == " " }
        guard isName, scalars.first?.properties.isXIDStart == true else {
            throw fault(
                "'\(name)' cannot name a function; use letters, digits, '-' and '_' in the file's name, and begin it "
                    + "with a letter")
        }
        let words = SwiftWords(name)
        guard !["init", "self", "_"].contains(words.lower) else {
            throw fault("a function cannot be called '\(words.lower)'; give the file another name")
        }
        let row = SwiftIdentifiers.distinct([(name, words.upper + "Row")], reserved: taken, end: "Row")
        return (words.lower, row[name] ?? "_")
    }

    /// Returns the paragraphs of the comments before the query.
    func comment(before statement: Statement) -> [String] {
        let end = text.offset(line: statement.line, column: statement.column) ?? 0
        return CommentReader.paragraphs(of: String(decoding: text.utf8.prefix(end), as: UTF8.self))
    }
}

extension QueryDiagnostic: Error {}

private struct CommentReader {
    private var paragraphs: [[String]] = [[]]
    private var isInBlock = false

    /// Returns the paragraphs of a text that consists of comments, which are separated by empty lines.
    static func paragraphs(of text: String) -> [String] {
        var reader = CommentReader()
        for line in text.lines { reader.add(line) }
        return reader.paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }

    private mutating func add(_ line: Substring) {
        var words = Substring(
            line.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" || $0 == ";" })
        if isInBlock {
            if !words.hasBytes(prefix: "*/") { words = words.removing(prefix: "*") ?? words }
        } else if let inside = words.removing(prefix: "/*") {
            isInBlock = true
            words = inside.drop(anyOf: "*")
        } else {
            words = words.drop(anyOf: "-/")
        }
        if isInBlock, let end = words.firstRange(bytes: "*/") {
            isInBlock = false
            words = words[..<end.lowerBound]
        }
        let text = words.words.joined(separator: " ")
        guard !text.hasBytes(prefix: "SPDX-License-Identifier") else { return }
        if text.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(text) }
    }
}

/// The decisions about the code of one query.
struct QueryPlan {
    struct Parameter {
        /// The name, which is also the label.
        let name: String
        let type: String
        let doc: String
    }

    let source: QuerySource
    let statement: Statement
    let parameters: [Parameter]
    let result: QueryResult
    let comment: [String]
    let function: String, row: String

    /// Checks the file of a query.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - schema: the objects of the query.
    ///   - types: the types of objects, which are extended by those of the query.
    ///   - taken: the names of types that the row cannot have.
    ///   - warnings: receives the warnings, unless there are errors.
    /// - Throws: ``QueryFaults`` with all errors.
    init(
        _ source: QuerySource, schema: QuerySchema, types: inout ObjectTypes, taken: Set<String>,
        warnings: inout [QueryDiagnostic]
    ) throws(QueryFaults) {
        self.source = source
        do throws(QueryDiagnostic) {
            statement = try source.statement()
            (function, row) = try source.names(besides: taken)
        } catch {
            throw QueryFaults(diagnostics: [error])
        }
        let checked = CheckedQuery(statement, schema: schema)
        let place = FindingPlace(source: source, statement: statement, schema: schema)
        let told = checked.findings.map(place.diagnostic)
        guard !told.contains(where: { $0.severity == .error }) else { throw QueryFaults(diagnostics: told) }
        warnings += told
        do throws(FindingList) {
            result = try checked.result()
            var parameters: [Parameter] = []
            for parameter in checked.parameters { parameters.append(try Parameter(parameter, &types)) }
            self.parameters = parameters
        } catch {
            throw QueryFaults(diagnostics: error.findings.map(place.diagnostic))
        }
        comment = source.comment(before: statement)
    }
}

extension QueryPlan.Parameter {
    /// The names with another meaning in a function.
    private static let reserved: Set = ["self", "Self", "_"]

    fileprivate init(_ parameter: QueryParameter, _ types: inout ObjectTypes) throws(FindingList) {
        func fault(_ message: String) -> FindingList {
            let length = parameter.name.unicodeScalars.count + 1
            return FindingList(findings: [Finding(syntax: message, at: parameter.position, length: length)])
        }
        guard !Self.reserved.contains(parameter.name) else {
            throw fault("a parameter cannot be called '\(parameter.name)'; choose another name")
        }
        guard let value = parameter.type, let type = types.swift(value) else {
            throw fault("the schema has no type for ':\(parameter.name)'")
        }
        name = parameter.name
        self.type = parameter.isList ? "[\(type)]" : type + (parameter.isNillable ? "?" : "")
        let rule = parameter.isNillable ? "; `nil` finds records without a value" : ""
        doc = parameter.place.doc(value) + (parameter.isList ? "; an empty list is rejected" : rule) + "."
    }
}

extension SOQLPlace {
    fileprivate func doc(_ value: ValueType) -> String {
        switch self {
        case .sets, .set: "values that a record must have all of"
        case .pattern: "a pattern in which `%` matches any text and `_` one character"
        case .count: "a number of rows, 0 or more"
        case .days: "the number of a date formula, 0 or more"
        case .degrees: "degrees north or east"
        default: "compared with \(value.origin.map { "`\($0.name)`" } ?? "several fields or a function")"
        }
    }
}

/// Converts findings of a statement to diagnostics with their positions in the file.
private struct FindingPlace {
    let source: QuerySource
    let statement: Statement
    let schema: QuerySchema

    func diagnostic(_ finding: Finding) -> QueryDiagnostic {
        let place = statement.place(line: finding.position.line, column: finding.position.column)
        let near = finding.suggestions.map { "'\($0)'" }.joined(separator: " or ")
        return QueryDiagnostic(
            source.path, line: place.line, column: place.column,
            message(of: finding) + (near.isEmpty ? "" : "; did you mean \(near)?"), severity: finding.severity)
    }

    /// Returns the finding's message, which for an unknown object in a build says that the schema lacks it.
    private func message(of finding: Finding) -> String {
        let rest = String(decoding: statement.text.utf8.dropFirst(finding.position.offset), as: UTF8.self)
        let name = String(String.UnicodeScalarView(rest.unicodeScalars.prefix(finding.length)))
        guard finding.rule == .unknownObject, !name.hasBytes(".") else { return finding.message }
        let others = schema.objects.count > 8 ? "…" : schema.objects.map(\.name).joined(separator: " ")
        return "the schema has no object '\(name)'; run 'soql schema pull \(others) \(name)' to add it"
    }
}
