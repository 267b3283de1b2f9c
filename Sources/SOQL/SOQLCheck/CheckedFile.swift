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
    package enum Open: Equatable, Sendable {
        case statement, comment, quote, braces
    }

    /// Whether a statement, or a comment, was begun and not ended; `nil` between statements.
    package private(set) var open: Open?
    /// The statement that was begun.
    private var draft = StatementDraft(place: TextPlace())
    /// What was fed and cannot be divided before more comes: a comment without its end, or what may begin one.
    private var bytes: [UInt8] = []
    /// How many of them are known not to end it, so that a long comment in many pieces is read once.
    private var searched = 0

    /// Reads from the beginning of a text.
    package init() {}

    /// The statements of a whole text; the last one needs no semicolon.
    package static func statements(of text: String) -> [Statement] {
        var reader = StatementReader()
        let statements = reader.feed(text)
        return statements + [reader.finish()].compactMap(\.self)
    }

    /// Reads on.
    ///
    /// - Returns: the statements that ended.
    package mutating func feed(_ piece: String) -> [Statement] {
        bytes += piece.utf8
        // A mark of the byte order is no part of the text.
        if draft.place.offset == 0, bytes.starts(with: "\u{FEFF}".utf8) { bytes.removeFirst(3) }
        return read(isWhole: false)
    }

    /// Ends the text.
    ///
    /// - Returns: the statement that no semicolon ended.
    package mutating func finish() -> Statement? {
        _ = read(isWhole: true)
        switch open {
        case .quote: draft.blame("the quote is not closed")
        case .braces: draft.blame("the brace is not closed")
        case .comment: draft.blame("the comment is not closed")
        case .statement, nil: break
        }
        defer { (draft, open) = (StatementDraft(place: draft.place), nil) }
        return draft.statement
    }

    private mutating func read(isWhole: Bool) -> [Statement] {
        var (statements, at) = ([Statement](), 0)
        open = nil
        while at < bytes.count {
            var (end, kind) = piece(at, searched: at == 0 ? searched : 0)
            if case .open(let what) = kind { open = what }
            if end == bytes.count, !isWhole {
                // What has no end stays, and what a comment may begin with.
                if open != nil || isLineComment(at) { break }
                if kind == .text, "-/".utf8.contains(bytes[end - 1]) { end -= 1 }
                guard end > at else { break }
            }
            draft.take(bytes[at..<end], kind)
            at = end
            guard kind == .end else { continue }
            if let statement = draft.statement { statements.append(statement) }
            draft = StatementDraft(place: draft.place)
        }
        bytes.removeFirst(at)
        searched = bytes.last == UInt8(ascii: "\\") ? 0 : bytes.count
        if draft.isBegun || bytes.count == 1 { open = open ?? .statement }
        return statements
    }

    private func isLineComment(_ start: Int) -> Bool {
        bytes[start...].starts(with: "--".utf8) || bytes[start...].starts(with: "//".utf8)
    }

    /// The end of the quote, the comment, the braces or the plain text at an offset.
    private func piece(_ start: Int, searched: Int) -> (end: Int, StatementDraft.Kind) {
        if bytes[start] == UInt8(ascii: ";") { return (start + 1, .end) }
        if bytes[start] == UInt8(ascii: "{"), draft.isSearch {
            let end = Self.quoteEnd(bytes, max(start + 1, searched)) { $0 == UInt8(ascii: "}") }
            return end.map { ($0 + 1, .text) } ?? (bytes.count, .open(.braces))
        }
        guard let (end, isComment, isClosed) = Self.skip(bytes, start, searched: searched) else {
            let end = bytes[start...].dropFirst().firstIndex { ";'{-/".utf8.contains($0) }
            return (end ?? bytes.count, .text)
        }
        if isClosed { return (end, isComment ? .comment : .text) }
        return (end, end < bytes.count ? .brokenQuote : .open(isComment ? .comment : .quote))
    }

    /// The end of the quote or the comment at an offset; `nil` for anything else.
    ///
    /// A quote that is not closed ends before the end of its line. Before the offset `searched` no comment ends.
    package static func skip(
        _ bytes: [UInt8], _ start: Int, searched: Int = 0
    ) -> (end: Int, isComment: Bool, isClosed: Bool)? {
        let rest = bytes[start...]
        if bytes[start] == UInt8(ascii: "'") {
            guard let end = quoteEnd(bytes, start + 1, { $0 == UInt8(ascii: "'") || $0.isLineEnd }) else {
                return (bytes.count, false, false)
            }
            return bytes[end].isLineEnd ? (end, false, false) : (end + 1, false, true)
        }
        if rest.starts(with: "--".utf8) || rest.starts(with: "//".utf8) {
            return (rest.firstIndex(where: \.isLineEnd) ?? bytes.count, true, true)
        }
        guard rest.starts(with: "/*".utf8) else { return nil }
        var end = max(start + 2, searched - 1)
        while end + 1 < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
        return end + 1 < bytes.count ? (end + 2, true, true) : (bytes.count, true, false)
    }

    /// The offset of the first byte that ends a quote; a backslash keeps the byte behind it from doing so.
    private static func quoteEnd(_ bytes: [UInt8], _ start: Int, _ isEnd: (UInt8) -> Bool) -> Int? {
        var at = start
        while at < bytes.count, !isEnd(bytes[at]) {
            at += bytes[at] == UInt8(ascii: "\\") && at + 1 < bytes.count && !bytes[at + 1].isLineEnd ? 2 : 1
        }
        return at < bytes.count ? at : nil
    }
}

