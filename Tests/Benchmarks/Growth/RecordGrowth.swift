// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// Measures the cost of one record in results of 2,000 to 20,000,000 records, from a server in a separate process.
///
/// The cost is elapsed time, and CPU time of this process. A first result is read before, so that process start and
/// first connection do not count. A short result is read repeatedly, up to 200,000 records.
func recordGrowthFigures() async throws {
    if ServerProcess.isOurs { return try PageStage.serve() }
    let server = try ServerProcess(area: "growth.records")
    let client = try RestClient(instanceURL: "http://127.0.0.1:\(server.port)", accessToken: Secret(server.token))
    let usual = extent([2_000, 20_000, 200_000, 2_000_000], short: [2_000, 4_000])
    let longest = extent([20_000_000], short: [])
    var wall = GrowthCurve("growth.records", of: "records", amounts: usual + longest)
    var processor = GrowthCurve("growth.records.cpu", of: "records", amounts: usual + longest)

    func measure(_ amount: Int) async throws {
        let times = max(1, extent(200_000, short: 0) / amount)
        let start = processorSeconds()
        let elapsed = try await seconds { for _ in 0..<times { try await read(amount, by: client) } }
        wall.add(elapsed / Double(times * amount), at: amount)
        processor.add((processorSeconds() - start) / Double(times * amount), at: amount)
    }
    try await read(usual[usual.count - 2], by: client)
    // The same number of rounds before and after the longest result, so that a slower machine affects both.
    let rounds = extent(3, short: 1)
    for _ in 0..<rounds { for amount in usual { try await measure(amount) } }
    for amount in longest { try await measure(amount) }
    for _ in 0..<rounds { for amount in usual { try await measure(amount) } }
    for figure in wall.figures(atMost: 1.1) + processor.figures(atMost: 1.1) { figure.print() }
    client.shutdown()
    try server.stop()
}

private func read(_ amount: Int, by client: RestClient) async throws {
    var count = 0
    for try await record in client.records(SOQL(raw: PageStage.query(records: amount)))
    where record["Name"]?.string != nil { count += 1 }
    guard count == amount else { throw CommandFailed(command: "\(count) records of \(amount)", status: 1) }
}
