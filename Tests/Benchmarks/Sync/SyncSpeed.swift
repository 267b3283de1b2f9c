// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSync
import SOQLStore

/// Measures a first pull, a sync with nothing to do and the push of many edits.
func syncFigures() async throws {
    if ServerProcess.isOurs { return try await SyncStage.serve() }
    if let stage = SyncStage.ofWorker { return try await stage.pull() }
    try await pullFigures()
    for records in extent([1_000, 10_000], short: [100]) { try await idleFigure(records) }
    try await pushFigure()
}

/// Pulls the same pages as a script with simple-salesforce and sqlite3, each into a new file.
private func pullFigures() async throws {
    let records = extent(200_000, short: 4_000)
    let stamps = #","SystemModstamp":"2026-05-04T10:11:12.000+0000","LastModifiedDate":"2026-05-04T10:11:12.000+0000""#
    let pages = try await RecordPages(records: records) { page, bytes in
        // Each record has an id of its own, which occurs twice, in place of those of the page.
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "001xx0000")
        let text = parts.enumerated().map { position, part in
            guard position > 0 else { return part }
            let number = page * RecordPages.size + (position - 1) / 2 + 1
            return RecordID.make(prefix: "001", number: Int64(number)) + part.dropFirst("ABCDAAG".count)
        }.joined().replacingOccurrences(of: #","ParentId":null"#, with: stamps)
        return Array(text.utf8)
    }
    guard let pages else { return Figure.absent("sync.pull", peer: "nginx") }
    defer { pages.stop() }
    let directory = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    func file() -> String { directory.appending(path: UUID().uuidString).path }
    var peaks: [Double] = []
    func pull() throws -> Double {
        let outcome = try SyncStage.pull(to: file(), pages.environment)
        guard outcome.records == records else { throw CommandFailed(command: "pull", status: 1) }
        peaks.append(Double(outcome.peakMemory) / 1_048_576)
        return outcome.seconds
    }
    if let peer = SyncPeer() {
        try await Pairs(5) {
            try peer.secondsToPull(SyncStage.query, to: file(), pages.environment)
        } ourSeconds: {
            try pull()
        }.figure("sync.pull.simple-salesforce", atLeast: 8).print()
    } else {
        Figure.absent("sync.pull.simple-salesforce", peer: "simple-salesforce")
        _ = try pull()
    }
    Figure(
        name: "sync.pull.memory", value: peaks.median, unit: "MiB", relation: .atMost, bound: 64,
        note: "\(records) records"
    ).print()
}

/// Counts the requests of a sync with nothing to do.
private func idleFigure(_ records: Int) async throws {
    let stage = try SyncStage.Org(records: records)
    let store = try await stage.filledCopy()
    let report = try await store.sync(with: stage.client)
    Figure(
        name: "sync.idle.\(records)", value: Double(report.requests), unit: "requests", relation: .atMost, bound: 1,
        note: "one object"
    ).print()
    try stage.stop(store)
}

/// Pushes many edits, and compares one edit with one update of simple-salesforce.
private func pushFigure() async throws {
    let (count, few) = (extent(10_000, short: 100), extent(1_000, short: 20))
    guard let peer = SyncPeer() else {
        return Figure.absent("sync.push.simple-salesforce", peer: "simple-salesforce")
    }
    let stage = try SyncStage.Org(records: count)
    let store = try await stage.filledCopy()
    var round = 0
    try await Pairs(3) {
        try peer.secondsToUpdate(few, stage.environment) / Double(few)
    } ourSeconds: {
        round += 1
        let number = round
        // The other client has changed some of the records.
        try await store.sync(with: stage.client)
        let records = try store.query("SELECT Id FROM Account").prefix(count)
        try store.edit { edit in
            for record in records {
                try edit.update("Account", id: record.id ?? "", ["Phone": JSONValue("round \(number)")])
            }
        }
        let elapsed = try await seconds {
            let report = try await store.sync(with: stage.client)
            guard report.updated == count, report.pending == 0 else { throw CommandFailed(command: "push", status: 1) }
        }
        return elapsed / Double(count)
    }.figure("sync.push.simple-salesforce", atLeast: 10).print()
    try stage.stop(store)
}

/// The copies and the org of the figures, each in a process of its own.
private struct SyncStage: Codable {
    static let query = """
        SELECT Id, Name, Industry, AnnualRevenue, NumberOfEmployees, IsActive__c, Phone, BillingCity, Description, \
        CreatedDate, Website, SystemModstamp FROM Account
        """

    let file: String
    let url: String
    let token: String

    private static let variable = "RESTSDK_SYNC_PULL"
    private static let recordsVariable = "RESTSDK_SYNC_RECORDS"

    /// The pull that the parent wants from this process, or `nil`.
    static var ofWorker: SyncStage? {
        let text = ProcessInfo.processInfo.environment[variable]
        return text.flatMap { try? JSONDecoder().decode(SyncStage.self, from: Data($0.utf8)) }
    }

    static let schema = """
        {"name":"Account","keyPrefix":"001","fields":[
          {"name":"Id","type":"id"},{"name":"IsDeleted","type":"boolean"},
          {"name":"Name","type":"string","length":255,"nillable":false,"nameField":true},
          {"name":"Industry","type":"picklist","length":40},
          {"name":"AnnualRevenue","type":"currency","precision":18,"scale":2},
          {"name":"NumberOfEmployees","type":"int"},{"name":"IsActive__c","type":"boolean"},
          {"name":"Phone","type":"phone","length":40},{"name":"BillingCity","type":"string","length":40},
          {"name":"Description","type":"textarea","length":32000},{"name":"Website","type":"url","length":255}]}
        """

