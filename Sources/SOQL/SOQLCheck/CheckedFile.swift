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
/// of them can stand in a query that is right. The text is fed in pieces of any size, such as the lines of a session.
/// A quote ends on the line it begins on, as the language has it; so one that is left open spoils its own statement and
/// none behind it. The braces of a search (`FIND {…}`) hold text as quotes do.
package struct StatementReader: Sendable {
    /// What is open at the end of what was fed.
    package enum Open: Equatable {
        case statement, comment, quote, braces
    }

    private enum Mode: Equatable {
        case plain, lineComment, comment, quote, braces
    }

    private var mode = Mode.plain
    /// Where the quote, the comment or the braces began.
    private var opening = (line: 1, column: 1)
    private var isEscaped = false
    /// A byte that may begin a comment, or end one, and is not decided yet.
    private var pending: UInt8?
    private var line = 1, column = 1
    private var isBehindReturn = false
    private var isAtStart = true

    // The statement under way.
    private var text: [UInt8] = []
    private var written: [UInt8] = []
    private var start: (line: Int, column: Int)?
    private var fault: Statement.Fault?

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
        switch mode {
        case .comment: .comment
        case .quote: .quote
        case .braces: .braces
        case .plain, .lineComment: start == nil && pending == nil ? nil : .statement
        }
    }

    /// Reads on.
    ///
    /// - Returns: the statements that ended.
    package mutating func feed(_ piece: String) -> [Statement] {
        var statements: [Statement] = []
        // A mark of the byte order is no part of the text.
        let hasMark = isAtStart && piece.unicodeScalars.first == "\u{FEFF}"
        isAtStart = isAtStart && piece.isEmpty
        for byte in piece.utf8.dropFirst(hasMark ? 3 : 0) {
            if let statement = step(byte) { statements.append(statement) }
        }
        return statements
    }

    /// Ends the text.
    ///
    /// - Returns: the statement that no semicolon ended.
    package mutating func finish() -> Statement? {
        settle()
        switch mode {
        case .quote: blame("the quote is not closed")
        case .braces: blame("the brace is not closed")
        case .comment: blame("the comment is not closed")
        case .plain, .lineComment: break
        }
        mode = .plain
        return taken()
    }

    /// Forgets the statement under way.
    package mutating func clear() { self = StatementReader() }
}

// MARK: - Reading

extension StatementReader {
    private mutating func step(_ byte: UInt8) -> Statement? {
        switch mode {
        case .plain: return stepPlain(byte)
        case .lineComment, .comment: stepComment(byte)
        case .quote, .braces: stepQuoted(byte)
        }
        return nil
    }

    private mutating func stepPlain(_ byte: UInt8) -> Statement? {
        if let first = pending {
            pending = nil
            switch (first, byte) {
            case (UInt8(ascii: "-"), first), (UInt8(ascii: "/"), first): return begin(.lineComment, first, byte)
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): return begin(.comment, first, byte)
            default: keep(first)
            }
        }
        switch byte {
        case UInt8(ascii: ";"):
            advance(byte)
            return taken()
        case UInt8(ascii: "-"), UInt8(ascii: "/"): pending = byte
        case UInt8(ascii: "'"): open(.quote, byte)
        case UInt8(ascii: "{") where isSearch: open(.braces, byte)
        default: keep(byte)
        }
        return nil
    }

    private mutating func open(_ quoting: Mode, _ byte: UInt8) {
        opening = (line, column)
        keep(byte)
        mode = quoting
    }

    /// Begins a comment with its two bytes.
    private mutating func begin(_ comment: Mode, _ first: UInt8, _ second: UInt8) -> Statement? {
        opening = (line, column)
        mode = comment
        hide(first)
        hide(second)
        return nil
    }

    private mutating func stepComment(_ byte: UInt8) {
        hide(byte)
        if mode == .lineComment {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { mode = .plain }
        } else if pending != nil, byte == UInt8(ascii: "/") {
            (mode, pending) = (.plain, nil)
        } else {
            pending = byte == UInt8(ascii: "*") ? byte : nil
        }
    }

    private mutating func stepQuoted(_ byte: UInt8) {
        if mode == .quote, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            blame("the quote is not closed")
            (mode, isEscaped) = (.plain, false)
        } else if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == (mode == .quote ? UInt8(ascii: "'") : UInt8(ascii: "}")) {
            mode = .plain
        }
        keep(byte)
    }

    /// Whether the statement under way is a search.
    private var isSearch: Bool {
        text.count >= 4 && text.prefix(4).elementsEqual("find".utf8) { $0 | 0x20 == $1 }
    }
}

