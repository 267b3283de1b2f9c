// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

@Suite("The job as a process", .timeLimit(.minutes(2)))
struct ProcessTests {
    @Test("has every row once, however often it is killed")
    func kills() async throws {
        let (records, kills) = (5_000, 25)
        let sandbox = try await Sandbox(records: records)
        var numbers = SystemRandomNumberGenerator()
        for round in 0..<kills {
            let before = sandbox.org.journal.entries.count
            let job = try Job(["--every", "1"], in: sandbox)
            // Kills the job during the first copy or a later update, while it waits for a response or writes.
            let requests = before + Int.random(in: 1...4, using: &numbers)
            try await job.whileRunning(until: { sandbox.org.journal.entries.count >= requests })
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &numbers)))
            job.kill()
            #expect(await job.status() == SIGKILL)
            try await sandbox.change(round)
        }
        let job = try Job([], in: sandbox)
        #expect(await job.status() == 0)
        #expect(try await sandbox.copied() == sandbox.expected())
        // A kill costs at most one page.
        let pages = sandbox.org.journal.entries.count { $0.target.contains("ORDER%20BY%20Id%20LIMIT") }
        #expect((records / 500 + 1...records / 500 + 2 + kills).contains(pages))
    }

    @Test("ends with success when it is asked to, and the next one goes on")
    func termination() async throws {
        let sandbox = try await Sandbox()
        let job = try Job(["--every", "3600"], in: sandbox)
        try await job.whileRunning(until: { sandbox.org.journal.entries.contains { $0.target.contains("/updated") } })
        job.terminate()
        #expect(await job.status() == 0)
        #expect(try await Job([], in: sandbox).status() == 0)
        #expect(try await sandbox.copied() == sandbox.expected())
    }

    @Test("says what is wrong and fails before the first success")
    func failing() async throws {
        let sandbox = try await Sandbox()
        #expect(try await Job([], in: sandbox, object: "Acount").status() == 1)
        #expect(try await Job(["--every", "never"], in: sandbox).status() == 1)
    }
}

/// The job in a separate process.
struct Job {
    private let process = Process()
    private let ends: AsyncStream<Int32>

    init(_ words: [String], in sandbox: Sandbox, object: String = "Account") throws {
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        process.executableURL = Self.program
        process.arguments = [sandbox.file, object] + Sandbox.fields + words
        process.environment = [
            "SF_LOGIN_URL": sandbox.org.instanceURL, "SF_CLIENT_ID": sandbox.org.clientID,
            "SF_CLIENT_SECRET": sandbox.org.clientSecret,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
    func terminate() { process.terminate() }

    /// Waits until a condition is met or the job exits.
    func whileRunning(until isDone: () -> Bool) async throws {
        while process.isRunning, !isDone() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits for the job to exit, and returns its exit code or the number of the signal that killed it.
    func status() async -> Int32 {
        var ends = ends.makeAsyncIterator()
        return await ends.next() ?? -1
    }

    /// The path of the built program: next to the tests, or in a directory above.
    private static let program: URL = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folders = sequence(first: tests.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        let places = folders.map { $0.appending(path: "SyncJob") }
        return places.first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath } ?? tests
    }()
}
