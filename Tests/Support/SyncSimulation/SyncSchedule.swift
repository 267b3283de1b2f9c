// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import LocalServer
import RestBase
import RestJSON
import RestModels
import RestSync
import RestTransport
import Synchronization

/// Two to five copies and an org that change at random, with lost responses, ends of processes and interleaved syncs.
///
/// Each writer has a field of its own, in which the last edit must win everywhere. All write one shared field and the
/// references between records, and some delete, restore or merge records.
package final class SyncSchedule: Sendable {
    struct State {
        var random: SplitMix64
        var ledger = SyncLedger()
        var number = 0
        /// The new records whose creator does not know yet whether the org has them, with their parents.
        var fresh: [String: (copy: Int, id: String, parent: String?)] = [:]
        /// Whether the network is reliable and no writer interferes.
        var isCalm = false
        /// The copies whose requests are being handled, so that a copy does not sync within another's nested sync.
        var depth = 0
    }

    let org: SimulatedOrg
    let run: String
    let copies: [SimulatedCopy]
    let state: Mutex<State>
    /// Whether the steps are printed.
    let isTraced: Bool
    /// Whether two changes of a record can have the same second, within which a server checks no condition.
    let isHasty: Bool

    private init(seed: UInt64, on org: SimulatedOrg, in directory: String, isTraced: Bool) {
        self.isTraced = isTraced
        var random = SplitMix64(seed: seed)
        let run = "s\(seed)"
        (self.org, self.run) = (org, run)
        isHasty = Int.random(in: 0..<8, using: &random) == 0
        let count = [2, 2, 2, 3, 3, 4, 5].randomElement(using: &random) ?? 2
        copies = (0..<count).map { SimulatedCopy($0, in: directory, run: run, random: &random) }
        state = Mutex(State(random: random))
    }

    /// Runs the schedule of a seed.
    ///
    /// - Parameters:
    ///   - seed: the seed, which makes the schedule, apart from random ids.
    ///   - org: an org that runs no other schedule at the same time.
    ///   - directory: the directory of the copies' files, which are removed at the end.
    ///   - isTraced: whether each step is printed.
    /// - Returns: the broken promises.
    package static func run(
        seed: UInt64, on org: SimulatedOrg, in directory: String, isTraced: Bool = false
    ) async -> [SyncFault] {
        let schedule = SyncSchedule(seed: seed, on: org, in: directory, isTraced: isTraced)
        for (number, network) in org.networks.enumerated() {
            network.use { (request) async throws(TransportError) in try await schedule.handle(request, of: number) }
        }
        do { try await schedule.run() } catch { schedule.note { $0.report(.error("\(error)")) } }
        for network in org.networks { network.use(nil) }
        for copy in schedule.copies {
            copy.close()
            for suffix in ["", "-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: copy.path + suffix)
            }
        }
        return schedule.state.withLock { $0.ledger.faults }
    }

    private func run() async throws {
        // Each schedule begins with a whole minute, so that it does not depend on those before.
        org.advance(by: 60_000 - Int(org.time % 60_000))
        // Each client begins with a valid token.
        state.withLock { $0.isCalm = true }
        _ = try await org.clients[SimulatedOrg.mostCopies].send(.query("SELECT Id FROM Account LIMIT 1"))
        for _ in 0..<roll(4) { try await createInOrg() }
        for copy in copies {
            try await copy.open()
            try await copy.store?.pull(copy.query, with: org.clients[copy.number])
        }
        state.withLock { $0.isCalm = false }
        for _ in 0..<(10 + roll(20)) {
            // Sometimes so long that a window of changes does not contain the last records.
            org.advance(by: roll(5) == 0 ? 1_000 * roll(1_500) : roll(4_000))
            let copy = copies[roll(copies.count)]
            switch roll(10) {
            case 0, 1: try await changeOrg()
            case 2, 3, 4: try edit(copy)
            case 5: try resolve(copy)
            default: try await sync(copy)
            }
        }
        try await settle()
        try await check()
    }

    // MARK: - Chance and notes

    func roll(_ count: Int) -> Int { state.withLock { Int.random(in: 0..<count, using: &$0.random) } }

    func nextNumber() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    func trace(_ line: @autoclosure () -> String) { if isTraced { print(line()) } }

    func note(_ change: (inout SyncLedger) -> Void) { state.withLock { change(&$0.ledger) } }

    /// Whether other writers may change a record.
    ///
    /// Without a key, a copy finds a new record whose creation had an unknown outcome by its values.
    func isSettled(_ name: String) -> Bool {
        let fresh = state.withLock { $0.fresh }
        for (known, record) in fresh where known == name || record.parent == name {
            guard let current = try? copies[record.copy].store?.currentID(of: record.id), current != record.id else {
                return false
            }
            state.withLock { _ = $0.fresh.removeValue(forKey: known) }
        }
        return true
    }

    // MARK: - The network

    /// Handles a request of a client, or loses it.
    private func handle(_ request: HTTPRequest, of number: Int) async throws(TransportError) -> HTTPResponse {
        if request.url.path.hasSuffix("/token") { return org.respond(to: request) }
        let isWrite = request.method != .get
        let isCalm = state.withLock(\.isCalm)
        org.advance(by: isCalm ? 1_000 : isHasty ? roll(700) : (isWrite ? 1_000 : 0) + roll(1_500))
        guard number < copies.count else { return try answer(request, of: number) }
        let copy = copies[number]
        guard !isCalm else { return try answer(request, of: number) }
        await interfere(with: copy)
        let chance = roll(40)
        trace("  \(number) sends \(request.method) \(request.text) with chance \(chance)")
        switch chance {
        case 0: throw TransportError(.notConnected, "simulated", mayHaveReachedServer: false)
        case 1: throw TransportError(.connectionLost, "simulated", mayHaveReachedServer: true)
        case 2, 3, 4:
            _ = try answer(request, of: number)
            throw TransportError(.connectionLost, "simulated", mayHaveReachedServer: true)
        case 5: return HTTPResponse(head: HTTPResponse.Head(status: 503))
        case 6:
            _ = try answer(request, of: number)
            return HTTPResponse(head: HTTPResponse.Head(status: 503))
        case 7:
            org.org.faults.expireAccessTokens()
            return try answer(request, of: number)
        case 8:
            let response = try answer(request, of: number)
            return HTTPResponse(head: response.head, body: Array(response.body.dropLast(1 + roll(40))))
        case 9:
            copy.kill()
            throw TransportError(.connectionLost, "simulated", mayHaveReachedServer: true)
        case 10, 11:
            _ = try answer(request, of: number)
            copy.kill()
            throw TransportError(.connectionLost, "simulated", mayHaveReachedServer: true)
        default: return try answer(request, of: number)
        }
    }

    private func answer(_ request: HTTPRequest, of number: Int) throws(TransportError) -> HTTPResponse {
        let copy = number < copies.count ? copies[number] : nil
        let response = org.respond(to: request, skew: copy?.skew ?? 0)
        trace("  \(number) gets \(response.head.status) \(String(decoding: response.body.prefix(600), as: UTF8.self))")
        guard request.method != .get else { return response }
        do {
            let records = try org.records(of: run)
            note {
                $0.observed(records, after: number, mayOverwrite: isHasty || copy == nil || copy?.overwrites == true)
            }
        } catch {
            throw TransportError(.other, "the org's records cannot be read: \(error)", mayHaveReachedServer: true)
        }
        return response
    }

    /// Lets other writers act between two requests of a sync.
    private func interfere(with copy: SimulatedCopy) async {
        do {
            switch roll(14) {
            case 0: try edit(copy)
            case 1: try await changeOrg()
            case 2:
                let isOuter = state.withLock { state in
                    state.depth += 1
                    return state.depth == 1
                }
                defer { state.withLock { $0.depth -= 1 } }
                let other = copies[roll(copies.count)]
                if isOuter, !other.isSyncing { try await sync(other) }
            default: break
            }
        } catch {
            note { $0.report(.error("between requests: \(error)")) }
        }
    }
}

extension HTTPRequest {
    fileprivate var text: String {
        let target = (try? PercentEncoding.decode(url.target)) ?? url.target
        return "\(target) \(String(decoding: (body.inMemory ?? []).prefix(1_000), as: UTF8.self))"
    }
}
