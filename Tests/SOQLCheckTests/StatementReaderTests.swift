// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import Testing

@Suite("Splitting a text into statements")
struct StatementReaderTests {
    private func texts(_ text: String) -> [String] { StatementReader.statements(of: text).map(\.text) }

    @Test("a semicolon ends a statement, and is optional after the last one")
    func division() {
        #expect(texts("SELECT Id FROM A; SELECT Id FROM B") == ["SELECT Id FROM A", "SELECT Id FROM B"])
        #expect(texts("a;") == ["a"])
        #expect(texts(";; a ;;\n;b") == ["a", "b"])
        #expect(texts("").isEmpty && texts(" \r\n;").isEmpty)
    }

    @Test("quoted text is not split")
    func quotes() {
        for query in [#"A = 'x;y'"#, #"A = 'it\'s; -- no'"#, #"A = '\\' AND B = ';'"#, "A = '/* ;'", "A = '//x;'"] {
            #expect(texts(query + ";b") == [query, "b"])
        }
    }

    @Test("the braces of a search contain text, and other braces do not")
    func braces() {
        #expect(texts(#"FIND {a;b -- \} 'c} IN ALL FIELDS; x"#) == [#"FIND {a;b -- \} 'c} IN ALL FIELDS"#, "x"])
        #expect(texts("SELECT {a;b") == ["SELECT {a", "b"])
    }

    @Test("comments become spaces, so that every word keeps its position")
    func comments() {
        #expect(texts("-- one\nSELECT Id -- two;\n FROM A // 'three\n;") == ["SELECT Id        \n FROM A"])
        #expect(texts("SELECT/* ü; \n 'x */Id") == ["SELECT      \n      Id"])
        #expect(texts("a /**/ b /***/ c /* / */ d") == ["a      b       c         d"])
        #expect(texts("a - b / c -1 /") == ["a - b / c -1 /"])
        #expect(texts("-- only\n/* comments */").isEmpty)
    }

    @Test("a statement has its position in the file, with any line ends, with or without a byte-order mark")
    func places() {
        for end in ["\n", "\r\n", "\r"] {
            let statements = StatementReader.statements(of: "\u{FEFF}a;\(end)-- x\(end)  SELECT Id\(end) FROM B;")
            #expect(statements.map(\.line) == [1, 3])
            #expect(statements.map(\.column) == [1, 3])
            #expect(statements.last?.place(line: 1, column: 8).column == 10)
            let second = statements.last?.place(line: 2, column: 2)
            #expect(second?.line == 4 && second?.column == 2)
        }
    }

    @Test("an open quote affects only its own statement, and is reported")
    func openQuote() {
        let statements = StatementReader.statements(of: "a;\nb = 'x\nAND c; d")
        #expect(statements.map(\.text) == ["a", "b = 'x\nAND c", "d"])
        #expect(statements.map(\.fault?.message) == [nil, "the quote is not closed", nil])
        #expect(statements[1].fault?.line == 2 && statements[1].fault?.column == 5)
        #expect(StatementReader.statements(of: "x /* y")[0].fault?.message == "the comment is not closed")
        #expect(StatementReader.statements(of: "/* y")[0].fault?.column == 1)
        #expect(StatementReader.statements(of: "x '")[0].fault?.column == 3)
    }

    @Test("reading line by line gives the same statements, and an open statement is reported")
    func lines() {
        let text = "SELECT Id -- a\nFROM A /* b\n */ ; FIND {x\n;}; b = 'c\\\n;"
        var reader = StatementReader()
        var (statements, open) = ([Statement](), [StatementReader.Open?]())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            statements += reader.feed(line + "\n")
            open.append(reader.open)
        }
        #expect(open == [.statement, .comment, .braces, .statement, nil])
        #expect(statements == StatementReader.statements(of: text))
        for scalar in text.unicodeScalars { statements += reader.feed(String(scalar)) }
        #expect(statements.count == 6)
        #expect(reader.open == nil && reader.finish() == nil)
    }

    @Test("a long statement or comment is read only once if it arrives line by line", .timeLimit(.minutes(1)))
    func cost() {
        for begin in ["SELECT Id", "/* SELECT", "FIND {Id"] {
            var reader = StatementReader()
            var ended = reader.feed(begin + "\n").count
            for _ in 0..<40_000 { ended += reader.feed("AND more - or less\n").count }
            #expect(ended == 0 && reader.open != nil && reader.finish() != nil)
        }
    }
}
