// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import soql

@Suite("The history of sessions")
struct SessionHistoryTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "soql-history-\(UUID().uuidString)").path

    private func withFile(_ test: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try test(folder + "/history")
    }

    @Test("entries outlast a session, without doubles, in a file that only this user can read")
    func file() throws {
        try withFile { path in
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
    }

    @Test("a file that others could read is closed to them, a damaged line is left out, a link is not followed")
    func care() throws {
        try withFile { path in
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
    }

    @Test("a long history is cut to its newest entries")
    func cut() throws {
        try withFile { path in
            let lines = (0...(2 * HistoryFile.mostEntries)).map { "\"\($0)\"\n" }.joined()
            try Data(lines.utf8).write(to: URL(filePath: path))
            let entries = HistoryFile(path: path).read()
            #expect(entries.count == HistoryFile.mostEntries)
            #expect(entries.last == "\(2 * HistoryFile.mostEntries)")
            let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
            #expect(kept == HistoryFile.mostEntries)
        }
    }

    @Test("a part of a line, and what is no text, takes no other entry with it")
    func damage() throws {
        try withFile { path in
            try Data(Array("\"one\"\n\"tw".utf8)).write(to: URL(filePath: path))
            HistoryFile(path: path).append("three")
            #expect(HistoryFile(path: path).read() == ["one", "three"])
            try Data(Array("\"one\"\n\"".utf8) + [0xC3]).write(to: URL(filePath: path))
            HistoryFile(path: path).append("three")
            #expect(HistoryFile(path: path).read() == ["one", "three"])
        }
    }

    #if os(Linux)
    @Test("a history is cut from what is in it when the file is locked: entries that came meanwhile stay")
    func cutMeanwhile() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/history"
        let lines = (0...(2 * HistoryFile.mostEntries)).map { "\"\($0)\"\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: path))
        let other = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        flock(other, LOCK_EX)
        async let reading = withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: HistoryFile(path: path).read()) }
        }
        // The reader has read, and waits for the lock.
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
        while try !Self.waiting(for: inode) { await Task.yield() }
        let entry = Array("\"meanwhile\"\n".utf8)
        #expect(unsafe write(other, entry, entry.count) == entry.count)
        close(other)
        #expect(await reading.last == "\(2 * HistoryFile.mostEntries)")
        let kept = HistoryFile(path: path).read()
        #expect(kept.count == HistoryFile.mostEntries && kept.last == "meanwhile")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // A session that waited for the lock of the file that was cut writes to the new one.
        HistoryFile(path: path).append("behind")
        #expect(HistoryFile(path: path).read().suffix(2) == ["meanwhile", "behind"])
    }

    /// Whether a process waits for the lock of a file.
    private static func waiting(for inode: UInt64) throws -> Bool {
        try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
            $0.contains("-> FLOCK") && $0.contains(":\(inode) ")
        }
    }

    @Test("an entry that met a full disk leaves no part of it, and the next one is kept")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
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
        "what may hold a secret is not kept",
        arguments: [
            #"\set token abc"#, #"\set access_token:text x"#, #"\set my_Password x"#, " SELECT Id FROM Account;", "",
            "SELECT Id FROM Account WHERE Name = '00D5g00000AbCdE!AQ4AQ.x';", "-- --token abc", "password=hunter2",
            "// Authorization: Bearer 00Dabc", #"{"client_secret": "x"}"#,
        ])
    func secrets(entry: String) {
        #expect(!HistoryRules.keeps(entry))
    }

    @Test(
        "and what only looks a little like it is",
        arguments: [
            "SELECT Token__c FROM Session__c;", "SELECT Id FROM Account WHERE Name = '00D5g00000AbCdE';",
            "SELECT PasswordExpires__c FROM User WHERE Id = '1';",
        ])
    func harmless(entry: String) {
        #expect(HistoryRules.keeps(entry))
    }
}
