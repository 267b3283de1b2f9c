// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

@Suite("The service as a process", .timeLimit(.minutes(2)))
struct ProcessTests {
    @Test("has every change once, however often it is killed")
    func kills() async throws {
        let (records, kills) = (300, 15)
        let sandbox = try await Sandbox(records: records)
        var numbers = SystemRandomNumberGenerator()
        for round in 0..<kills {
            let before = sandbox.org.journal.entries.count
            let service = try Service(in: sandbox)
            // Kills the service during the full read or later, while it waits for events or writes. The org counts a
            // request when it has responded, so a service that waits for events makes no more.
            let requests = before + Int.random(in: 1...6, using: &numbers)
            let deadline = ContinuousClock.now + .seconds(1)
            try await service.whileRunning(until: {
                sandbox.org.journal.entries.count >= requests || ContinuousClock.now >= deadline
            })
            try await sandbox.change(round)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &numbers)))
            service.kill()
            #expect(await service.status() == SIGKILL)
        }
        let before = sandbox.org.journal.entries.count
        let service = try Service(in: sandbox)
        // A service that makes requests is ready for signals, even if the table was complete before.
        try await service.whileRunning(until: { sandbox.org.journal.entries.count > before })
        try await sandbox.wait { try await (try? sandbox.copied()) == sandbox.expected() }
        service.terminate()
        #expect(await service.status() == 0)
    }

    @Test("prints each step and the lag, and stops after a number of changes")
    func output() async throws {
        let sandbox = try await Sandbox(records: 10)
        // The org has sample data too.
        let records = try await sandbox.expected().count
        let service = try Service(["--changes", "4"], in: sandbox)
        try await sandbox.wait { try await (try? sandbox.copied()) == sandbox.expected() }
        try await sandbox.change(0)
        #expect(await service.status() == 0)
        let lines = service.output().split(separator: "\n")
        #expect(lines.count == 5 && lines.first == "Account: \(records) records read", "\(lines)")
        #expect(lines.dropFirst().allSatisfy { $0.contains("1 created, ") && $0.hasSuffix("seconds after the commit") })
    }

    @Test("says what is wrong and fails")
    func failing() async throws {
        let sandbox = try await Sandbox()
        #expect(try await Service(["--changes", "none"], in: sandbox).status() == 1)
        #expect(try await Service(in: sandbox, object: "Acount").status() == 1)
    }
}

/// The service in a separate process, which ends with this object.
final class Service {
    private let process = Process()
    private let printed = Pipe()
    private let ends: AsyncStream<Int32>

    init(_ words: [String] = [], in sandbox: Sandbox, object: String = "Account") throws {
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        process.executableURL = Self.program
        process.arguments = [sandbox.file, object] + Sandbox.fields + words
        process.environment = [
            "SF_LOGIN_URL": sandbox.org.instanceURL, "SF_CLIENT_ID": sandbox.org.clientID,
            "SF_CLIENT_SECRET": sandbox.org.clientSecret,
        ]
        process.standardOutput = printed
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
    func terminate() { process.terminate() }

    /// Waits until a condition is met or the service exits.
    func whileRunning(until isDone: () -> Bool) async throws {
        while process.isRunning, !isDone() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Waits for the service to exit, and returns its exit code or the number of the signal that killed it.
    func status() async -> Int32 {
        var ends = ends.makeAsyncIterator()
        return await ends.next() ?? -1
    }

    /// Returns what the service has printed, after its end.
    func output() -> String {
        String(decoding: printed.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// The path of the built program: next to the tests, or in a directory above.
    private static let program: URL = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folders = sequence(first: tests.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        let places = folders.map { $0.appending(path: "ChangeFeed") }
        return places.first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath } ?? tests
    }()
}
