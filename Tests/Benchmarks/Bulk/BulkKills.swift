// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBulk

/// Measures whether bulk work survives killed processes: each row must be in the org, or in the file, once.
func bulkKillFigures() async throws {
    if let worker = BulkWorker() { return try await worker.run() }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("bulk-kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await killLoads(extent(200, short: 2), rows: extent(20_000, short: 400), directory)
    try await killExports(extent(100, short: 2), rows: extent(20_000, short: 400), directory)
}

/// Loads the same rows repeatedly, each time into a new org.
private func killLoads(_ wanted: Int, rows: Int, _ directory: URL) async throws {
    let names = (1...rows).map { "row \($0)" }
    let source = directory.appendingPathComponent("rows.csv").path
    try ("Name\n" + names.joined(separator: "\n") + "\n").write(toFile: source, atomically: false, encoding: .utf8)
    var count = KillCount(wanted)
    var (lost, doubled, unexplained) = (0, 0, 0)
    while count.kills < wanted {
        let org = try await LocalOrg.start()
        let journal = directory.appendingPathComponent("load-\(count.rounds)").path
        let worker = BulkWorker(
            port: org.port, token: org.issueCredential().accessToken, path: source, journal: journal)
        if try await !worker.finish(&count) { lost += rows }
        let client = try worker.client()
        var there: [String: Int] = [:]
        for try await record in client.records("SELECT Name FROM Account WHERE Name LIKE 'row %'") {
            there[record["Name"]?.string ?? "", default: 0] += 1
        }
        lost += names.count { there[$0] == nil }
        doubled += there.values.reduce(0) { $0 + $1 - 1 }
        unexplained += try await worker.unexplained(client, rows: rows)
        await org.stop()
    }
    count.figure("bulk.kills.load.lost", lost, "rows", "loads of \(rows) rows").print()
    Figure(name: "bulk.kills.load.doubled", value: Double(doubled), unit: "rows", relation: .atMost, bound: 0).print()
    Figure(
        name: "bulk.kills.load.unexplained", value: Double(unexplained), unit: "rows and jobs", relation: .atMost,
        bound: 0
    ).print()
}

/// Exports the same records repeatedly.
private func killExports(_ wanted: Int, rows: Int, _ directory: URL) async throws {
    let org = try await LocalOrg.start()
    let worker = BulkWorker(
        port: org.port, token: org.issueCredential().accessToken,
        path: directory.appendingPathComponent("all.csv").path, journal: nil)
    let client = try worker.client()
    try await client.bulk.ingest(
        .insert, into: "Account", from: .records((1...rows).map { ["Name": JSONValue("row \($0)")] }),
        options: BulkLoad.Options(patience: BulkWorker.patience)
    ).run()
    var expected: [String] = []
    for try await record in client.records("SELECT Id FROM Account ORDER BY Id") {
        expected.append(record["Id"]?.string ?? "")
    }
    var count = KillCount(wanted)
    var wrong = 0
    while count.kills < wanted {
        let isDone = try await worker.finish(&count)
        let text = (try? Data(contentsOf: URL(fileURLWithPath: worker.path))).map(Array.init) ?? []
        let found = try CSVDocument(parsing: text).rows.map { $0[0] }
        if !isDone || found != expected { wrong += 1 }
        try? FileManager.default.removeItem(atPath: worker.path)
    }
    await org.stop()
    count.figure("bulk.kills.export", wrong, "files that differ", "exports of \(expected.count) rows").print()
}

private struct KillCount {
    private(set) var kills = 0
    private(set) var rounds = 0
    private let wanted: Int
    /// The duration of a complete run in microseconds, within which the process is killed.
    private var whole = 1_000_000

    init(_ wanted: Int) { self.wanted = wanted }

    /// The delay before the next kill, in microseconds, or `nil` if the kills are complete.
    var delay: UInt32? { kills >= wanted ? nil : UInt32.random(in: 0..<UInt32(max(1_000, whole))) }

    mutating func add(_ status: Int32, after time: Duration) {
        if status == SIGKILL { kills += 1 } else { rounds += 1 }
        if status == 0 { whole = Int(time / .microseconds(1)) }
    }

    func figure(_ name: String, _ value: Int, _ unit: String, _ what: String) -> Figure {
        Figure(
            name: name, value: Double(value), unit: unit, relation: .atMost, bound: 0,
            note: "\(kills) kills in \(rounds) \(what)")
    }
}

/// A process that loads a file into an org, or exports one.
private struct BulkWorker: Codable {
    let port: Int
    let token: String
    let path: String
    /// The journal of a load, or `nil` for an export.
    let journal: String?

    static let patience = BulkPatience(firstInterval: .milliseconds(5), longestInterval: .milliseconds(50))
    private static let variable = "RESTSDK_BULK_WORKER"
    private static let killVariable = "RESTSDK_BULK_KILL"

    init(port: Int, token: String, path: String, journal: String?) {
        (self.port, self.token, self.path, self.journal) = (port, token, path, journal)
    }

    init?() {
        guard let text = ProcessInfo.processInfo.environment[Self.variable],
            let worker = try? JSONDecoder().decode(BulkWorker.self, from: Data(text.utf8))
        else { return nil }
        self = worker
    }

    func client() throws -> RestClient {
        try RestClient(instanceURL: "http://127.0.0.1:\(port)", accessToken: Secret(token))
    }

    private func load(_ client: RestClient, _ journal: String) -> BulkLoad {
        client.bulk.ingest(
            .insert, into: "Account", from: .csv(path: path), journal: journal,
            options: BulkLoad.Options(rowsPerJob: 1_500, patience: Self.patience))
    }

    /// Starts processes until one is not killed, and returns whether it succeeded.
    func finish(_ count: inout KillCount) async throws -> Bool {
        guard let text = try? JSONEncoder().encode(self) else { return false }
        while true {
            var environment = [Self.variable: String(decoding: text, as: UTF8.self)]
            environment[Self.killVariable] = count.delay.map { "\($0)" }
            let start = ContinuousClock.now
            let status = await runArea("bulk.kills", environment)
            count.add(status, after: .now - start)
            if status != SIGKILL { return status == 0 }
        }
    }

    func run() async throws {
        if let delay = ProcessInfo.processInfo.environment[Self.killVariable].flatMap({ UInt32($0) }) {
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
        }
        let client = try client()
        guard let journal else {
            let options = BulkQuery.Options(pageRows: 500, patience: Self.patience)
            _ = try await client.bulk.query("SELECT Id, Name FROM Account ORDER BY Id", options: options).export(
                to: path)
            return
        }
        try await load(client, journal).run()
    }

    /// The number of rows and jobs that the load does not report.
    func unexplained(_ client: RestClient, rows: Int) async throws -> Int {
        guard let journal else { return 0 }
        let load = load(client, journal)
        var numbers: Set<Int> = []
        for try await row in load.results {
            if case .created = row.outcome, let number = row.number { numbers.insert(number) }
        }
        let used = Set(try await load.run().jobs.compactMap(\.id))
        let orphans = Set(try await load.orphans().map(\.id))
        let jobs = try await client.bulk.jobs(.ingest).filter {
            $0.state != .aborted && !used.contains($0.id) && !orphans.contains($0.id)
        }
        return rows - numbers.count + jobs.count
    }
}
