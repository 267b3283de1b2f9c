// SPDX-License-Identifier: Apache-2.0

import EventServers
import Foundation
import RestEvents
import RestTesting
import Synchronization

/// Measures whether events survive broken connections.
func eventFaultFigures() async throws {
    let seeds = extent(10_000, short: 20)
    let tally = FaultTally()
    let next = Atomic(0)
    try await concurrently(8, total: seeds) {
        try await FaultedSubscription(seed: next.add(1, ordering: .relaxed).oldValue, tally: tally).run()
    }
    tally.print(seeds)
}

private final class FaultTally: Sendable {
    struct Counts {
        var (faults, lost, disordered, silentGaps, events) = (0, 0, 0, 0, 0)
    }

    private let counts = Mutex(Counts())

    func add(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    func print(_ seeds: Int) {
        let counts = counts.withLock { $0 }
        let note = "\(seeds) seeds, \(counts.faults) faults, \(counts.events) events"
        for (name, value) in [
            ("lost", counts.lost), ("disordered", counts.disordered), ("silent-gaps", counts.silentGaps),
        ] {
            Figure(
                name: "events.faults.\(name)", value: Double(value), unit: "events", relation: .atMost, bound: 0,
                note: note
            ).print()
        }
    }
}

/// A subscription to two channels of a server that breaks one exchange in three.
private struct FaultedSubscription {
    let seed: Int
    let tally: FaultTally

    private static let (channel, changes) = ("/event/Order__e", "/data/AccountChangeEvent")
    private static let (rounds, perRound) = (8, 10)

    func run() async throws {
        let random = Mutex(SeededGenerator(seed: UInt64(seed)))
        let server = ModelEventServer { [tally] _, _ in
            let fault = random.withLock { Self.fault(&$0) }
            if fault != nil { tally.add { $0.faults += 1 } }
            return fault
        }
        server.state.withLock { $0.batch = 7 }
        let gaps = Mutex(0)
        var options = EventOptions()
        options.bufferSize = 20
        options.onStatus = { status in
            if case .gap(let gap) = status, case .reported = gap.reason { gaps.withLock { $0 += 1 } }
        }
        var expected = [Self.channel: 0, Self.changes: 0]
        publish(0, to: server)
        var events = try client(of: server).events([Self.channel, Self.changes], from: .earliest, options: options)
            .makeAsyncIterator()
        var published = 0
        for number in 0..<2 * Self.rounds * Self.perRound {
            if number % (2 * Self.perRound) == Self.perRound, number / (2 * Self.perRound) + 1 < Self.rounds {
                publish(number / (2 * Self.perRound) + 1, to: server)
            }
            if number == 50 || number == 110 { server.expireToken() }
            guard let event = try? await events.next() else {
                tally.add { $0.lost += 2 * Self.rounds * Self.perRound - number }
                return
            }
            let (n, next) = (event["n"]?.int ?? -1, expected[event.channel] ?? 0)
            if event.changeHeader?.needsReading == true { published += 1 }
            expected[event.channel] = n + 1
            tally.add { counts in
                counts.events += 1
                if n > next { counts.lost += n - next }
                if n < next { counts.disordered += 1 }
            }
        }
        let reported = gaps.withLock { $0 }
        tally.add { $0.silentGaps += max(0, published - reported) }
    }

    private func publish(_ round: Int, to server: ModelEventServer) {
        for number in round * Self.perRound..<(round + 1) * Self.perRound {
            server.publish(Self.channel, ["n": JSONValue(number)])
            let header: JSONValue = [
                "entityName": "Account", "changeType": number % 5 == 0 ? "GAP_UPDATE" : "UPDATE", "recordIds": [],
            ]
            server.publish(Self.changes, ["n": JSONValue(number), "ChangeEventHeader": header])
        }
    }

    private static func fault(_ random: inout SeededGenerator) -> ModelEventServer.Fault? {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: .lost
        case 1: .responseLost
        case 2: .sessionLost
        case 3: .refused
        case 4: .silent
        case 5, 6: .repliesFirst
        case 7: .respond(503, "busy")
        default: nil
        }
    }
}
