// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestSync
import SOQLStore

/// Measures whether edits survive killed processes that edit and sync at the same time.
func syncKillFigures() async throws {
    if let worker = SyncWorker() { return try await worker.run() }
    let directory = FileManager.default.temporaryDirectory.appending(path: "sync-kills-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let wanted = extent(500, short: 3)
    let org = try await LocalOrg.start(LocalOrgConfiguration(accessTokenLifetime: .seconds(86_400)))
    let workers = ["", "ExternalId__c", "AccountNumber"].enumerated().map { number, key in
        SyncWorker(
            port: org.port, login: [org.clientID, org.clientSecret], file: directory.path + "/copy\(number)",
            number: number,
            key: key)
    }
    for worker in workers { try await worker.prepare() }
    var (kills, failures) = (0, 0)
    for round in 0..<wanted {
        // Half of the processes are killed soon after the start.
        let delay = round.isMultiple(of: 2) ? Int.random(in: 0..<60) : Int.random(in: 0..<800)
        switch await workers[round % workers.count].killed(after: .milliseconds(delay)) {
        case SIGKILL: kills += 1
        default: failures += 1
        }
    }
    var verdict = SyncVerdict()
    for worker in workers { try await worker.check(&verdict) }
    await org.stop()
    let counts = [
        ("lost", verdict.lost, "edits"), ("doubled", verdict.doubled, "records"),
        ("unequal", verdict.unequal, "copies"),
        ("failures", failures, "processes"),
    ]
    for (name, value, unit) in counts {
        Figure(
            name: "sync.kills.\(name)", value: Double(value), unit: unit, relation: .atMost, bound: 0,
            note: "\(kills) kills, \(verdict.edits) edits of \(verdict.records) records"
        ).print()
    }
}

private struct SyncVerdict {
    var (lost, doubled, unequal, edits, records) = (0, 0, 0, 0, 0)
}

/// A process that edits a copy and syncs it, until it is killed.
///
/// It writes each edit to a log before and after it.
private struct SyncWorker: Codable {
    let port: Int
    let login: [String]
    let file: String
    let number: Int
    /// The key field of new records, or an empty string.
    let key: String

    private static let variable = "RESTSDK_SYNC_WORKER"
    private static let delayVariable = "RESTSDK_SYNC_KILL"

    init(port: Int, login: [String], file: String, number: Int, key: String) {
        (self.port, self.login, self.file, self.number, self.key) = (port, login, file, number, key)
    }

    init?() {
        guard let text = ProcessInfo.processInfo.environment[Self.variable],
            let worker = try? JSONDecoder().decode(SyncWorker.self, from: Data(text.utf8))
        else { return nil }
        self = worker
    }

    private var log: URL { URL(filePath: file + ".log") }
    private var query: SOQL {
        SOQL(raw: "SELECT Id, Name, Phone, ParentId FROM Account WHERE Name LIKE 'w\(number)-%'")
    }

    /// Writes the records that the copies have at the start, and an empty log.
    func prepare() async throws {
        try Data().write(to: log)
        let store = try await open()
        try await store.pull(query, with: client())
        store.close()
    }

    private func client() throws -> RestClient {
        var configuration = RestClient.Configuration()
        configuration.retryPolicy = .never
        return try RestClient(
            loginURL: "http://127.0.0.1:\(port)", clientID: login[0], clientSecret: Secret(login[1]),
            configuration: configuration)
    }

    private func open() async throws -> SyncStore {
        var options = SyncStore.Options()
        options.keyFields = key.isEmpty ? [:] : ["Account": key]
        return try await SyncStore.open(
            file, schema: try SyncSchema(describe: Array(Self.schema.utf8)), options: options)
    }

    private static let schema = """
        {"name":"Account","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"IsDeleted","type":"boolean"},
          {"name":"Name","type":"string","length":255,"nillable":false,"nameField":true},
          {"name":"Phone","type":"phone","length":40},{"name":"AccountNumber","type":"string","length":40},
          {"name":"ExternalId__c","type":"string","length":80,"externalId":true,"unique":true},
          {"name":"MasterRecordId","type":"reference","referenceTo":["Account"],"relationshipName":"MasterRecord"},
          {"name":"ParentId","type":"reference","referenceTo":["Account"],"relationshipName":"Parent"}]}
        """

    /// Starts the process and waits for its end, which it causes itself after the delay.
    func killed(after delay: Duration) async -> Int32 {
        guard let text = try? JSONEncoder().encode(self) else { return -1 }
        return await runArea(
            "sync.kills",
            [
                Self.variable: String(decoding: text, as: UTF8.self),
                Self.delayVariable: "\(Int(delay / .microseconds(1)))",
            ])
    }

    func run() async throws {
        let delay = ProcessInfo.processInfo.environment[Self.delayVariable].flatMap { UInt32($0) } ?? 0
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        let store = try await open()
        let log = try SyncLog(self.log)
        let client = try client()
        // The system gives the id of an ended process to another one, soon if many processes start.
        let prefix = "w\(number)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        let editing = Task.detached {
            for count in 0... {
                try Self.edit(store, "\(prefix)-\(count)", log)
                usleep(UInt32.random(in: 0..<10_000))
            }
        }
        while !Task.isCancelled { try await store.sync(with: client) }
        try await editing.value
    }

    /// Makes a random edit, and notes it before and after.
    private static func edit(_ store: SyncStore, _ name: String, _ log: SyncLog) throws {
        let records = try store.query("SELECT Id, Name, Phone FROM Account")
        guard let record = records.randomElement(), Int.random(in: 0..<3) > 0, let id = record.id,
            let known = record["Name"]?.string
        else {
            let parent = records.randomElement()?.id
            try log.noting(name, "1") {
                try store.edit {
                    _ = try $0.create(
                        "Account",
                        ["Name": JSONValue(name), "Phone": "1", "ParentId": parent.map { JSONValue($0) } ?? .null])
                }
            }
            return
        }
        let value = (record["Phone"]?.string.flatMap { Int($0) } ?? 0) + 1
        try log.noting(known, "\(value)") {
            try store.edit { try $0.update("Account", id: id, ["Phone": JSONValue("\(value)")]) }
        }
    }

    /// Syncs the copy to the end, and compares the org with the log.
    func check(_ verdict: inout SyncVerdict) async throws {
        let (store, client) = (try await open(), try client())
        for _ in 0..<3 { try await store.sync(with: client) }
        func rows(_ records: [Record]) -> [[String]] {
            records.map { record in ["Id", "Name", "Phone", "ParentId"].map { record[$0]?.string ?? "" } }.sorted {
                $0[0] < $1[0]
            }
        }
        let there = rows(try await client.records(query).collect(limit: 1_000_000))
        if try rows(store.query(query)) != there || !store.conflicts.isEmpty || store.pendingCount > 0 {
            verdict.unequal += 1
        }
        let values = Dictionary(there.map { ($0[1], Int($0[2]) ?? 0) }, uniquingKeysWith: max)
        verdict.doubled += there.count - values.count
        let log = try SyncLog.read(self.log)
        for (name, noted) in log where noted.done > 0 {
            let value = values[name] ?? 0
            if value < noted.done || value > noted.begun { verdict.lost += 1 }
        }
        verdict.edits += log.values.reduce(0) { $0 + $1.count }
        verdict.records += there.count
        store.close()
        client.shutdown()
    }
}

/// The edits of a worker, whose values rise.
private struct SyncLog: Sendable {
    private let file: FileHandle

    init(_ url: URL) throws {
        file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
    }

    /// Writes a line before and after the edit, each in one call, so that a killed process leaves whole lines.
    func noting(_ name: String, _ value: String, _ edit: () throws -> Void) throws {
        try file.write(contentsOf: Data("begun \(name) \(value)\n".utf8))
        try edit()
        try file.write(contentsOf: Data("done \(name) \(value)\n".utf8))
    }

    /// Returns the last values that a worker began to write and has written, by the names of the records.
    static func read(_ url: URL) throws -> [String: (begun: Int, done: Int, count: Int)] {
        var values: [String: (begun: Int, done: Int, count: Int)] = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let value = Int(words[2]) else { continue }
            var known = values[words[1]] ?? (0, 0, 0)
            if words[0] == "begun" { known.begun = value } else { (known.done, known.count) = (value, known.count + 1) }
            values[words[1]] = known
        }
        return values
    }
}
