// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What was found in a file of queries.
package struct CheckedFile: Sendable {
    /// A finding with its place in the file.
    package struct Place: Sendable {
        package let finding: Finding
        /// Counted from 1; columns in Unicode scalars.
        package let line: Int, column: Int

        /// The names that were probably meant, as a question; `nil` when there are none.
        package var question: String? {
            guard !finding.suggestions.isEmpty else { return nil }
            return "did you mean \(finding.suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
        }
    }

    /// What it is called in reports.
    package let name: String
    /// What it has.
    package let text: String
    /// How many statements it has.
    package let statements: Int
    /// What was found, in the order of the text.
    package let places: [Place]

    /// Checks the statements of a text.
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

    /// How many findings are as bad as this.
    package func count(_ severity: Finding.Severity) -> Int { places.count { $0.finding.severity == severity } }
}

/// One statement of a text that may have several, with its place there.
package struct Statement: Sendable, Equatable {
    /// Something that was begun and not ended.
    package struct Fault: Error, Equatable {
        /// `the quote is not closed`.
        package let message: String
        /// Where it begins, in the text that the statement was read from.
        package let line: Int, column: Int
    }

    /// What is sent: without the semicolon and the blanks around it, and with blanks in the place of comments, so that
    /// every word has the line and the column that it was written at.
    package let text: String
    /// The same with its comments.
    package let written: String
    /// Where the statement begins in the text that it was read from, counted from 1; columns in Unicode scalars.
    package let line: Int, column: Int
    /// Why it cannot be run as it is.
    package var fault: Fault?

    /// The place in the text that the statement was read from, of a place in the statement.
    package func place(line: Int, column: Int) -> (line: Int, column: Int) {
        (self.line + line - 1, line == 1 ? self.column + column - 1 : column)
    }
}

/// Divides a text into statements: a semicolon outside of quotes and comments ends one.
///
/// The query language has no comments. `-- …` and `// …` to the end of the line and `/* … */` are taken out here; none
/// of them can be in a query that is right. The text is fed in pieces of any size, such as the lines of a session.
/// A quote ends on the line it begins on, as the language has it. So one that is left open spoils its own statement and
/// none after it. The braces of a search (`FIND {…}`) hold text as quotes do.
package struct StatementReader: Sendable {
    /// What is open at the end of what was fed.
    package enum Open: Equatable, Sendable {
        case statement, comment, quote, braces
    }

    private var scanner = SOQLScanner(hasComments: true, hasBraces: true)
    /// The statement that was begun, and the offset up to which it was read.
    private var draft = StatementDraft(), end = 0
    private var isAtStart = true

    /// Reads from the beginning of a text.
    package init() {}

    /// The statements of a whole text; the last one needs no semicolon.
    package static func statements(of text: String) -> [Statement] {
        var reader = StatementReader()
        let statements = reader.feed(text)
        return statements + [reader.finish()].compactMap(\.self)
    }

    /// Whether a statement, or a comment, was begun and not ended; `nil` between statements.
    package var open: Open? {
        switch scanner.open {
        case .string: .quote
        case .blockComment: .comment
        case .braces: .braces
        case .word, .number, .sign: .statement
        case .lineComment, nil: draft.isBegun ? .statement : nil
        }
    }

    /// Reads on.
    ///
    /// - Returns: the statements that ended.
    package mutating func feed(_ piece: String) -> [Statement] {
        // A mark of the byte order is no part of the text.
        let isMarked = isAtStart && piece.utf8.starts(with: "\u{FEFF}".utf8)
        isAtStart = isAtStart && piece.isEmpty
        scanner.append(isMarked ? String(decoding: piece.utf8.dropFirst(3), as: UTF8.self) : piece)
        return read()
    }

    /// Ends the text.
    ///
    /// - Returns: the statement that no semicolon ended.
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

    /// Whether it has a word, or something wrong.
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
        // Of a comment the ends of lines stay, and one blank for each other character.
        for byte in bytes where byte & 0xC0 != 0x80 { text.append(byte.isSOQLBlank ? byte : UInt8(ascii: " ")) }
    }

    /// The statement; `nil` when it has no word and nothing is wrong.
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
    /// The distance in UTF-8 bytes of a position in lines and Unicode scalars, both counted from 1.
    ///
    /// The end of the text, and of each line, is a position too.
    package func offset(line: Int, column: Int) -> Int? {
        var cursor = SOQLCursor()
        func isHere(_ position: SOQLPosition) -> Bool { position.line == line && position.column == column }
        for byte in utf8 {
            if isHere(cursor.position), byte & 0xC0 != 0x80 { return cursor.position.offset }
            cursor.pass(byte)
        }
        return isHere(cursor.position) ? cursor.position.offset : nil
    }

    /// The line and the column of the scalar at a distance in UTF-8 bytes.
    package func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var cursor = SOQLCursor()
        for byte in utf8.prefix(offset) { cursor.pass(byte) }
        return (cursor.position.line, cursor.position.column)
    }
}
