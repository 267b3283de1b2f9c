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
                            from: prompt.columnWidth, cursor: before.columnWidth, columns: columns)
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
        for (line, columns) in [("SELECT\u{7}", 80), ("SELECT\nId", 80), (" , ", 80), ("", 80), ("SELECT 漢字", 10)] {
            let colored = ColoredLine(line, after: "", cursor: 0, schema: schema)
            #expect(colored.drawing(from: 4, cursor: 0, columns: columns) == nil, "\(line)")
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

    @Test("without colors, a session writes no colors")
    func plain() async throws {
        let start = try await SessionStart()
        let session = try start.session()
        try session.type("SELECT Name FROM Account LIMIT 3;\n", until: "3 records")
        #expect(start.leave(session) && !session.text.contains("\u{1B}[0;"))
    }
}
