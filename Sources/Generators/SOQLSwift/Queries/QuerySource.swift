// SPDX-License-Identifier: Apache-2.0

import RestText
import SOQLCheck
import SOQLSyntax
import SwiftSource

/// A file with one query.
package struct QuerySource: Sendable {
    /// Its path for messages.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        (self.path, self.text) = (path, text)
    }

    /// The name of the file, without its ending.
    var name: String {
        let file = path.split(byte: "/").last ?? ""
        return String(file.removing(suffix: ".soql") ?? file)
    }

    func fault(_ message: String, line: Int = 1, column: Int = 1) -> QueryDiagnostic {
        QueryDiagnostic(path, line: line, column: column, message)
    }

    /// The one statement of the file.
    func statement() throws(QueryDiagnostic) -> Statement {
        let statements = StatementReader.statements(of: text)
        guard let statement = statements.first else { throw fault("the file has no query") }
        if let broken = statements.first(where: { $0.fault != nil }), let why = broken.fault {
            throw fault(why.message, line: why.line, column: why.column)
        }
        guard statements.count == 1 else {
            let second = statements[1]
            throw fault(
                "a second query begins here; each has a file of its own", line: second.line, column: second.column)
        }
        return statement
    }

    /// The names that the query gets in Swift; the row's is another one than those of the types that are taken.
    func names(besides taken: Set<String>) throws(QueryDiagnostic) -> (function: String, row: String) {
        let scalars = name.unicodeScalars
        let isName = scalars.allSatisfy { $0.properties.isXIDContinue || $0 == "-" || $0 == " " }
        guard isName, scalars.first?.properties.isXIDStart == true else {
            throw fault(
                "'\(name)' makes no name of a function; the file's name has letters, digits, '-' and '_', and begins "
                    + "with a letter")
        }
        let words = SwiftWords(name)
        guard !["init", "self", "_"].contains(words.lower) else {
            throw fault("a function cannot be called '\(words.lower)'; give the file another name")
        }
        let row = SwiftIdentifiers.distinct([(name, words.upper + "Row")], reserved: taken, end: "Row")
        return (words.lower, row[name] ?? "_")
    }

    /// The paragraphs of the comments before the query.
    func comment(before statement: Statement) -> [String] {
        let end = text.offset(line: statement.line, column: statement.column) ?? 0
        return CommentReader.paragraphs(of: String(decoding: text.utf8.prefix(end), as: UTF8.self))
    }
}

extension QueryDiagnostic: Error {}

/// Reads comments as text.
private struct CommentReader {
    private var paragraphs: [[String]] = [[]]
    private var isInBlock = false

    /// The paragraphs of a text of nothing but comments; empty lines part them.
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
