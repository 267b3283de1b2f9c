// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Synchronization

/// Measures ten thousand calls through a network that breaks 30 % of exchanges, according to the org's journal.
func mixedCallFigures() async throws {
    let total = extent(10_000, short: 40)
    let bench = try await MixedCalls()
    let next = Atomic(0)
    try await concurrently(32, total: total) {
        await bench.call(next.add(1, ordering: .relaxed).oldValue)
    }
    let tally = await bench.tally(total)
    let note = "\(total) calls, \(tally.succeeded) succeeded, \(tally.unknown) writes with unknown outcome"
    for (name, value) in [
        ("lost", tally.lost), ("duplicated", tally.duplicated), ("misclassified", tally.misclassified),
    ] {
        Figure(
            name: "pipeline.mixed.\(name)", value: Double(value.count), unit: "calls", relation: .atMost, bound: 0,
            note: value.first ?? note
        ).print()
    }
}

/// An org with a faulty proxy in front of it, and the results that its callers received.
private final class MixedCalls: Sendable {
    struct Tally {
        var succeeded = 0
        var unknown = 0
        /// Reported as done but not done, or not reported.
        var lost: [String] = []
        var duplicated: [String] = []
        /// Reported with a false outcome.
        var misclassified: [String] = []
    }

    private enum Told {
        case success(isRight: Bool)
        case failure(RestError)
    }

    private let org: LocalOrg
    private let proxy: FaultProxy
    private let client: RestClient
    private let accounts: [String]
    private let told = Mutex<[Int: [Told]]>([:])

    init() async throws {
        var settings = LocalOrgConfiguration()
        settings.journalCapacity = 200_000
        org = try await LocalOrg.start(settings)
        // Without TLS, a changed request cannot be detected, and the org would do something else.
        let kinds = NetworkFault.Kind.allCases.filter { $0 != .corruptRequest }
        proxy = try FaultProxy(to: org.port, plan: FaultPlan(seed: 2026, probability: 0.3, kinds: kinds))
        let token = Secret(org.issueCredential().accessToken)
        let direct = try RestClient(instanceURL: org.instanceURL, accessToken: token)
        let payload = try await direct.send(.query("SELECT Id FROM Account LIMIT 40")).payload
        accounts = payload["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
        client = try RestClient(
            instanceURL: "\(proxy.origin)", accessToken: token,
            configuration: RestClient.Configuration(timeout: .seconds(1)))
    }

    /// Sends the call with a number, and records the caller's result.
    func call(_ number: Int) async {
        let request = request(number)
        let outcome: Told
        do throws(RestError) {
            let response = try await client.send(request)
            outcome = .success(isRight: request.isWrite || response.payload["records"]?.array?.count == 1)
        } catch {
            outcome = .failure(error)
        }
        told.withLock { $0[number, default: []].append(outcome) }
    }

    private func request(_ number: Int) -> RestRequest {
        let (key, account) = ("mixed-\(number)-", accounts[number % accounts.count])
        switch number % 10 {
        case 0...3: return .query("SELECT Id, Name FROM Account WHERE Id = \(account)")
        case 4...6: return .create("Account", ["Name": .init(key)])
        case 7, 8: return .upsert("Account", externalID: "ExternalId__c", key, ["Name": .init(key)])
        default: return .update("Account", id: account, ["Name": .init(key)])
        }
    }

    /// Stops everything and compares the callers' results with the org's journal.
    func tally(_ total: Int) async -> Tally {
        await proxy.stop()
        await org.stop()
        var applied: [Int: Int] = [:]
        for entry in org.journal.entries where (200..<300).contains(entry.status ?? 0) && entry.method != "GET" {
            let parts = String(decoding: entry.body, as: UTF8.self).split(separator: "mixed-", maxSplits: 1)
            guard let number = parts.last?.split(separator: "-").first.flatMap({ Int($0) }) else { continue }
            applied[number, default: 0] += 1
        }
        var tally = Tally()
        for number in 0..<total { judge(number, applied: applied[number] ?? 0, &tally) }
        return tally
    }

    private func judge(_ number: Int, applied: Int, _ tally: inout Tally) {
        let request = request(number)
        let name = "call \(number), \(request.name), done \(applied) times"
        let outcomes = told.withLock { $0[number] ?? [] }
        guard outcomes.count == 1, let outcome = outcomes.first else { return tally.lost.append(name) }
        if request.isWrite, !request.isIdempotent, applied > 1 { tally.duplicated.append(name) }
        switch outcome {
        case .success(let isRight):
            tally.succeeded += 1
            if !isRight { tally.misclassified.append(name) }
            if request.isWrite, applied == 0 { tally.lost.append(name) }
        case .failure(let error):
            if error.outcome == .unknown { tally.unknown += 1 }
            let isTrue =
                switch error.outcome {
                case .applied: applied > 0
                case .notApplied: applied == 0
                case .unknown: request.isWrite
                case nil: !request.isWrite
                }
            if !isTrue { tally.misclassified.append("\(name): \(error)") }
        }
    }
}
