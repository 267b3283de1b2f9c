// SPDX-License-Identifier: Apache-2.0

import Foundation
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
