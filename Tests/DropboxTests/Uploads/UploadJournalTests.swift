// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
import RestTransport
import Testing

@testable import Dropbox

@Suite("The journal of an upload")
struct UploadJournalTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("journal")
    }

    private func register(_ journal: UploadJournal, _ id: String, state: String = "1") throws -> JournaledFile {
        try journal.register([(id: id, path: "/tmp/" + id, commit: #"{"path":"/\#(id)"}"#, state: state)])[0]
    }

    @Test("a process reads what an earlier process recorded")
    func history() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            #expect(try register(journal, "a").session == nil)
            #expect(try register(journal, "b").file.number == 1)
            try journal.lines.add(.sessions([.init(number: 0, id: "s", isConcurrent: false)]))
            try journal.lines.add(.parts([.init(number: 0, start: 0, end: 5, isLast: false)]))
            try journal.lines.add(.stored([.init(number: 1, file: "{}")]))
        }
        let journal = try UploadJournal(path: path)
        let known = try register(journal, "a")
        #expect(known.session?.id == "s")
        #expect(known.parts.map(\.end) == [5])
        #expect(try register(journal, "b").stored == "{}")
        #expect(journal.files.map(\.id) == ["a", "b"])
        // A file with changed content starts again, with a new number.
        let changed = try register(journal, "a", state: "2")
        #expect(changed.session == nil)
        #expect(changed.file.number == 2)
    }

    @Test("two encodings of a name are two files, also after the journal was read again")
    func spellings() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            #expect(try register(journal, "caf\u{E9}").file.number == 0)
            try journal.lines.add(.stored([.init(number: 0, file: "{}")]))
            #expect(try register(journal, "cafe\u{301}").file.number == 1)
        }
        let journal = try UploadJournal(path: path)
        #expect(try register(journal, "caf\u{E9}").stored == "{}")
        let other = try register(journal, "cafe\u{301}")
        #expect(other.stored == nil && other.file.number == 1)
        #expect(journal.files.map { Array($0.id.utf8) } == ["caf\u{E9}", "cafe\u{301}"].map { Array($0.utf8) })
    }

    @Test("a journal belongs to one user")
    func owner() throws {
        let journal = try UploadJournal(path: path)
        try journal.claim("dbid:1")
        try journal.claim("dbid:1")
        #expect { try journal.claim("dbid:2") } throws: { ($0 as? RestError)?.code == .journal }
    }

    @Test("only one upload at a time can use a journal, in this process or in others")
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

    @Test("an incomplete line is ignored", arguments: 1...60)
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
        "a file that is not a journal is rejected, and not changed",
        arguments: [
            "a letter to somebody\n", "{}\n", "a letter without an end", "RestSDK upload journal 12\n",
            "RestSDK upload journal 2\n{\"parts\":{\"_0\":[{\"number\":3,\"start\":0,\"end\":1,\"isLast\":true}]}}\n",
            "RestSDK upload journal 2\n{\"files\":{\"_0\":[{\"number\":9,\"id\":\"\",\"commit\":\"\",\"state\":\"\"}]}}\n",
            "RestSDK upload journal 2\nxx\n{\"owner\":{\"_0\":\"a\"}}\n",
        ])
    func foreign(_ text: String) throws {
        try folder.write(text, to: "journal")
        #expect { try UploadJournal(path: path) } throws: { ($0 as? RestError)?.code == .journal }
        #expect(folder.text(of: "journal") == text)
    }

    @Test("a long journal is shortened to its current state")
    func shortened() throws {
        do {
            let journal = try UploadJournal(path: path)
            try journal.claim("dbid:1")
            _ = try register(journal, "a")
            try journal.lines.add(.sessions([.init(number: 0, id: "s", isConcurrent: true)]))
            for round in 0..<200 {
                try journal.lines.add(
                    .parts([.init(number: 0, start: Int64(round), end: Int64(round + 1), isLast: false)]))
                if round < 199 {
                    try journal.lines.add(.sessions([.init(number: 0, id: "s", isConcurrent: true)]))
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

    private func add(_ line: UploadRecord, to history: inout UploadHistory) -> Bool { history.add(line) }

    @Test("the lines of a shortened journal have the same content", arguments: 0..<100 as Range<UInt64>)
    func lines(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (history, short) = (UploadHistory(), UploadHistory())
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let count = history.files.count
            let number = Int.random(in: 0...max(0, count - 1), using: &random)
            let start = Int64.random(in: 0...9, using: &random)
            let kind = count == 0 ? 0 : Int.random(in: 0..<7, using: &random)
            let line: UploadRecord =
                switch kind {
                case 0:
                    .files([
                        .init(number: count, id: "\(start)", commit: "{}", state: "\(count)"),
                        .init(number: count + 1, id: "other", commit: "{}", state: "\(count)"),
                    ])
                case 1, 2: .sessions([.init(number: number, id: "\(start)", isConcurrent: start < 5)])
                case 3, 4: .parts([.init(number: number, start: start, end: start + 1, isLast: start == 9)])
                case 5: .stored([.init(number: number, file: "\(start)")])
                default: start < 5 ? .anew([number]) : .owner("\(start)")
                }
            #expect(add(line, to: &history))
        }
        for line in history.lines { #expect(add(line, to: &short)) }
        #expect(short.owner == history.owner && short.files.count == history.newest.count)
        for (left, right) in zip(short.newest, history.newest) {
            #expect(left.file.id == right.file.id && left.file.state == right.file.state)
            #expect(left.stored == right.stored)
            guard right.stored == nil else { continue }
            #expect(left.session?.id == right.session?.id)
            #expect(left.session == nil || left.parts.map(\.start) == right.parts.map(\.start))
        }
    }
}

#if canImport(Glibc)
import Glibc
import RestTesting
import Testing

@testable import Dropbox

@Suite("A journal on a full disk")
struct JournalDiskTests {
    @Test("a line that does not fit is an error, and the earlier lines stay complete")
    func fullDisk() async {
        // In a separate process, which limits the size of its files to simulate a full disk.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200, rlim_max: 200)
            let folder = try TemporaryDirectory()
            let path = folder.path("journal")
            guard unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
            var noted = 0
            do {
                let journal = try UploadJournal(path: path)
                for number in 0..<50 {
                    try journal.lines.add(.owner("user \(number)"))
                    noted = number
                }
                exit(3)
            } catch {
                guard let error = error as? RestError, error.code == .journal, error.message.contains(path) else {
                    exit(4)
                }
            }
            // The line that did not fit is missing, and the journal can be continued.
            let journal = try UploadJournal(path: path)
            try journal.claim("user \(noted)")
            guard noted > 0, folder.text(of: "journal")?.hasSuffix("\n") == true else { exit(5) }
        }
    }
}
#endif

@Suite("A file that a journal knows")
struct UploadEntryTests {
    private func known(_ parts: [Range<Int64>], isConcurrent: Bool = true, last: Bool = false) -> JournaledFile {
        var known = JournaledFile(file: .init(number: 0, id: "a", commit: "", state: ""))
        known.session = .init(number: 0, id: "s", isConcurrent: isConcurrent)
        known.parts = parts.map { .init(number: 0, start: $0.lowerBound, end: $0.upperBound, isLast: false) }
        if last { known.parts[known.parts.count - 1].isLast = true }
        return known
    }

    @Test("only the bytes that the server lacks are sent, whatever parts it has", arguments: 0..<200 as Range<UInt64>)
    func missing(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = Int64.random(in: 1...60, using: &random)
        let parts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let start = Int64.random(in: 0...size, using: &random)
            return start..<Int64.random(in: start...size, using: &random)
        }
        var entry = UploadEntry(size: size, isConcurrent: true)
        entry.restore(known(parts))
        let there = Set(parts.joined())
        #expect(entry.missing.reversed().flatMap(Array.init) == (0..<size).filter { !there.contains($0) })
        #expect(entry.taken == Int64(there.count))
        #expect(entry.phase == .sending)
    }

    @Test("a file that was sent completely waits for its finish")
    func whole() {
        var entry = UploadEntry(size: 10, isConcurrent: false)
        entry.restore(known([0..<10], isConcurrent: false, last: true))
        #expect(entry.phase == .sent)
        var empty = UploadEntry(size: 0, isConcurrent: false)
        empty.restore(known([0..<0], isConcurrent: false, last: true))
        #expect(empty.phase == .sent)
    }

    @Test("a session of another kind, and parts beyond the end of the file, are not used")
    func useless() {
        var entry = UploadEntry(size: 10, isConcurrent: true)
        entry.restore(known([0..<10], isConcurrent: false))
        #expect(entry.phase == .fresh)
        entry.restore(known([0..<11]))
        #expect(entry.missing == [0..<10])
    }
}
