// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestCSV

/// Prints the metrics of CSV and their baselines, for one random table.
func csvFigures() async throws {
    let table = try CSVTableSample(records: extent(100_000, short: 50))
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("csv-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("table.csv")
    try Data(table.bytes).write(to: file)
    print("csv: table of \(table.bytes.count) bytes, \(table.rows.count) rows")
    guard try table.fieldBytes() == table.rows.joined().reduce(0, { $0 + $1.utf8.count }) else {
        throw JSONBenchmarkError.differentResults
    }
    try await pythonFigure("csv.read.python", JSONPeer.csv(.read, file: file, directory: directory)) {
        try meanSeconds { consume(try table.fieldBytes()) }
    }
    try await pythonFigure("csv.write.python", JSONPeer.csv(.write, file: file, directory: directory)) {
        try meanSeconds { consume(try table.write()) }
    }
    try await plainFigures(table, JSONPeer.lineCount(file: file, directory: directory))
}

private func pythonFigure(_ name: String, _ peer: JSONPeer?, ours: () throws -> Double) async throws {
    guard let peer else { return Figure.absent(name, peer: "python3") }
    try await Pairs(7, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: ours).figure(name, atLeast: 8).print()
}

/// Measures the speed of finding rows without quotes, and compares it with counting line feeds in C.
private func plainFigures(_ table: CSVTableSample, _ peer: JSONPeer?) async throws {
    let times = try (0..<extent(7, short: 1)).map { _ in try meanSeconds { consume(try table.rowCount()) } }.sorted()
    Figure(
        name: "csv.read.plain", value: Double(table.bytes.count) / times[times.count / 2] / 1e9, unit: "GB/s"
    ).print()
    guard let peer else { return Figure.absent("csv.read.scan", peer: "a C compiler") }
    let pairs = try await Pairs(
        7, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: { try meanSeconds { consume(try table.rowCount()) } })
    let ratios = pairs.ratios.map { 1 / $0 }.sorted()
    Figure(
        name: "csv.read.scan", value: ratios.median, unit: "x", sides: pairs.sides,
        note: "the time of memchr for the line feeds; min \(rounded(ratios.first ?? 0)) "
            + "max \(rounded(ratios.last ?? 0)) of \(ratios.count) pairs"
    ).print()
}