// MARK: - The statement under way

extension StatementReader {
    /// Takes a byte that may have begun a comment as what it is.
    private mutating func settle() {
        if mode == .plain, let byte = pending { keep(byte) }
        pending = nil
    }

    private mutating func keep(_ byte: UInt8) {
        if start != nil || !byte.isBlank {
            if start == nil { start = (line, column) }
            text.append(byte)
            written.append(byte)
        }
        advance(byte)
    }

    /// Takes a byte of a comment: the end of a line as it is, and one blank for each character else.
    private mutating func hide(_ byte: UInt8) {
        if start != nil {
            written.append(byte)
            if byte.isBlank { text.append(byte) } else if byte & 0xC0 != 0x80 { text.append(UInt8(ascii: " ")) }
        }
        advance(byte)
    }

    private mutating func advance(_ byte: UInt8) {
        let isSecondHalf = isBehindReturn && byte == UInt8(ascii: "\n")
        isBehindReturn = byte == UInt8(ascii: "\r")
        if byte == UInt8(ascii: "\n") || isBehindReturn {
            if !isSecondHalf { line += 1 }
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    private mutating func blame(_ message: String) {
        fault = fault ?? Statement.Fault(message: message, line: opening.line, column: opening.column)
    }

    /// The statement under way, which ends here; `nil` when it has no word and nothing is wrong.
    private mutating func taken() -> Statement? {
        defer { (text, written, start, fault) = ([], [], nil, nil) }
        guard start != nil || fault != nil else { return nil }
        while text.last?.isBlank == true { text.removeLast() }
        while written.last?.isBlank == true { written.removeLast() }
        let (line, column) = start ?? opening
        return Statement(
            text: String(decoding: text, as: UTF8.self),
            written: String(decoding: written, as: UTF8.self), line: line, column: column, fault: fault)
    }
}

extension UInt8 {
    /// Whether it parts words, for the query language.
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension String {
    /// The distance in UTF-8 bytes of a place, counted from 1 in lines and Unicode scalars; `nil` for none in the text.
    ///
    /// The end of the text, and of each line, is a place too.
    package func offset(line: Int, column: Int) -> Int? {
        var here = Place()
        for scalar in unicodeScalars {
            if here.line == line, here.column == column { return here.offset }
            here.pass(scalar)
        }
        return here.line == line && here.column == column ? here.offset : nil
    }

    /// The line and the column of the scalar at a distance in UTF-8 bytes.
    package func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var here = Place()
        for scalar in unicodeScalars {
            guard here.offset < offset else { break }
            here.pass(scalar)
        }
        return (here.line, here.column)
    }
}

/// A place that goes through a text; `\r\n` is one end of a line.
private struct Place {
    var offset = 0, line = 1, column = 1
    private var isBehindReturn = false

    mutating func pass(_ scalar: Unicode.Scalar) {
        offset += UTF8.width(scalar)
        let isSecondHalf = isBehindReturn && scalar == "\n"
        isBehindReturn = scalar == "\r"
        if scalar == "\n" || isBehindReturn {
            if !isSecondHalf { line += 1 }
            column = 1
        } else {
            column += 1
        }
    }
}
