// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import Testing

@testable import soql

@Suite("What is typed in a session")
struct SessionInputTests {
    /// What the lines lead to: `S:text` for a statement, `C:name rest` for a command, with its statement behind `<`.
    private func read(_ lines: String...) -> (actions: [String], entries: [String], isOpen: Bool) {
        var input = SessionInput()
        var (actions, entries) = ([String](), [String]())
        for line in lines {
            let (found, entry) = input.feed(line)
            actions += found.map(Self.text)
            if let entry { entries.append(entry) }
        }
        return (actions, entries, input.isOpen)
    }

    private static func text(_ action: SessionInput.Action) -> String {
        switch action {
        case .statement(let statement): "S:\(statement.text)"
        case .command(let line, let pending): "C:\(line.name) \(line.rest)" + (pending.map { "<\($0.text)" } ?? "")
        }
    }

    @Test("a statement ends with a semicolon, on whatever line")
    func statements() {
        let several = read("SELECT Id", "FROM Account;")
        #expect(several.actions == ["S:SELECT Id\nFROM Account"])
        #expect(several.entries == ["SELECT Id\nFROM Account;"])
        #expect(read("SELECT 1; SELECT 2;").actions == ["S:SELECT 1", "S:SELECT 2"])
        #expect(read("SELECT Id").isOpen)
        #expect(read("SELECT ';' FROM A").isOpen)
    }

    @Test("a command uses up what was begun, or leaves it")
    func pending() {
        #expect(read(#"SELECT Id FROM A \gx"#).actions == ["C:gx <SELECT Id FROM A"])
        #expect(read("SELECT Id", #"\g"#).actions == ["C:g <SELECT Id"])
        let open = read("SELECT Id", #"\timing on"#, "FROM A;")
        #expect(open.actions == ["C:timing on", "S:SELECT Id\nFROM A"])
        #expect(open.entries == [#"\timing on"#, "SELECT Id\nFROM A;"])
        #expect(read("SELECT 1; \\x").actions == ["S:SELECT 1", "C:x "])
    }

    @Test("a backslash in quotes, comments and the braces of a search is no command")
    func noCommand() {
        #expect(read(#"SELECT Id FROM A WHERE B = 'it\'s \d';"#).actions.count == 1)
        #expect(read(#"FIND {a\-b} IN ALL FIELDS;"#).actions.count == 1)
        #expect(read("SELECT /*", #"\d"#, "*/ Id;").actions.count == 1)
    }

    @Test("words of a command may be quoted; a semicolon at the end is dropped")
    func words() {
        #expect(TypedCommand(#"set name 'O\'Brien and Co' "x y""#).words == ["name", "O'Brien and Co", "x y"])
        #expect(TypedCommand("d Account;").words == ["Account"])
        #expect(TypedCommand("set empty ''").words == ["empty", ""])
        #expect(TypedCommand("q").words.isEmpty)
    }

    @Test("every command is told of, and found by its name only")
    func table() throws {
        let names = SessionCommand.all.map(\.name)
        #expect(Set(names).count == names.count)
        for command in SessionCommand.all { #expect(SessionCommand.help.contains("\\\(command.name) ")) }
        #expect(try SessionCommand.find("gx").name == "gx")
        #expect(throws: UsageError.self) { try SessionCommand.find("timming") }
        #expect(SessionCommand.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("patterns of \\dt")
    func patterns() {
        #expect("OpportunityContactRole".fits("*contact*"))
        #expect("Account".fits("a?????t") && "Account".fits("*") && "Account".fits("account"))
        #expect(!"Account".fits("acc") && !"Account".fits("?ccoun"))
        // Stars do not multiply.
        #expect(!String(repeating: "a", count: 200).fits(String(repeating: "*a", count: 100) + "b"))
    }
}
