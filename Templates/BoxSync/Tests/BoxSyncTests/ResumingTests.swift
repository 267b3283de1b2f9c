// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation
import Testing

/// An upload goes on where it ended, however it ended.
@Suite(.timeLimit(.minutes(2)))
struct ResumingTests {
    /// Three hundred files of 200 kB, each with another content: they are seven requests or more.
    private func fill(_ sandbox: Sandbox) throws -> [String: String] {
        var texts: [String: String] = [:]
        for number in 0..<300 {
            let path = "here/\(number % 7)/file \(number).txt"
            texts[path] = String(repeating: "\(number) is here. ", count: 13_500)
            try sandbox.write(texts[path] ?? "", to: path)
        }
        return texts
    }

    /// Whether the box has these files below `/There`, and no others.
    private func expectThere(_ texts: [String: String], in sandbox: Sandbox) async throws {
        let there = try await sandbox.files()
        let wanted = Dictionary(
            uniqueKeysWithValues: texts.map {
                ("/There" + $0.key.dropFirst("here".count), ContentHash(of: Array($0.value.utf8)).text)
            })
        let wrong = Set(there.keys).union(wanted.keys).filter { there[$0]?.contentHash != wanted[$0] }
        #expect(wrong.sorted() == [])
    }

    @Test("A process that is killed goes on with what is missing, and with what has changed")
    func killed() async throws {
        let sandbox = try await Sandbox()
        var texts = try fill(sandbox)
        let command = ["up", "--overwrite", "here", "There"]

        // The first one is killed at its sixth request. Four are under way at a time, so it knows of two answers.
        try await kill(command, in: sandbox, afterRequests: 5, to: "append_batch")
        #expect(try await sandbox.files().isEmpty)
        texts["here/0/file 0.txt"] = "changed"
        try sandbox.write("changed", to: "here/0/file 0.txt")

        // The second one is killed when all files are there, and it has not heard of it.
        sandbox.box.journal.clear()
        try await kill(command, in: sandbox, afterRequests: 0, to: "finish_batch_v2")
        let sent = sandbox.box.journal.entries.filter { $0.pathHasSuffix("append_batch") }.map(\.bodySize)
        let (sentSize, size) = (sent.reduce(0, +), texts.values.map(\.utf8.count).reduce(0, +))
        #expect(sentSize < size / 5 * 4)
        try await expectThere(texts, in: sandbox)
        let before = try await sandbox.files()
        texts["here/1/file 1.txt"] = "changed too"
        try sandbox.write("changed too", to: "here/1/file 1.txt")

        let third = try await Program.run("up", "--overwrite", "here", "There", in: sandbox)
        #expect(third.errors == "1 file sent, 299 the same\n")
        #expect(third.status == 0)
        try await expectThere(texts, in: sandbox)
        let after = try await sandbox.files()
        #expect(after.filter { before[$0.key]?.rev != $0.value.rev }.map(\.key) == ["/There/1/file 1.txt"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: journals(sandbox)).isEmpty)
    }

    @Test("What was sent before a kill, and removed by somebody since, is sent again")
    func removedMeanwhile() async throws {
        let sandbox = try await Sandbox()
        // One finish is of a thousand files at most, so that the process that is killed at the second knows of them.
        var texts: [String: String] = [:]
        for number in 1_000..<2_100 { texts["here/\(number)"] = "\(number)" }
        for (path, text) in texts { try sandbox.write(text, to: path) }
        try await kill(["up", "here", "There"], in: sandbox, afterRequests: 1, to: "finish_batch_v2")
        _ = try await sandbox.client.files.deleteV2(path: "/There/1000").value
        #expect(try await Program.run("up", "here", "There", in: sandbox).status == 0)
        try await expectThere(texts, in: sandbox)
    }

    /// Runs a command and kills it when the box has answered so many requests and is slow with the next one.
    private func kill(_ words: [String], in sandbox: Sandbox, afterRequests count: Int, to route: String) async throws {
        sandbox.box.faults.add(.delay(.seconds(100)), next: 1_000, matching: route, skipping: count)
        let program = try Program(words, in: sandbox)
        try await sandbox.waitForRequests(count + 1, to: route)
        program.kill()
        #expect(try await program.outcome().status == SIGKILL)
        sandbox.box.faults.clear()
    }

    @Test("Control-C holds an upload, and the same command goes on")
    func interrupted() async throws {
        let sandbox = try await Sandbox()
        let texts = try fill(sandbox)
        sandbox.box.faults.add(.delay(.seconds(100)), next: 1_000, matching: "append_batch", skipping: 2)
        let first = try Program(["up", "here", "There"], in: sandbox)
        try await sandbox.waitForRequests(3, to: "append_batch")
        first.interrupt()
        let held = try await first.outcome()
        #expect(held.status == 130)
        #expect(held.errors == "boxsync: held; the same command goes on\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: journals(sandbox)).count == 1)
        sandbox.box.faults.clear()
        #expect(try await Program.run("up", "here", "There", in: sandbox).status == 0)
        try await expectThere(texts, in: sandbox)
        #expect(try FileManager.default.contentsOfDirectory(atPath: journals(sandbox)).isEmpty)
    }

    private func journals(_ sandbox: Sandbox) -> String {
        sandbox.folder.appending(path: "home/.local/state/boxsync/journals").path
    }
}
