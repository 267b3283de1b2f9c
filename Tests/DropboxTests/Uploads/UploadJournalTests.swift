// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import Dropbox

@Suite("The journal of an upload")
struct UploadJournalTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("journal")
    }

    private func register(_ journal: UploadJournal, _ id: String, state: String = "1") throws -> JournaledFile {
        try journal.register([(id: id, path: "/tmp/" + id, commit: #"{"path":"/\#(id)"}"#, state: state)])[0]
    }

    @Test("What one process noted, the next one knows")
    func history() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            #expect(try register(journal, "a").session == nil)
            #expect(try register(journal, "b").file.number == 1)
            try journal.add(UploadRecord(sessions: [.init(number: 0, id: "s", isConcurrent: false)]))
            try journal.add(UploadRecord(parts: [.init(number: 0, start: 0, end: 5, isLast: false)]))
            try journal.add(UploadRecord(stored: [.init(number: 1, file: "{}")]))
        }
        let journal = try UploadJournal(path: path)
        let known = try register(journal, "a")
        #expect(known.session?.id == "s")
        #expect(known.parts.map(\.end) == [5])
        #expect(try register(journal, "b").stored == "{}")
        #expect(journal.files.map(\.id) == ["a", "b"])
        // A content that changed begins anew, under a number of its own.
        let changed = try register(journal, "a", state: "2")
        #expect(changed.session == nil)
        #expect(changed.file.number == 2)
    }

    @Test("Two spellings of a name are two files, also after the journal was read again")
    func spellings() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            #expect(try register(journal, "caf\u{E9}").file.number == 0)
            try journal.add(UploadRecord(stored: [.init(number: 0, file: "{}")]))
            #expect(try register(journal, "cafe\u{301}").file.number == 1)
        }
        let journal = try UploadJournal(path: path)
        #expect(try register(journal, "caf\u{E9}").stored == "{}")
        let other = try register(journal, "cafe\u{301}")
        #expect(other.stored == nil && other.file.number == 1)
        #expect(journal.files.map { Array($0.id.utf8) } == ["caf\u{E9}", "cafe\u{301}"].map { Array($0.utf8) })
    }

    @Test("It belongs to one user")
    func owner() throws {
        let journal = try UploadJournal(path: path)
        try journal.claim("dbid:1")
        try journal.claim("dbid:1")
        #expect { try journal.claim("dbid:2") } throws: { ($0 as? RestError)?.code == .journal }
    }

    @Test("It is used once at a time, by this process and by others")
    func uses() throws {
        let journal = try UploadJournal(path: path)
        try journal.begin()
        #expect { try journal.begin() } throws: { ($0 as? RestError)?.code == .journal }
        journal.end()
        try journal.begin()
        #expect { try UploadJournal(path: path) } throws: { error in
            (error as? RestError)?.code == .journal && "\(error)".contains(path)
        }
    }

    @Test("A line that was not finished is as if it had not been begun", arguments: 1...60)
    func torn(_ count: Int) throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
        }
        let whole = try #require(folder.text(of: "journal"))
        try folder.write(String(whole.dropLast(count)), to: "journal")
        try UploadJournal(path: path).claim("dbid:2")
        #expect(folder.text(of: "journal") == whole.replacing("dbid:1", with: "dbid:2"))
    }

    @Test(
        "What is no journal is refused, and left as it is",
        arguments: [
            "a letter to somebody\n", "{}\n", "a letter without an end", "RestSDK upload journal 12\n",
            "RestSDK upload journal 1\n{\"parts\":[{\"number\":3,\"start\":0,\"end\":1,\"isLast\":true}]}\n",
            "RestSDK upload journal 1\n{\"files\":[{\"number\":9,\"id\":\"\",\"commit\":\"\",\"state\":\"\"}]}\n",
            "RestSDK upload journal 1\nxx\n{\"owner\":\"a\"}\n",
        ])
    func foreign(_ text: String) throws {
        try folder.write(text, to: "journal")
        #expect { try UploadJournal(path: path) } throws: { ($0 as? RestError)?.code == .journal }
        #expect(folder.text(of: "journal") == text)
    }

    @Test("A long history is shortened to what counts")
    func shortened() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            _ = try register(journal, "a")
            try journal.add(UploadRecord(sessions: [.init(number: 0, id: "s", isConcurrent: true)]))
            for round in 0..<200 {
                try journal.add(
                    UploadRecord(parts: [.init(number: 0, start: Int64(round), end: Int64(round + 1), isLast: false)]))
                if round < 199 {
                    try journal.add(UploadRecord(sessions: [.init(number: 0, id: "s", isConcurrent: true)]))
                }
            }
        }
        let before = try #require(folder.text(of: "journal"))
        do {
            let known = try register(UploadJournal(path: path), "a")
            #expect(known.parts.map(\.start) == [199])
        }
        #expect(try #require(folder.text(of: "journal")).count < before.count / 10)
        let journal = try UploadJournal(path: path)
        #expect { try journal.claim("dbid:2") } throws: { ($0 as? RestError)?.code == .journal }
    }
}