/// A statement while it is being read.
private struct StatementDraft {
    enum Kind: Equatable {
        case text, comment, end
        /// A quote that the end of its line has cut off.
        case brokenQuote
        /// Something whose end has not come yet.
        case open(StatementReader.Open)
    }

    private(set) var place: TextPlace
    private(set) var start: TextPlace?
    private(set) var fault: Statement.Fault?
    private var text: [UInt8] = []
    private var written: [UInt8] = []
    /// Where the last piece begins.
    private var opening = TextPlace()

    init(place: TextPlace) { self.place = place }

    /// Whether it has a word, or something wrong.
    var isBegun: Bool { start != nil || fault != nil }

    /// Whether the statement is a search.
    var isSearch: Bool { text.count >= 4 && text.prefix(4).elementsEqual("find".utf8) { $0 | 0x20 == $1 } }

    mutating func take(_ piece: ArraySlice<UInt8>, _ kind: Kind) {
        let isComment = kind == .comment || kind == .open(.comment)
        opening = place
        for byte in piece {
            if start == nil, !isComment, kind != .end, !byte.isBlank { start = place }
            if start != nil, kind != .end {
                written.append(byte)
                // Of a comment the ends of lines stay, and one blank for each other character.
                if !isComment || byte.isBlank {
                    text.append(byte)
                } else if byte & 0xC0 != 0x80 {
                    text.append(UInt8(ascii: " "))
                }
            }
            place.pass(byte)
        }
        if kind == .brokenQuote { blame("the quote is not closed") }
    }

    /// Notes that the last piece is at fault.
    mutating func blame(_ message: String) {
        fault = fault ?? Statement.Fault(message: message, line: opening.line, column: opening.column)
    }

    /// The statement; `nil` when it has no word and nothing is wrong.
    var statement: Statement? {
        guard isBegun else { return nil }
        let begin = start ?? opening
        return Statement(
            text: Self.trimmed(text), written: Self.trimmed(written), line: begin.line, column: begin.column,
            fault: fault)
    }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        String(decoding: bytes[..<(bytes.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether it parts words, for the query language.
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension String {
    /// The distance in UTF-8 bytes of a place, counted from 1 in lines and Unicode scalars; `nil` for none in the text.
    ///
    /// The end of the text, and of each line, is a place too.
    package func offset(line: Int, column: Int) -> Int? {
        var here = TextPlace()
        for byte in utf8 {
            if here.line == line, here.column == column, byte & 0xC0 != 0x80 { return here.offset }
            here.pass(byte)
        }
        return here.line == line && here.column == column ? here.offset : nil
    }

    /// The line and the column of the scalar at a distance in UTF-8 bytes.
    package func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var here = TextPlace()
        for byte in utf8.prefix(offset) { here.pass(byte) }
        return (here.line, here.column)
    }
}

/// A place that goes through a text; `\r\n` is one end of a line.
private struct TextPlace: Sendable {
    private(set) var offset = 0, line = 1, column = 1
    private var isBehindReturn = false

    mutating func pass(_ byte: UInt8) {
        offset += 1
        let isSecondHalf = isBehindReturn && byte == UInt8(ascii: "\n")
        isBehindReturn = byte == UInt8(ascii: "\r")
        if byte.isLineEnd {
            if !isSecondHalf { line += 1 }
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
}
