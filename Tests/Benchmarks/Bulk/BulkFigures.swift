// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBulk

/// Prints the metrics of bulk work compared with simple-salesforce, both against a scripted server in a separate
/// process.
func bulkFigures() async throws {
    if ServerProcess.isOurs { return try BulkStage.serve() }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("bulk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try ServerProcess(area: "bulk")
    defer { _ = try? server.stop() }
    let client = try RestClient(
        instanceURL: HTTPURL(parsing: "http://127.0.0.1:\(server.port)").origin.description,
        accessToken: Secret(server.token))
    let peer = BulkPeer(directory, port: server.port)
    try await exportFigures(client, peer, directory)
    try await ingestFigures(client, peer, directory)
}

/// Exports a result of many pages to a file.
private func exportFigures(_ client: RestClient, _ peer: BulkPeer?, _ directory: URL) async throws {
    let rows = extent(2_000_000, short: 60_000)
    let path = directory.appendingPathComponent("all.csv").path
    guard ProcessMemory.resetPeak() else { return Figure.absent("bulk.export.memory", peer: "the kernel's peak") }
    func export() async throws {
        let done = try await client.bulk.query("SELECT Id FROM Account LIMIT \(rows)").export(to: path)
        guard done.rows == rows else { throw CommandFailed(command: "export", status: 0) }
    }
    let rate = try await seconds(export)
    Figure(
        name: "bulk.export.memory", value: Double(ProcessMemory.peak ?? 0) / Double(1 << 20), unit: "MiB",
        relation: .atMost, bound: 40
    ).print()
    Figure(name: "bulk.export.rate", value: Double(rows) / rate / 1e6, unit: "million rows/s").print()
    guard let peer else { return Figure.absent("bulk.export", peer: "simple-salesforce") }
    try await Pairs(
        3,
        peerSeconds: {
            let folder = directory.appendingPathComponent("peer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            return try peer.seconds(.download, rows: rows, folder.path)
        },
        ourSeconds: { try await seconds(export) }
    ).figure("bulk.export", atLeast: 10).print()
}

/// Loads rows of a file, and records in memory.
private func ingestFigures(_ client: RestClient, _ peer: BulkPeer?, _ directory: URL) async throws {
    let rows = extent(1_000_000, short: 2_000)
    let path = directory.appendingPathComponent("rows.csv").path
    try Data(BulkStage.text(rows: rows, quoted: false)).write(to: URL(fileURLWithPath: path))
    let some = (0..<1_000).map { row in
        JSONObject(members: BulkStage.record(row).map { (key: $0.0, value: JSONValue($0.1)) })
    }
    let records = (0..<rows).map { some[$0 % some.count] }
    func load(_ source: BulkSource) async throws {
        let done = try await client.bulk.ingest(.insert, into: "Account", from: source).run()
        guard done.processed == rows else { throw CommandFailed(command: "load", status: 0) }
    }
    guard let peer else { return Figure.absent("bulk.ingest", peer: "simple-salesforce") }
    for (work, source) in [(BulkPeer.Work.file, BulkSource.csv(path: path)), (.records, .records(records))] {
        let pairs = try await Pairs(
            3, peerSeconds: { try peer.seconds(work, rows: rows, path) },
            ourSeconds: { try await processorSeconds { try await load(source) } })
        pairs.figure("bulk.ingest.\(work.rawValue)", atLeast: 10).print()
    }
}

/// Returns the CPU time of the work in this process.
private func processorSeconds(_ work: () async throws -> Void) async rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try await work()
    return now() - start
}
