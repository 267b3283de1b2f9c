// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTransport
import Terminals

/// A file that this program writes as a worker.
struct WorkerFile: FaultKind {
    let name: String
    let points: Int
    let file: String
    let expected: [UInt8]
    /// The name of a partial file from an earlier process, for kinds that have one.
    let left: String?
    let worker: FaultWorker

    private static let before = Array("what was there before".utf8)

    func prepare(_ trial: FaultTrial) throws {
        if trial.replaces { try trial.write(Self.before, file) }
        if let left, trial.number % 3 == 1 { try trial.write(Array(expected.prefix(150_000)), left) }
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool {
        try await FaultWorker(
            work: worker.work, port: worker.port, token: worker.token, path: trial.path(file), source: worker.source
        ).attempt(trial, point)
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) throws {
        if !isDone, !trial.replaces, trial.bytes(file) == nil { return }
        try trial.compare(
            [file: expected], before: trial.replaces ? [file: Self.before] : [:], isDone: isDone, isLast: isLast)
    }
}

/// Files that a command of `soql` writes.
struct CommandFiles: FaultKind {
    let name: String
    let points: Int
    /// The arguments, with `FOLDER` for the trial's directory.
    let words: [String]
    let expected: [String: [UInt8]]
    let settings: [String: String]
    /// Whether the command replaces its own earlier files.
    var replaces = true

    /// The command's own earlier files, with other content.
    private func before(_ trial: FaultTrial) -> [String: [UInt8]] {
        guard replaces, trial.replaces else { return [:] }
        return expected.mapValues { $0 + Array("\n// earlier\n".utf8) }
    }

    func prepare(_ trial: FaultTrial) throws {
        for (name, bytes) in before(trial) {
            let place = URL(fileURLWithPath: trial.path(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try trial.write(bytes, name)
        }
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async -> Bool {
        // A complete new package is not created again.
        if !replaces, point == nil, !trial.names.isEmpty { return true }
        return await trial.launch(
            soqlProgram, words.map { $0.replacing("FOLDER", with: trial.folder) }, settings, point)
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) throws {
        let before = before(trial)
        if !isDone, before.isEmpty, trial.names.isEmpty { return }
        try trial.compare(expected, before: before, isDone: isDone, isLast: isLast)
    }
}

/// The database of an embedded org: records that were reported as written must exist after a restart.
struct OrgFaults: FaultKind {
    let name = "databases"
    let points: Int

    private func notes(_ trial: FaultTrial) -> String { "\(trial.side)/notes" }

    func prepare(_ trial: FaultTrial) async throws {
        try Data().write(to: URL(fileURLWithPath: notes(trial)))
        guard trial.replaces else { return }
        // From an earlier run of the org.
        _ = try await attempt(trial, nil)
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool {
        try await FaultWorker(work: .org, path: trial.path("data.db"), source: notes(trial)).attempt(trial, point)
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws {
        guard isLast else { return }
        var configuration = LocalOrgConfiguration()
        configuration.storage = .file(trial.path("data.db"))
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            instanceURL: org.instanceURL, accessToken: Secret(org.issueCredential().accessToken))
        var there: Set<String> = []
        for try await record in client.records("SELECT Name FROM Account WHERE Name LIKE 'kept %'") {
            there.insert(record["Name"]?.string ?? "")
        }
        await org.stop()
        let wanted = try String(contentsOfFile: notes(trial), encoding: .utf8).split(separator: "\n").map(String.init)
        let lost = wanted.count { !there.contains($0) }
        if lost > 0 { throw FaultDamage.lost("\(lost) of \(wanted.count) records") }
        if wanted.count < 12 { throw FaultDamage.lost("\(wanted.count) records were written without a failure") }
    }
}

struct HistoryFaults: FaultKind {
    let name = "histories"
    let points: Int
    let stage: FaultStage

    func prepare(_ trial: FaultTrial) throws {
        // Some histories are so long that they are truncated.
        let count = trial.number % 4 == 1 ? 20_001 : 3
        let lines = (1...count).map { "\"\\\\set before\($0) 1\"\n" }.joined()
        try trial.write(Array(lines.utf8), "history")
    }

    private func command(_ isFirst: Bool) -> String {
        "SELECT COUNT() FROM Account WHERE Name = '\(isFirst ? "first" : "second")';"
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async throws -> Bool {
        let isFirst = point != nil || trial.number == 0
        let settings = [
            "HOME": trial.side, "SOQL_HISTORY": trial.path("history"), "TERM": "xterm", "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "NO_COLOR": "1", "PAGER": "",
        ].merging(stage.settings) { $1 }.merging(trial.environment(point)) { $1 }
        let line = #"LD_PRELOAD="$FAULT_LIBRARY" exec "$0""#
        let session = try TerminalSession(
            program: "/bin/sh", ["-c", line, soqlProgram], environment: settings, in: trial.side, columns: 80, rows: 24)
        try session.wait(for: "=> ")
        session.type(command(isFirst) + "\r")
        // Input before the end of the command could go to a terminal that the session does not control then.
        try session.wait(for: "COUNT()\r")
        session.type("\u{4}")
        session.finish()
        return session.process.terminationStatus == 0
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) throws {
        let lines = (trial.bytes("history") ?? []).split(separator: UInt8(ascii: "\n"))
        let entries = try lines.map { line in
            guard let entry = (try? JSONValue(parsing: Array(line)))?.string else {
                throw FaultDamage.extra("a line of the history is \(String(decoding: line, as: UTF8.self))")
            }
            return entry
        }
        let last = trial.number % 4 == 1 ? 20_001 : 3
        guard entries.contains("\\set before\(last) 1"), entries.count >= min(last, 10_000) else {
            throw FaultDamage.lost("\(entries.count) entries are left")
        }
        guard isLast, trial.number > 0 else { return }
        guard entries.last == command(false) else { throw FaultDamage.lost("the entry of the next session") }
        if trial.names != ["history"] { throw FaultDamage.extra("there are \(trial.names)") }
    }
}
