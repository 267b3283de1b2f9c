// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import RestTransport
import SOQLCheck
import Terminals
import Testing

@testable import SoqlCommand

@Suite("Colors of a typed line", .timeLimit(.minutes(2)))
struct ColorTests {
    /// Accounts with a few fields, and contacts.
    private static func schema() throws -> CompletionSchema {
        let text = #"""
            [{"name":"Account","queryable":true,"fields":[
            {"name":"Id","type":"id","filterable":true,"sortable":true,"groupable":true},
            {"name":"Name","type":"string","filterable":true,"sortable":true,"groupable":true},
            {"name":"OwnerId","type":"reference","referenceTo":["User"],"relationshipName":"Owner","filterable":true}],
            "childRelationships":[{"childSObject":"Contact","field":"AccountId","relationshipName":"Contacts"}]},
            {"name":"User","queryable":true,"fields":[{"name":"Alias","type":"string","filterable":true}]},
            {"name":"Contact","queryable":true,"fields":[
            {"name":"AccountId","type":"reference","referenceTo":["Account"],"relationshipName":"Account"},
            {"name":"Email","type":"email"}]}]
            """#
        return CompletionSchema(try QuerySchema(json: Array(text.utf8)))
    }

    /// The words of a statement with the initials of their kinds.
    private static func marked(_ text: String, cursor: Int = -1) throws -> String {
        QueryHighlight(try schema()).parts(of: text, cursor: cursor).ranges.map { range, kind in
            "\(kind)".prefix(1) + ":" + String(decoding: Array(text.utf8)[range], as: UTF8.self)
        }.joined(separator: " ")
    }

    @Test("keywords, names, functions, values and comments have kinds, also before the query is complete")
    func kinds() throws {
        #expect(
            try Self.marked("SELECT Name, COUNT(Id) FROM Account WHERE Name LIKE 'a\\'%' AND Id = NULL LIMIT 5 -- x")
                == "k:SELECT n:Name f:COUNT n:Id k:FROM n:Account k:WHERE n:Name k:LIKE l:'a\\'%' k:AND n:Id l:NULL "
                + "k:LIMIT l:5 c:-- x")
        #expect(try Self.marked("select owner.alias, Owner.Alia fr") == "k:select")
        #expect(
            try Self.marked("select owner.alias, Owner.Alia from account")
                == "k:select n:owner.alias u:Owner.Alia k:from n:account")
        #expect(
            try Self.marked("SELECT Id, (SELECT Email, Nam FROM Contacts) FROM Account ORDER BY Name DESC NULLS LAST")
                == "k:SELECT n:Id k:SELECT n:Email u:Nam k:FROM n:Contacts k:FROM n:Account k:ORDER k:BY n:Name k:DESC "
                + "k:NULLS k:LAST")
        #expect(try Self.marked("SELECT Id FROM Acount") == "k:SELECT k:FROM u:Acount")
        #expect(try Self.marked("") == "" && Self.marked("  ,;") == "")
        // What is being typed is not yet wrong.
        let text = "SELECT Nam FROM Account"
        #expect(try Self.marked(text, cursor: 10) == "k:SELECT k:FROM n:Account")
        #expect(try Self.marked(text, cursor: 9) == "k:SELECT u:Nam k:FROM n:Account")
        // Without descriptions, no name is judged.
        let unknown = QueryHighlight(CompletionSchema()).parts(of: text, cursor: -1)
        #expect(unknown.ranges.map(\.kind) == [.keyword, .keyword])
        #expect(unknown.missing.map { $0.lowercased() } == ["account"])
    }

    @Test(
        "the colored line covers exactly the plain line, and the cursor stays, at every width and position",
        arguments: ["SELECT Name FROM Account WHERE Id = 'x'", "SELECT Name FROM Account -- 漢字", "5", "'é\u{301}' 12"])
    func drawing(line: String) throws {
        let schema = try Self.schema()
        var drawn = 0
        for columns in 2...50 {
            for prompt in ["", "org=> ", String(repeating: "p", count: 30)] {
                for index in Array(line.indices) + [line.endIndex] {
                    let before = String(line[..<index])
                    let colored = ColoredLine(line, after: "", cursor: before.utf8.count, schema: schema)
                    guard
                        let drawing = colored.drawing(
                            from: prompt.columnWidth, before: before, columns: columns)
                    else { continue }
                    drawn += 1
                    // libedit leaves the cursor on the next row after a full one.
                    let place = prompt.columnWidth + before.columnWidth
                    let total = prompt.columnWidth + line.columnWidth
                    let up = total / columns - place / columns
                    let plain =
                        prompt + line + (total % columns == 0 ? "\n" : "") + "\r"
                        + (up > 0 ? "\u{1B}[\(up)A" : "") + (place % columns > 0 ? "\u{1B}[\(place % columns)C" : "")
                    let (old, new) = (
                        ScreenModel(plain, columns: columns), ScreenModel(plain + drawing, columns: columns)
                    )
                    #expect(old.lines == new.lines && old.cursor == new.cursor, "\(columns) \(prompt) \(before)")
                }
            }
        }
        #expect(drawn > 100)
    }

    @Test("a line with control characters, without kinds, or with wide characters at the edge is left as it is")
    func undrawn() throws {
        let schema = try Self.schema()
        for (line, columns) in [("SELECT\u{7}", 80), ("SELECT\n漢字", 4), (" , ", 80), ("", 80), ("SELECT 漢字", 10)] {
            let colored = ColoredLine(line, after: "", cursor: 0, schema: schema)
            #expect(colored.drawing(from: 4, before: "", columns: columns) == nil, "\(line)")
        }
    }

    @Test("a session colors what is typed, and underlines a name that the object does not have")
    func session() async throws {
        let start = try await SessionStart()
        let session = try start.session("--color", "always")
        // Descriptions arrive in the background, so the keys are repeated.
        try session.press(
            "SELECT Nam FROM Account \u{1}\u{5}", until: "\u{1B}[0;4;31mNam\u{1B}[0m", clearingWith: "\u{3}")
        #expect(session.text.contains("\u{1B}[0;1;34mSELECT\u{1B}[0m"))
        try session.type("\u{3}SELECT Name\n", until: "-> ")
        // A later line knows what the earlier ones have.
        try session.type("FROM Account LIMIT 3;", until: "\u{1B}[0;36mAccount\u{1B}[0m")
        try session.type("\n", until: "3 records")
        #expect(start.leave(session), "\(session.text)")
    }

    @Test(
        "the first error is shown below the line and erased without a trace, at every width and position",
        arguments: [
            "SELECT Nme FROM Account WHERE Id = 'x';", "SELECT Id\nFROM Account\nWHERE Nme = 'y'  ",
            "SELECT Id FRM Account;",
        ])
    func fault(line: String) throws {
        let schema = try Self.schema()
        var drawn = 0
        for columns in 7...60 {
            for index in Array(line.indices) + [line.endIndex] {
                let before = String(line[..<index])
                let colored = ColoredLine(line, after: "", cursor: before.utf8.count, schema: schema)
                guard let fault = colored.faultDrawing(from: 6, before: before, columns: columns) else { continue }
                let typed = { (text: String) in "org=> " + text.replacing("\n", with: "\r\n") }
                let place = ScreenModel(typed(before), columns: columns).cursor
                let end = ScreenModel(typed(line), columns: columns).cursor
                // libedit leaves the cursor on the next row after a full one, and the model does not.
                guard place[1] < columns, end[1] < columns else { continue }
                let up = end[0] > place[0] ? "\u{1B}[\(end[0] - place[0])A" : ""
                let right = place[1] > 0 ? "\u{1B}[\(place[1])C" : ""
                let plain = typed(line) + "\r" + up + right
                let start = ScreenModel(plain, columns: columns)
                let shown = ScreenModel(plain + fault.shown, columns: columns)
                #expect(Array(shown.lines.prefix(start.lines.count)) == start.lines && shown.cursor == start.cursor)
                #expect(shown.lines.count > start.lines.count)
                let erased = ScreenModel(plain + fault.shown + fault.erased, columns: columns)
                #expect(erased.lines == start.lines && erased.cursor == start.cursor, "\(columns) \(before)")
                drawn += 1
            }
        }
        #expect(drawn > 100)
    }

    @Test("an error has a caret in its row, its line if it is above, and none where the cursor is")
    func faultText() throws {
        let schema = try Self.schema()
        func rows(_ line: String, after earlier: String = "", cursor: Int? = nil, columns: Int = 120) -> [String] {
            let colored = ColoredLine(line, after: earlier, cursor: cursor ?? line.utf8.count, schema: schema)
            let fault = colored.faultDrawing(from: 6, before: line, columns: columns)
            return ScreenModel(fault?.shown ?? "", columns: columns).lines.filter { !$0.isEmpty }
        }
        let message = "^~~ No such column 'Nme' on entity 'Account'. did you mean 'Name'?"
        #expect(rows("SELECT Nme FROM Account;") == ["             " + message])
        #expect(rows("SELECT Nme FROM Account;", columns: 40).map(\.columnWidth) == [16, 39])
        #expect(rows("FROM Account;", after: "SELECT Nme\n")[0].hasPrefix("line 1: No such column 'Nme'"))
        #expect(
            rows("WHERE Nme = 'x' ", after: "SELECT Id FROM Account\n")[0].hasPrefix("            ^~~ No such column"))
        // Incomplete queries, the name at the cursor, other statements, and objects without a description.
        for line in [
            "SELECT Nme", "SELECT Id FROM Account WHERE", "", "FIND {x}", "\\d Nme", "SELECT Id FROM Account;",
        ] {
            #expect(rows(line).isEmpty, "\(line)")
        }
        #expect(
            rows("SELECT Nme FROM Account", cursor: 10).isEmpty
                && !rows("SELECT Nme FROM Account", cursor: 7 + 5).isEmpty)
        #expect(rows("SELECT Id FRM Account;").count == 1 && rows("SELECT Id FROM Acount;").count == 1)
        let line = "SELECT Nme FROM Account;"
        let unknown = ColoredLine(line, after: "", cursor: 0, schema: CompletionSchema())
        #expect(unknown.faultDrawing(from: 6, before: line, columns: 80) == nil)
    }

    @Test("a session shows the first error below the line before Return, and no trace of it later")
    func sessionFault() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.press("SELECT Nme FROM Account;\u{1}\u{5}", until: "did you mean 'Name'?", clearingWith: "\u{3}")
        let shown = ScreenModel(session.text, columns: 80).lines.suffix(2)
        let caret = String(repeating: " ", count: "127.0.0.1=> SELECT ".count) + "^~~"
        #expect(Array(shown) == [caret, "No such column 'Nme' on entity 'Account'. did you mean 'Name'?"])
        // Moves before the error, and completes the name.
        session.type("\u{1}" + String(repeating: "\u{6}", count: 8) + "a")
        try session.type("\n", until: "60 records")
        let after = ScreenModel(session.text, columns: 80).lines
        #expect(!after.contains { $0.contains("No such column") || $0.contains("^~~") }, "\(after)")
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("the arrow keys move between the lines of a text, and in the history from its first and last line")
    func lines() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("\\timing off\n", until: "timing is off")
        // Two lines by Alt-Return, then up to the end of the shorter line.
        try session.wait { $0.hasSuffix("=> ") }
        session.type("SELECT Id\u{1B}\rFROM Account LIMIT 3;\u{1B}[A, Name\n")
        try session.wait(for: "3 records")
        #expect(session.text.contains(" Id                 │ Name"), "\(session.text)")
        // The whole statement comes back, and the history goes on from its first line.
        try session.wait { $0.hasSuffix("=> ") }
        session.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[B")
        try session.type("\u{5}\u{8}\u{8}2;\n", until: "2 records")
        #expect(start.leave(session), "\(session.text)")
    }

    @Test("without colors, a session writes no colors")
    func plain() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("SELECT Name FROM Account LIMIT 3;\n", until: "3 records")
        #expect(start.leave(session) && !session.text.contains("\u{1B}[0;"))
    }
}
