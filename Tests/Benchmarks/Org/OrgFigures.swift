// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// Measures the embedded org on a file with a million accounts and three million contacts.
func orgFigures() async throws {
    if try await OrgFile.serveIfAsked() { return }
    try await orgBulkFigure()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("org-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try OrgStart(folder: folder, accounts: extent(1_000_000, short: 2_000))?.print()
    let file = OrgFile(
        path: folder + "/org.db", accounts: extent(1_000_000, short: 2_000), contacts: extent(3_000_000, short: 6_000))
    let made = try file.serve().stop()
    let org = try file.serve()
    let reader = try OrgReader(org)
    try await firstPageFigures(reader)
    try await OrgOrdinaryQueries(reader).print()
    try await crowdFigure(reader)
    try await pagingFigure(reader, file)
    try await logFigure(reader, file)
    Figure(
        name: "org.memory", value: Double(max(made, try org.stop())) / Double(1 << 20), unit: "MiB", relation: .atMost,
        bound: 64, note: "the most while the file was made, \(made >> 20), or read and written"
    ).print()
    let idle = try OrgFile(path: folder + "/sample.db", accounts: 0).serve().stop()
    Figure(
        name: "org.memory.idle", value: Double(idle) / Double(1 << 20), unit: "MiB", relation: .atMost, bound: 64,
        note: "an org with the sample data"
    ).print()
}

/// Measures first pages that an index serves.
private func firstPageFigures(_ reader: OrgReader) async throws {
    let queries = [
        ("order", "SELECT Id, Name FROM Account ORDER BY Name"),
        ("group", "SELECT Industry, COUNT(Id) n FROM Account GROUP BY Industry"),
        ("distinct", "SELECT COUNT_DISTINCT(Name) n FROM Account"),
    ]
    for (name, query) in queries {
        Figure(
            name: "org.page.\(name)", value: try await reader.time(of: query), unit: "s", relation: .atMost, bound: 0.5,
            note: query
        ).print()
    }
}

/// Measures short queries, one after another, while four clients group all accounts by a field without an index.
private func crowdFigure(_ reader: OrgReader) async throws {
    let slow = "SELECT BillingCity, COUNT(Id) n, SUM(AnnualRevenue) s FROM Account GROUP BY BillingCity"
    let background = (0..<4).map { _ in
        Task {
            var count = 0
            while !Task.isCancelled, (try? await reader.page(slow)) != nil { count += 1 }
            return count
        }
    }
    var waits: [Duration] = []
    let end = ContinuousClock.now + .seconds(extent(10, short: 1))
    while ContinuousClock.now < end {
        let clock = ContinuousClock()
        waits.append(try await clock.measure { _ = try await reader.page("SELECT Id FROM Account LIMIT 1") })
    }
    var groups = 0
    for task in background {
        task.cancel()
        groups += await task.value
    }
    let (p99, worst) = tail(waits)
    Figure(
        name: "org.crowd", value: p99.milliseconds, unit: "ms", relation: .atMost, bound: 20,
        note: "p99 of \(waits.count) LIMIT 1, worst \(rounded(worst.milliseconds)) ms, beside \(groups) GROUP BY"
    ).print()
}

/// Measures all accounts, page by page, compared with the shell that prints the same rows from the file.
private func pagingFigure(_ reader: OrgReader, _ file: OrgFile) async throws {
    guard let shell = JSONPeer.executable("sqlite3") else { return Figure.absent("org.paging", peer: "sqlite3") }
    let fields = "Id, Name, Industry, AnnualRevenue, NumberOfEmployees, CreatedDate"
    let pairs = try await Pairs(3) {
        try run(shell, ["-json", file.path, "SELECT \(fields) FROM Account"])
    } ours: {
        var count = 0
        for try await page in reader.client.pages(SOQL("SELECT \(raw: fields) FROM Account")) {
            count += page.records.count
        }
        guard count >= file.accounts else { throw CommandFailed(command: "paging", status: 0) }
    }
    pairs.figure("org.paging", atLeast: 0.5).print()
}

/// Measures the write-ahead log while four clients write and four read continuously.
private func logFigure(_ reader: OrgReader, _ file: OrgFile) async throws {
    let end = ContinuousClock.now + .seconds(extent(10, short: 1))
    let readers = (0..<4).map { _ in
        Task {
            while ContinuousClock.now < end {
                _ = try? await reader.page("SELECT BillingCity, COUNT(Id) n FROM Account GROUP BY BillingCity")
            }
        }
    }
    let writers = (0..<4).map { _ in
        Task {
            var count = 0
            while ContinuousClock.now < end {
                let name = RestRequest.create("Account", ["Name": "Steady", "Industry": "Energy"])
                if (try? await reader.client.send(name.timeout(OrgReader.patience))) != nil { count += 1 }
            }
            return count
        }
    }
    var most = 0
    while ContinuousClock.now < end {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        most = max(most, (attributes?[.size] as? Int) ?? 0)
        try await Task.sleep(for: .milliseconds(20))
    }
    for task in readers { await task.value }
    var written = 0
    for task in writers { written += await task.value }
    Figure(
        name: "org.log", value: Double(most) / Double(1 << 20), unit: "MiB", relation: .atMost, bound: 80,
        note: "the longest while \(written) records were written"
    ).print()
}
