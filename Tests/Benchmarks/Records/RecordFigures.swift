// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures reading 200,000 records of one query, compared with simple-salesforce and jsforce.
///
/// It also measures writing them as CSV with `soql`, and the memory for ten times as many.
func recordFigures() async throws {
    let records = extent(200_000, short: 4_000)
    guard let pages = try await RecordPages(records: records) else {
        return Figure.absent("records", peer: "nginx")
    }
    defer { pages.stop() }
    let environment = pages.environment
    let python = RecordPeer.simpleSalesforce()
    try await iterate("records.simple-salesforce", beside: python, "records", 15, environment)
    try await iterate("records.jsforce", beside: RecordPeer.jsforce(), "records", 12, environment)
    try await iterate("typed.simple-salesforce", beside: python, "typed", 10, environment)
    try await print("csv.simple-salesforce", beside: python, 12, environment)
    try await print("csv.jsforce", beside: RecordPeer.jsforce(), 8, environment)
    for format in ["csv", "tsv", "ndjson", "json"] {
        // The inverse of the slowdown.
        try await Pairs(7) {
            try await seconds { try read("records", environment) }
        } ourSeconds: {
            try await secondsToPrint(format, environment)
        }.figure("records.printed.\(format)", atLeast: 0.6).print()
    }
    let short = try (0..<readerRuns).map { _ in try outcome("records", environment) }
    Figure(
        name: "records.rate", value: short.median(of: \.thousandsPerSecond), unit: "k/s",
        note: "median of \(readerRuns) runs"
    ).print()
    try await memoryFigures(beside: short.median(of: \.peakMemory), of: records)
}

/// Measures the memory for many records, and its growth.
private func memoryFigures(beside peak: Int, of records: Int) async throws {
    let most = records * 10
    guard let pages = try await RecordPages(records: most) else { return }
    defer { pages.stop() }
    let long = try (0..<readerRuns).map { _ in try outcome("records", pages.environment) }
    let longPeak = long.median(of: \.peakMemory)
    Figure(
        name: "records.memory", value: Double(longPeak) / 1_048_576, unit: "MiB", relation: .atMost, bound: 45,
        note: "\(most) records, median of \(readerRuns) runs"
    ).print()
    Figure(
        name: "records.memory-growth", value: Double(longPeak) / Double(peak), unit: "x", relation: .atMost,
        bound: 1.05, note: "\(most) records against \(records), medians of \(readerRuns) runs each"
    ).print()
}

private let query =
    "SELECT Id, Name, Industry, AnnualRevenue, NumberOfEmployees, IsActive__c, Phone, BillingCity, "
    + "Description, CreatedDate FROM Account"

/// Compares iterators by the time from the first request to the last record, which each process prints.
private func iterate(
    _ name: String, beside peer: RecordPeer?, _ kind: String, _ bound: Double, _ environment: [String: String]
) async throws {
    guard let peer else { return Figure.absent(name, peer: "the peer") }
    try await Pairs(7) {
        try peer.secondsToRead(query, environment)
    } ourSeconds: {
        try outcome(kind, environment).seconds
    }.figure(name, atLeast: bound).print()
}

/// Compares the time from a query to a file, including the start of both programs.
private func print(
    _ name: String, beside peer: RecordPeer?, _ bound: Double, _ environment: [String: String]
) async throws {
    guard let peer else { return Figure.absent(name, peer: "the peer") }
    try await Pairs(7) {
        try await secondsToWrite { try peer.writeCSV(query, to: $0, environment) }
    } ourSeconds: {
        try await secondsToPrint("csv", environment)
    }.figure(name, atLeast: bound).print()
}

/// Reads all records with the library, in a separate process.
private func read(_ kind: String, _ environment: [String: String]) throws {
    try run(CommandLine.arguments[0], ["reader", kind, query], environment: environment)
}

/// Returns the time in which the command writes all records to a file.
private func secondsToPrint(_ format: String, _ environment: [String: String]) async throws -> Double {
    try await secondsToWrite { file in
        try run(soqlProgram, ["--quiet", "--format", format, "-o", file, query], environment: environment)
    }
}

/// Returns the time to write a file, without its removal.
private func secondsToWrite(_ write: (String) throws -> Void) async throws -> Double {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try await seconds { try write(file) }
}

private func outcome(_ kind: String, _ environment: [String: String]) throws -> ReaderOutcome {
    try ReaderOutcome(of: try output(CommandLine.arguments[0], ["reader", kind, query], environment: environment))
}

/// The number of runs, because peaks and rates of one program vary by more than the difference measured.
private let readerRuns = extent(5, short: 1)

/// The output of a reading process.
private struct ReaderOutcome {
    let records: Int
    let seconds: Double
    let peakMemory: Int

    var thousandsPerSecond: Double { Double(records) / seconds / 1_000 }

    init(of line: String) throws {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let records = Int(words[0]), let seconds = Double(words[1]), let memory = Int(words[2])
        else { throw CommandFailed(command: "reader: \(line)", status: 1) }
        (self.records, self.seconds, peakMemory) = (records, seconds, memory)
    }
}

extension [ReaderOutcome] {
    fileprivate func median<Value: Comparable>(of value: (ReaderOutcome) -> Value) -> Value {
        map(value).sorted()[count / 2]
    }
}
