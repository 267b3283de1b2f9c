// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import SOQLCheck
import TestSupport
import Testing

@testable import SoqlCommand

@Suite("Input of a session")
struct SessionInputTests {
    /// Returns the actions of lines: `S:text` for a statement, and `C:name rest` for a command, with its statement
    /// after `<`.
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

    @Test("a statement ends with a semicolon on any line")
    func statements() {
        let several = read("SELECT Id", "FROM Account;")
        #expect(several.actions == ["S:SELECT Id\nFROM Account"])
        #expect(several.entries == ["SELECT Id\nFROM Account;"])
        #expect(read("SELECT 1; SELECT 2;").actions == ["S:SELECT 1", "S:SELECT 2"])
        #expect(read("SELECT Id").isOpen)
        #expect(read("SELECT ';' FROM A").isOpen)
    }

    @Test("a command uses the unfinished statement, or leaves it")
    func pending() {
        #expect(read(#"SELECT Id FROM A \gx"#).actions == ["C:gx <SELECT Id FROM A"])
        #expect(read("SELECT Id", #"\g"#).actions == ["C:g <SELECT Id"])
        let open = read("SELECT Id", #"\timing on"#, "FROM A;")
        #expect(open.actions == ["C:timing on", "S:SELECT Id\nFROM A"])
        #expect(open.entries == [#"\timing on"#, "SELECT Id\nFROM A;"])
        #expect(read("SELECT 1; \\x").actions == ["S:SELECT 1", "C:x "])
    }

    @Test("a backslash in quotes, comments and the braces of a search is not a command")
    func noCommand() {
        #expect(read(#"SELECT Id FROM A WHERE B = 'it\'s \d';"#).actions.count == 1)
        #expect(read(#"FIND {a\-b} IN ALL FIELDS;"#).actions.count == 1)
        #expect(read("SELECT /*", #"\d"#, "*/ Id;").actions.count == 1)
    }

    @Test("words of a command can be quoted, and a final semicolon is dropped")
    func words() {
        #expect(TypedCommand(#"set name 'O\'Brien and Co' "x y""#).words == ["name", "O'Brien and Co", "x y"])
        #expect(TypedCommand("d Account;").words == ["Account"])
        #expect(TypedCommand("set empty ''").words == ["empty", ""])
        #expect(TypedCommand("q").words.isEmpty)
    }

    @Test("every command is in the help, and is found only by its name")
    func table() throws {
        let names = SessionCommand.all.map(\.name)
        #expect(Set(names).count == names.count)
        for command in SessionCommand.all { #expect(SessionCommand.help.contains("\\\(command.name) ")) }
        #expect(try SessionCommand.find("gx").name == "gx")
        #expect(throws: UsageError.self) { try SessionCommand.find("timming") }
        #expect(SessionCommand.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("\\dt supports wildcard patterns")
    func patterns() {
        #expect("OpportunityContactRole".fits("*contact*"))
        #expect("Account".fits("a?????t") && "Account".fits("*") && "Account".fits("account"))
        #expect(!"Account".fits("acc") && !"Account".fits("?ccoun"))
        // The cost is not exponential in the number of stars.
        #expect(!String(repeating: "a", count: 200).fits(String(repeating: "*a", count: 100) + "b"))
    }
}

@Suite("The session history")
struct SessionHistoryTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path("history") }

    init() throws { folder = try TemporaryDirectory() }

    @Test("entries outlast a session, without duplicates, in a file that only this user can read")
    func file() throws {
        var history = SessionHistory(file: HistoryFile(path: path))
        #expect(history.add("SELECT Id\nFROM Account;") == false)
        #expect(history.add("\\d") == false)
        #expect(history.add("\\d") == nil)
        #expect(history.add("SELECT Id\nFROM Account;") == true)
        #expect(history.entries == ["\\d", "SELECT Id\nFROM Account;"])
        #expect(SessionHistory(file: HistoryFile(path: path)).entries == history.entries)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test("a file that others can read is made private, a damaged line is skipped, and a symbolic link is not followed")
    func care() throws {
        try Data("\"one\"\nbroken\n\"two\"\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        var history = SessionHistory(file: HistoryFile(path: path))
        #expect(history.entries == ["one", "two"])
        _ = history.add("three")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        let target = path + "-target"
        try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: target)
        HistoryFile(path: path + "-link").append("x")
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("a long history is truncated to its latest entries")
    func cut() throws {
        let lines = (0...(2 * HistoryFile.mostEntries)).map { "\"\($0)\"\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: path))
        let entries = HistoryFile(path: path).read()
        #expect(entries.count == HistoryFile.mostEntries)
        #expect(entries.last == "\(2 * HistoryFile.mostEntries)")
        let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
        #expect(kept == HistoryFile.mostEntries)
    }

    @Test("an incomplete line or invalid UTF-8 does not affect other entries")
    func damage() throws {
        try Data(Array("\"one\"\n\"tw".utf8)).write(to: URL(filePath: path))
        HistoryFile(path: path).append("three")
        #expect(HistoryFile(path: path).read() == ["one", "three"])
        try Data(Array("\"one\"\n\"".utf8) + [0xC3]).write(to: URL(filePath: path))
        HistoryFile(path: path).append("three")
        #expect(HistoryFile(path: path).read() == ["one", "three"])
    }

    #if os(Linux)
    @Test("truncation keeps entries that were added before the file was locked")
    func cutMeanwhile() async throws {
        let lines = (0...(2 * HistoryFile.mostEntries)).map { "\"\($0)\"\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: path))
        let other = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        flock(other, LOCK_EX)
        async let reading = withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: HistoryFile(path: path).read()) }
        }
        // The other process has read the file and waits for the lock.
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
        while try !Self.waiting(for: inode) { await Task.yield() }
        let entry = Array("\"meanwhile\"\n".utf8)
        #expect(unsafe write(other, entry, entry.count) == entry.count)
        close(other)
        #expect(await reading.last == "\(2 * HistoryFile.mostEntries)")
        let kept = HistoryFile(path: path).read()
        #expect(kept.count == HistoryFile.mostEntries && kept.last == "meanwhile")
        #expect(folder.names == ["history"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // A session that waited for the lock of the old file writes to the new file.
        HistoryFile(path: path).append("behind")
        #expect(HistoryFile(path: path).read().suffix(2) == ["meanwhile", "behind"])
    }

    private static func waiting(for inode: UInt64) throws -> Bool {
        try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
            $0.contains("-> FLOCK") && $0.contains(":\(inode) ")
        }
    }

    @Test("after a full disk the history has no partial entry, and the next entry is stored")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            let history = HistoryFile(path: folder.path("history"))
            history.append("one")
            await FullDisk.during(after: 8) { history.append("two") }
            guard folder.text(of: "history") == "\"one\"\n" else { exit(2) }
            history.append("three")
            guard history.read() == ["one", "three"] else { exit(3) }
        }
    }
    #endif

    @Test(
        "entries that may contain a secret are not stored",
        arguments: [
            #"\set token abc"#, #"\set access_token:text x"#, #"\set my_Password x"#, " SELECT Id FROM Account;", "",
            "SELECT Id FROM Account WHERE Name = '00D5g00000AbCdE!AQ4AQ.x';", "-- --token abc", "password=hunter2",
            "// Authorization: Bearer 00Dabc", #"{"client_secret": "x"}"#,
        ])
    func secrets(entry: String) {
        #expect(!HistoryRules.keeps(entry))
    }

    @Test(
        "entries that only resemble secrets are stored",
        arguments: [
            "SELECT Token__c FROM Session__c;", "SELECT Id FROM Account WHERE Name = '00D5g00000AbCdE';",
            "SELECT PasswordExpires__c FROM User WHERE Id = '1';",
        ])
    func harmless(entry: String) {
        #expect(HistoryRules.keeps(entry))
    }
}
