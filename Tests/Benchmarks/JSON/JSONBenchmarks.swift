// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON

/// The number of records of the page.
private let records = extent(2_000, short: 50)

/// Prints the metrics of JSON and their baselines, for one random page.
func jsonFigures() async throws {
    let page = try JSONPage(records: records)
    let data = Data(page.bytes)
    print("json: page of \(page.bytes.count) bytes, \(records) records")
    let parse = meanSeconds { consume(try? JSONDocument(parsing: page.bytes)) }
    print("json: validated parse \(Int(Double(page.bytes.count) / parse / 1e6)) MB/s")
    try await parseFigures(page, data)
    try await readFigures(page, data)
    try await codableFigures(page, data)
    jsonMemoryFigure(page)
}

/// Prevents the optimizer from removing work whose result is not used.
@inline(never)
func consume<T>(_ value: T) {}

/// Measures parsing bytes to a validated document.
private func parseFigures(_ page: JSONPage, _ data: Data) async throws {
    let ours = { try meanSeconds { consume(try JSONDocument(parsing: page.bytes)) } }
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try JSONSerialization.jsonObject(with: data)) } }, ourSeconds: ours
    )
    .figure("json.parse-vs-jsonserialization", atLeast: 25).print()
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("json-peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("page.json")
    try data.write(to: file)
    let peers = [
        ("json.parse-vs-node", "node", 2.5, JSONPeer.node(page: file, directory: directory)),
        (
            "json.parse-vs-simdjson-dom", "libsimdjson-dev or a C++ compiler", 0.9,
            JSONPeer.simdjson(page: file, directory: directory)
        ),
    ]
    for (name, label, bound, peer) in peers {
        guard let peer else {
            Figure.absent(name, peer: label)
            continue
        }
        try await Pairs(7, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: ours)
            .figure(name, atLeast: bound).print()
    }
}

/// Measures parsing, and reading ten fields of each record.
private func readFigures(_ page: JSONPage, _ data: Data) async throws {
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try foundationSum(data)) } },
        ourSeconds: { try meanSeconds { consume(try ourSum(page.bytes)) } }
    )
    .figure("json.read-ten-fields-vs-jsonserialization", atLeast: 15).print()
    guard try foundationSum(data) == ourSum(page.bytes) else { throw JSONBenchmarkError.differentResults }
}

private func foundationSum(_ data: Data) throws -> Int {
    let names = JSONPage.textFields
    var sum = 0
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
        let records = root["records"] as? [[String: Any]]
    else { return 0 }
    for record in records {
        for name in names {
            sum += (record[name] as? String)?.utf8.count ?? 0
        }
        sum += Int(record["AnnualRevenue"] as? Double ?? 0)
        sum += record["NumberOfEmployees"] as? Int ?? 0
        sum += record["IsActive__c"] as? Bool == true ? 1 : 0
    }
    return sum
}

private func ourSum(_ bytes: [UInt8]) throws -> Int {
    let names = JSONPage.textFields
    var sum = 0
    for record in try JSONValue(parsing: bytes)["records"]?.array ?? [] {
        for name in names {
            sum += record[name]?.string?.utf8.count ?? 0
        }
        sum += Int(record["AnnualRevenue"]?.double ?? 0)
        sum += record["NumberOfEmployees"]?.int ?? 0
        sum += record["IsActive__c"]?.bool == true ? 1 : 0
    }
    return sum
}

private func codableFigures(_ page: JSONPage, _ data: Data) async throws {
    let decoder = JSONDecoder()
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try decoder.decode(JSONAccountPage.self, from: data)) } },
        ourSeconds: { try meanSeconds { consume(try JSONAccountPage(json: page.bytes)) } }
    )
    .figure("json.decode-vs-jsondecoder", atLeast: 8).print()
    let accounts = try decoder.decode(JSONAccountPage.self, from: data)
    guard try JSONAccountPage(json: page.bytes) == accounts else { throw JSONBenchmarkError.differentResults }
    let encoder = JSONEncoder()
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try encoder.encode(accounts)) } },
        ourSeconds: { try meanSeconds { consume(try accounts.json()) } }
    )
    .figure("json.encode-vs-jsonencoder", atLeast: 5).print()
    guard try JSONAccountPage(json: accounts.json()) == accounts else { throw JSONBenchmarkError.differentResults }
}

/// The reason why a comparison is meaningless.
enum JSONBenchmarkError: Error {
    case differentResults
}
