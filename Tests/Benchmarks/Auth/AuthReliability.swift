// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK

/// Measures whether a login survives killed processes, processes that share it, and damage to its file.
///
/// For the processes that renew, this program runs itself as `RestBenchmarks auth`, without output.
func authReliabilityFigures() async throws {
    if try await RelinkingWorker.runIfAsked() { return }
    if let folder = ProcessInfo.processInfo.environment[AuthWorker.directoryVariable] {
        return try await AuthWorker(folder: folder).run()
    }
    try await renewalFigures()
    try await canaryFigure()
    try await sharedLoginFigures()
    try await killFigures(rotation: .grace, rounds: extent(500, short: 2))
    try await killFigures(rotation: .strict, rounds: extent(500, short: 2))
    try await damageFigures()
}

/// Measures eight processes that renew one account a hundred times each, with tokens that can be used only once.
private func sharedLoginFigures() async throws {
    let (processes, renewals) = extent((8, 100), short: (2, 2))
    let bench = try await AuthBench(rotation: .strict)
    let failed = await withTaskGroup { group in
        for _ in 0..<processes { group.addTask { await bench.child(["RENEWALS": "\(renewals)"]) != 0 } }
        return await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    let rejections = bench.rejections
    let total = bench.org.journal.entries.filter { $0.pathHasSuffix("/token") && $0.status == 200 }.count
    let isAlive = (try? await bench.renew()) != nil
    Figure(
        name: "auth.processes.revoked", value: isAlive ? 0 : 1, unit: "families", relation: .atMost, bound: 0,
        note: "\(processes) processes, \(total) exchanges, strict rotation"
    ).print()
    Figure(
        name: "auth.processes.refusals", value: Double(rejections + failed), unit: "refusals", relation: .atMost,
        bound: 0
    ).print()
    Figure(
        name: "auth.processes.exchanges", value: Double(total), unit: "exchanges", relation: .atLeast,
        bound: Double(processes * renewals)
    ).print()
    await bench.close()
}

/// Measures two processes that renew until each is killed at a random time, repeatedly.
///
/// Afterwards the store must be readable and the login alive.
private func killFigures(rotation: RefreshRotation, rounds: Int) async throws {
    let bench = try await AuthBench(rotation: rotation)
    var tally = KillTally()
    for _ in 0..<rounds {
        // A child runs up to 40 ms after its first renewal began, and one renewal takes a few milliseconds.
        async let first = bench.child(["KILL": "\(Int.random(in: 0..<40_000))"])
        async let second = bench.child(["KILL": "\(Int.random(in: 0..<40_000))"])
        for status in await [first, second] where status == SIGKILL { tally.kills += 1 }
        await tally.examine(bench)
    }
    let name = rotation == .grace ? "auth.kill.grace" : "auth.kill.strict"
    Figure(
        name: "\(name).readable", value: Double(tally.readable), unit: "stores", relation: .atLeast,
        bound: Double(rounds), note: "\(tally.kills) processes killed"
    ).print()
    if rotation == .grace {
        Figure(
            name: "\(name).logins", value: Double(tally.noted + tally.unexplained), unit: "logins", relation: .atMost,
            bound: 0
        ).print()
    } else {
        Figure(
            name: "\(name).unexplained", value: Double(tally.unexplained), unit: "logins", relation: .atMost, bound: 0,
            note: "\(tally.noted) logins were lost to a kill during a noted renewal, which no client can prevent"
        ).print()
    }
    await bench.close()
}

/// The results of the kills.
private struct KillTally {
    var kills = 0
    var readable = 0
    /// Logins that ended after a kill between the journal entry and the response.
    var noted = 0
    /// Logins that ended for another reason.
    var unexplained = 0

    /// Reads the store, renews again, and logs in again if the login has ended.
    mutating func examine(_ bench: AuthBench) async {
        guard let stored = try? await bench.store.load(AuthBench.account) else { return }
        readable += 1
        do {
            _ = try await bench.renew()
        } catch {
            let isNoted = (error as? OAuthError)?.code == .rotationOutcomeUnknown && stored.renewal != .settled
            if isNoted { noted += 1 } else { unexplained += 1 }
            _ = try? await bench.store.save(
                bench.login(), for: AuthBench.account,
                replacing: try? bench.store.load(AuthBench.account)?.version)
        }
    }
}
