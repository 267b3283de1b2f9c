// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestBase
import RestTesting
import RestTransport
import Testing

@testable import RestBulk
@testable import RestSDK

/// The latest number for each name.
private struct Tally: JournalContent {
    struct Line: Codable, Sendable, Equatable {
        var name: String
        var number: Int
    }

    static let kind = "test tally"
    static let version = 3
    var numbers: [String: Int] = [:]

    mutating func add(_ line: Line) -> Bool {
        numbers[line.name] = line.number
        return line.number >= 0
    }

    var lines: [Line] { numbers.sorted { $0.key < $1.key }.map { Line(name: $0.key, number: $0.value) } }

    static func failure(_ message: String, _ underlying: TransportError?) -> BulkError {
        BulkError(.journal, message, underlying: underlying)
    }
}

@Suite("A journal")
struct JournalTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("journal")
    }

    /// Returns the content that a process finds when it opens the journal.
    private func found() throws -> [String: Int] {
        let journal = try WorkJournal<Tally>(path: path)
        defer { journal.close() }
        return journal.content.numbers
    }

    private func rejection() throws -> String {
        try #require(#expect(throws: BulkError.self) { try WorkJournal<Tally>(path: path) }).message
    }

    @Test("the next process reads the lines of the previous process, and adds its own")
    func history() throws {
        for number in 1...4 {
            let journal = try WorkJournal<Tally>(path: path)
            #expect(journal.content.numbers.count == number - 1)
            try journal.add(.init(name: "\(number)\n", number: number), isDurable: number.isMultiple(of: 2))
            #expect(journal.read { $0.numbers["\(number)\n"] } == number)
            journal.close()
        }
        #expect(try found() == ["1\n": 1, "2\n": 2, "3\n": 3, "4\n": 4])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("wherever a killed process stopped writing, complete lines are kept and the rest is dropped")
    func torn() throws {
        do {
            let journal = try WorkJournal<Tally>(path: path)
            for number in 1...3 { try journal.add(.init(name: "n\(number)", number: number)) }
            journal.close()
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for length in 0..<whole.count {
            let chunk = whole.prefix(length)
            try chunk.write(to: URL(fileURLWithPath: path))
            let lines = chunk.count { $0 == 10 }
            let journal = try WorkJournal<Tally>(path: path)
            #expect(journal.content.numbers.count == max(0, lines - 1))
            try journal.add(.init(name: "new", number: 9))
            journal.close()
            #expect(try found()["new"] == 9 && found().count == max(1, lines))
        }
    }

    @Test(
        "another file, or an invalid line, is an error that leaves the file unchanged",
        arguments: [
            "a letter\n", "a letter without an end", "test tally\n", "test tally 3 \n", "{}\n", "\n",
            "test tally 3\n{}\n", "test tally 3\nxx\n{\"name\":\"a\",\"number\":1}\n",
            "test tally 3\n{\"name\":\"a\",\"number\":-1}\n", "test tally 3\n{\"name\":\"a\"\n",
        ])
    func foreign(text: String) throws {
        try folder.write(text, to: "journal")
        #expect(try rejection().hasPrefix("\(path): "))
        #expect(folder.text(of: "journal") == text && folder.names == ["journal"])
    }

    @Test("the error for a journal of another version says what to do", arguments: ["1", "2", "30", "4"])
    func version(_ version: String) throws {
        let text = "test tally \(version)\nwhatever it has\n"
        try folder.write(text, to: "journal")
        let message = try rejection()
        #expect(message.contains("another version") && message.contains("remove the file"))
        #expect(folder.text(of: "journal") == text)
        try WorkJournal<Tally>.remove(path)
        #expect(try found().isEmpty)
    }

    @Test("a file that is too large for a journal is not read")
    func tooLarge() throws {
        try folder.write("test tally 3\n", to: "journal")
        try #require(unsafe truncate(path, off_t(JournalFile.maximumSize) + 1) == 0)
        #expect(try rejection().contains("too large"))
        #expect(FileParts.size(path) == JournalFile.maximumSize + 1)
    }

    @Test("a long journal is shortened when it is opened, and keeps its content")
    func shortened() throws {
        let journal = try WorkJournal<Tally>(path: path)
        for number in 0..<2_000 { try journal.add(.init(name: "\(number % 7)", number: number), isDurable: false) }
        let content = journal.content.numbers
        journal.close()
        let long = FileParts.size(path)
        // A process that was killed while it wrote the new file leaves a part of it.
        try folder.write("test tal", to: "journal.part")
        #expect(try found() == content && found() == content)
        #expect(FileParts.size(path) < long / 100 && folder.names == ["journal"])
    }

    @Test("a line that is not in the file is not in the content either")
    func closed() throws {
        let journal = try WorkJournal<Tally>(path: path)
        try journal.add(.init(name: "a", number: 1))
        journal.close()
        #expect(throws: BulkError.self) { try journal.add(.init(name: "b", number: 2)) }
        #expect(journal.content.numbers == ["a": 1])
        #expect(try found() == ["a": 1])
    }

    @Test("all lines are removed at once")
    func clear() throws {
        let journal = try WorkJournal<Tally>(path: path)
        for number in 1...3 { try journal.add(.init(name: "\(number)", number: number)) }
        try journal.clear()
        try journal.add(.init(name: "a", number: 1))
        journal.close()
        #expect(try found() == ["a": 1])
    }

    @Test("only one process at a time can open the journal, and the end of a process releases it")
    func processes() throws {
        let journal = try WorkJournal<Tally>(path: path)
        #expect(try rejection().contains("another process"))
        #if os(Linux)
        #expect(try RunningProgram.tool(["flock", "-n", path, "true"]).status == 1)
        journal.close()
        let other = try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"), ["flock", path, "sh", "-c", "echo locked; read line"], input: nil)
        #expect(other.nextLine() == Array("locked".utf8))
        #expect(try rejection().contains("another process"))
        try other.closeInput()
        #expect(other.wait().status == 1)
        #else
        journal.close()
        #endif
        #expect(try found().isEmpty)
    }
}

extension FileParts {
    fileprivate static func size(_ path: String) -> Int { (try? Int(FileParts(path: path).state.size)) ?? -1 }
}

@Suite("The journal of a load")
struct LoadStateTests {
    private static let plan = LoadRecord.Plan(
        object: "Account", operation: "insert", externalID: nil, columns: ["Name"], delimiter: "COMMA",
        lineEnding: "LF", source: nil)

    private static func part(_ number: Int) -> LoadRecord.Part {
        LoadRecord.Part(
            number: number, before: (number - 1) * 2, rows: 2, start: nil, end: nil, bytes: 9, hash: "\(number)")
    }

    private func add(_ line: LoadRecord, to state: inout LoadState) -> Bool { state.add(line) }

    @Test("the lines of a shortened journal have the same content", arguments: 0..<100 as Range<UInt64>)
    func shortened(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let id = "750000000000001"
        let ending = LoadPart.Ending(state: "JobComplete", processed: 2, failed: 0, message: nil)
        let phases: [LoadPart.Phase] = [
            .creating, .made(job: id), .uploaded(job: id), .closing(job: id), .running(job: id),
            .ended(job: id, ending),
            .lost(job: id), .givenUp(job: id),
        ]
        var (state, short) = (LoadState(), LoadState())
        #expect(add(.plan(Self.plan), to: &state))
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            if state.parts.isEmpty || Bool.random(using: &random) {
                #expect(add(.part(Self.part(state.parts.count + 1)), to: &state))
            } else {
                let part = Int.random(in: 1...state.parts.count, using: &random)
                #expect(add(.step(part: part, try #require(phases.randomElement(using: &random))), to: &state))
            }
        }
        if Bool.random(using: &random) { #expect(add(.whole(rows: state.rows), to: &state)) }
        for line in state.lines { #expect(add(line, to: &short)) }
        #expect(short.plan == state.plan && short.rows == state.rows && short.isWhole == state.isWhole)
        #expect(short.parts.map(\.cut) == state.parts.map(\.cut))
        #expect(short.parts.map(\.phase) == state.parts.map(\.phase))
        #expect(short.parts.map(\.next) == state.parts.map(\.next))
    }

    @Test("lines that contradict earlier lines are rejected")
    func contradictions() {
        var state = LoadState()
        #expect(!add(.whole(rows: 0), to: &state))
        state = LoadState()
        #expect(add(.plan(Self.plan), to: &state) && !add(.plan(Self.plan), to: &state))
        #expect(!add(.part(Self.part(2)), to: &state) && !add(.step(part: 1, .creating), to: &state))
        let huge = LoadRecord.Part(
            number: 1, before: 0, rows: .max, start: nil, end: nil, bytes: 9, hash: nil)
        #expect(
            !add(.part(huge), to: &state) && add(.part(Self.part(1)), to: &state) && !add(.whole(rows: 3), to: &state))
        #expect(add(.whole(rows: 2), to: &state) && !add(.part(Self.part(2)), to: &state))
    }

    /// Returns the minimum of several measurements of reading the lines of a load with `parts` parts.
    private func time(parts: Int) -> Duration {
        let lines = (1...parts).flatMap { number -> [LoadRecord] in
            [.part(Self.part(number)), .step(part: number, .creating)]
        }
        return (0..<5).map { _ in
            ContinuousClock().measure {
                var state = LoadState()
                #expect(add(.plan(Self.plan), to: &state))
                for line in lines where !add(line, to: &state) { Issue.record("a line was rejected") }
                #expect(state.rows == 2 * parts && state[parts].next == .create)
            }
        }.min() ?? .zero
    }

    @Test("the time to read a load is linear in its parts, not quadratic")
    func linear() {
        let ratio = time(parts: 16_000) / time(parts: 1_000)
        #expect(ratio < 80, "\(ratio)")
    }
}
