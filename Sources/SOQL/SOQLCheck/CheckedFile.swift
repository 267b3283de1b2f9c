// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// A file of queries with its findings.
package struct CheckedFile: Sendable {
    /// A finding with its position in the file.
    package struct Place: Sendable {
        package let finding: Finding
        /// The position, counted from 1, with columns in Unicode scalars.
        package let line: Int, column: Int

        /// A question with the names that were probably meant, or `nil` if there are no suggestions.
        package var question: String? {
            guard !finding.suggestions.isEmpty else { return nil }
            return "did you mean \(finding.suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
        }
    }

    /// The name of the file in reports.
    package let name: String
    package let text: String
    package let statements: Int
    /// The findings, in the order of the text.
    package let places: [Place]

    /// Checks the statements of a file.
    package init(name: String, text: String, schema: QuerySchema?) {
        (self.name, self.text) = (name, text)
        let statements = StatementReader.statements(of: text)
        self.statements = statements.count
        places = statements.flatMap { Self.places(in: $0, schema) }
    }

    private static func places(in statement: Statement, _ schema: QuerySchema?) -> [Place] {
        if let fault = statement.fault {
            let position = SOQLPosition(line: fault.line, column: fault.column, offset: 0)
            let finding = Finding(syntax: fault.message, at: position, length: 1)
            return [Place(finding: finding, line: fault.line, column: fault.column)]
        }
        return CheckedQuery(statement, schema: schema).findings.map { finding in
            let place = statement.place(line: finding.position.line, column: finding.position.column)
            return Place(finding: finding, line: place.line, column: place.column)
        }
    }

    package func count(_ severity: Finding.Severity) -> Int { places.count { $0.finding.severity == severity } }
}

/// One statement of a text that can have several, with its position in the text.
package struct Statement: Sendable, Equatable {
    /// An error for a quote, brace or comment that is not closed.
    package struct Fault: Error, Equatable {
        package let message: String
        /// The position of the opening character in the text that contains the statement.
        package let line: Int, column: Int
    }

    /// The string that is sent, without the semicolon and the whitespace around it.
    ///
    /// Comments are replaced by spaces, so that every word keeps its line and column.
    package let text: String
    /// The statement with its comments.
    package let written: String
    /// The start of the statement in the text that contains it, counted from 1, with columns in Unicode scalars.
    package let line: Int, column: Int
    /// The reason why the statement cannot be run.
    package var fault: Fault?

    /// Converts a position in the statement to a position in the text that contains it.
    package func place(line: Int, column: Int) -> (line: Int, column: Int) {
        (self.line + line - 1, line == 1 ? self.column + column - 1 : column)
    }
}