    static func store(_ file: String) async throws -> SyncStore {
        // Files cannot run jobs.
        var options = SyncStore.Options()
        options.exportLimit = nil
        return try await SyncStore.open(file, schema: SyncSchema(describe: Array(schema.utf8)), options: options)
    }

    /// Pulls all records in another process.
    static func pull(
        to file: String, _ environment: [String: String]
    ) throws -> (records: Int, seconds: Double, peakMemory: Int) {
        let stage = SyncStage(
            file: file, url: environment["SF_INSTANCE_URL"] ?? "", token: environment["SF_ACCESS_TOKEN"] ?? "")
        let settings = [variable: String(decoding: try JSONEncoder().encode(stage), as: UTF8.self)]
        let line = try output(CommandLine.arguments[0], ["sync"], environment: settings)
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let records = Int(words[0]), let seconds = Double(words[1]), let peak = Int(words[2])
        else { throw CommandFailed(command: "pull: \(line)", status: 1) }
        return (records, seconds, peak)
    }

    /// Pulls all records, and prints their number, the seconds and the peak memory in bytes.
    func pull() async throws {
        let client = try RestClient(instanceURL: url, accessToken: Secret(token))
        let store = try await Self.store(file)
        var report = SyncReport?.none
        let elapsed = try await seconds { report = try await store.pull(SOQL(raw: Self.query), with: client) }
        print("\(report?.pulled ?? 0) \(elapsed) \(ProcessMemory.peak ?? 0)")
        store.close()
    }

    /// Serves an org for the parent.
    static func serve() async throws {
        let records = ProcessInfo.processInfo.environment[recordsVariable].flatMap { Int($0) }
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: records))
        try ServerProcess.serve(port: org.port, token: org.issueCredential().accessToken)
        await org.stop()
    }

    struct Org {
        let process: ServerProcess
        let client: RestClient
        private let file = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())").path

        init(records: Int) throws {
            process = try ServerProcess(area: "sync", settings: [SyncStage.recordsVariable: "\(records)"])
            client = try RestClient(instanceURL: "http://127.0.0.1:\(process.port)", accessToken: Secret(process.token))
        }

        var environment: [String: String] {
            ["SF_INSTANCE_URL": "http://127.0.0.1:\(process.port)", "SF_ACCESS_TOKEN": process.token]
        }

        func filledCopy() async throws -> SyncStore {
            let store = try await SyncStage.store(file)
            try await store.pull("SELECT Id, Name, Phone FROM Account", with: client)
            // The position lies so far behind that no other change can have the same stamp.
            try await Task.sleep(for: .seconds(6))
            try await store.sync(with: client)
            return store
        }

        func stop(_ store: SyncStore) throws {
            store.close()
            for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: file + suffix) }
            client.shutdown()
            try process.stop()
        }
    }
}

/// Python scripts with simple-salesforce, as users write them.
private struct SyncPeer {
    private let python: String

    /// Returns `nil` if the package is missing.
    init?() {
        guard let python = JSONPeer.executable("python3"),
            (try? run(python, ["-c", "import simple_salesforce, sqlite3"])) != nil
        else { return nil }
        self.python = python
    }

    /// Reads all records of a query into a table, and returns the seconds.
    func secondsToPull(_ query: String, to file: String, _ environment: [String: String]) throws -> Double {
        try seconds(["pull", query, file], environment)
    }

    /// Updates records, one after another, and returns the seconds.
    func secondsToUpdate(_ count: Int, _ environment: [String: String]) throws -> Double {
        try seconds(["update", "SELECT Id FROM Account LIMIT \(count)", "\(Int.random(in: 0..<1_000))"], environment)
    }

    private func seconds(_ arguments: [String], _ environment: [String: String]) throws -> Double {
        let said = try output(python, ["-c", Self.script] + arguments, environment: environment)
        guard let seconds = Double(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailed(command: "peer: \(said)", status: 1)
        }
        return seconds
    }

    private static let script = """
        import os, sqlite3, sys, time, requests
        from simple_salesforce import Salesforce
        url = os.environ["SF_INSTANCE_URL"]
        # The package forces https.
        class Loopback(requests.adapters.HTTPAdapter):
            def send(self, request, **kw):
                request.url = url + "/" + request.url.split("/", 3)[3]
                return super().send(request, **kw)
        session = requests.Session()
        session.mount("https://", Loopback())
        sf = Salesforce(instance="localhost", session_id=os.environ["SF_ACCESS_TOKEN"], session=session, version="66.0")
        work, query, value = sys.argv[1:]
        if work == "pull":
            names = [name.strip() for name in query[7:].split(" FROM ")[0].split(",")]
            db = sqlite3.connect(value)
            db.execute("CREATE TABLE Account (" + ", ".join(names) + ", PRIMARY KEY (Id))")
            places = ", ".join("?" for name in names)
            start = time.monotonic()
            records = sf.query_all_iter(query)
            db.executemany("INSERT OR REPLACE INTO Account VALUES (" + places + ")",
                           ([record[name] for name in names] for record in records))
            db.commit()
        else:
            ids = [record["Id"] for record in sf.query_all_iter(query)]
            start = time.monotonic()
            for id in ids:
                sf.Account.update(id, {"Phone": value})
        print(time.monotonic() - start)
        """
}