/// Divides a text into statements, which end at semicolons outside of quotes and comments.
///
/// SOQL has no comments, and no valid query contains `--`, `//` or `/*`. So this type removes `-- …` and `// …` to the
/// end of the line, and `/* … */`.
///
/// The text can be fed in chunks of any size, such as the lines of a session. A quote ends on the line on which it
/// begins, as in SOQL, so an unclosed quote only affects its own statement. The braces of a search (`FIND {…}`) hold
/// text as quotes do.
package struct StatementReader: Sendable {
    /// The construct that is open at the end of the text fed so far.
    package enum Open: Equatable, Sendable {
        case statement, comment, quote, braces
    }

    private var scanner = SOQLScanner(hasComments: true, hasBraces: true)
    /// The current statement, and the offset up to which it was read.
    private var draft = StatementDraft(), end = 0
    private var isAtStart = true

    package init() {}

    /// Returns the statements of a whole text, whose last statement needs no semicolon.
    package static func statements(of text: String) -> [Statement] {
        var reader = StatementReader()
        let statements = reader.feed(text)
        return statements + [reader.finish()].compactMap(\.self)
    }

    /// The construct that has not ended yet, or `nil` between statements.
    package var open: Open? {
        switch scanner.open {
        case .string: .quote
        case .blockComment: .comment
        case .braces: .braces
        case .word, .number, .sign: .statement
        case .lineComment, nil: draft.isBegun ? .statement : nil
        }
    }

    /// Reads the next chunk and returns the statements that ended in it.
    package mutating func feed(_ chunk: String) -> [Statement] {
        // Skip a byte order mark.
        let isMarked = isAtStart && chunk.utf8.starts(with: "\u{FEFF}".utf8)
        isAtStart = isAtStart && chunk.isEmpty
        scanner.append(isMarked ? String(decoding: chunk.utf8.dropFirst(3), as: UTF8.self) : chunk)
        return read()
    }

    /// Ends the text and returns the last statement, if no semicolon ended it.
    package mutating func finish() -> Statement? {
        scanner.finish()
        _ = read()
        defer { self = StatementReader() }
        return draft.statement
    }

    private mutating func read() -> [Statement] {
        var statements: [Statement] = []
        while let span = scanner.scan() {
            draft.take(blanks: scanner[end..<span.range.lowerBound])
            end = span.range.upperBound
            guard span.kind == .sign(UInt8(ascii: ";")) else {
                draft.take(span, scanner[span.range])
                continue
            }
            if let statement = draft.statement { statements.append(statement) }
            draft = StatementDraft()
        }
        draft.take(blanks: scanner[end..<scanner.offset])
        end = scanner.offset
        return statements
    }
}

/// A statement while it is being read.
private struct StatementDraft {
    private var start: SOQLPosition?
    private var fault: Statement.Fault?
    private var text: [UInt8] = []
    private var written: [UInt8] = []

    /// Whether the statement has a word or an error.
    var isBegun: Bool { start != nil || fault != nil }

    mutating func take(blanks: ArraySlice<UInt8>) {
        guard start != nil else { return }
        text += blanks
        written += blanks
    }

    mutating func take(_ span: SOQLScanner.Span, _ bytes: ArraySlice<UInt8>) {
        if !span.isClosed, fault == nil {
            let what = span.kind == .string ? "quote" : span.kind == .braces ? "brace" : "comment"
            fault = Statement.Fault(
                message: "the \(what) is not closed", line: span.position.line, column: span.position.column)
        }
        let isComment = span.kind == .lineComment || span.kind == .blockComment
        if !isComment { start = start ?? span.position }
        guard start != nil else { return }
        written += bytes
        guard isComment else { return text += bytes }
        // Keep a comment's line breaks, and replace each other character by a space.
        for byte in bytes where byte & 0xC0 != 0x80 { text.append(byte.isSOQLBlank ? byte : UInt8(ascii: " ")) }
    }

    /// The statement, or `nil` if there is neither a word nor an error.
    var statement: Statement? {
        guard let line = start?.line ?? fault?.line, let column = start?.column ?? fault?.column else { return nil }
        return Statement(
            text: Self.trimmed(text), written: Self.trimmed(written), line: line, column: column, fault: fault)
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        String(decoding: bytes[..<(bytes.lastIndex { !$0.isSOQLBlank }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }
}

extension String {
    /// The offset in UTF-8 bytes of a position given as line and column, or `nil` if the text has no such position.
    ///
    /// Lines and columns (in Unicode scalars) are counted from 1. The end of the text and of each line are positions.
    package func offset(line: Int, column: Int) -> Int? {
        var cursor = SOQLCursor()
        func isHere(_ position: SOQLPosition) -> Bool { position.line == line && position.column == column }
        for byte in utf8 {
            if isHere(cursor.position), byte & 0xC0 != 0x80 { return cursor.position.offset }
            cursor.pass(byte)
        }
        return isHere(cursor.position) ? cursor.position.offset : nil
    }

    /// The line and column of the Unicode scalar at an offset in UTF-8 bytes.
    package func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var cursor = SOQLCursor()
        for byte in utf8.prefix(offset) { cursor.pass(byte) }
        return (cursor.position.line, cursor.position.column)
    }
}
