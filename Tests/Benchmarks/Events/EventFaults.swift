// SPDX-License-Identifier: Apache-2.0

import EventServers
import Foundation
import RestEvents
import RestTesting
import Synchronization

/// Measures whether events survive broken connections, and how a thousand connections come back.
func eventFaultFigures() async throws {
    let seeds = extent(10_000, short: 20)
    let tally = EventTally()
    let next = Atomic(0)
    try await concurrently(8, total: seeds) {
        try await FaultedExchanges(seed: next.add(1, ordering: .relaxed).oldValue, tally: tally).run()
    }
    tally.print("cometd", seeds)
    #if !canImport(Darwin)
    try await FaultedOrg.figures(seeds: seeds)
    try SessionFaults.figure(seeds: seeds)
    #endif
    try await Reconnects(count: extent(1_000, short: 20)).run()
}

/// The events that subscriptions received, and those that they did not.
final class EventTally: Sendable {
    struct Counts {
        var (faults, events, lost, disordered, gaps, silentGaps) = (0, 0, 0, 0, 0, 0)
    }

    private let counts = Mutex(Counts())

    func add(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    /// Counts an event with a number, and returns the number of the next event in its channel.
    func take(_ number: Int, expecting next: Int) -> Int {
        add { counts in
            counts.events += 1
            if number > next { counts.lost += number - next }
            if number < next { counts.disordered += 1 }
        }
        return max(number + 1, next)
    }

    func print(_ wire: String, _ seeds: Int) {
        let counts = counts.withLock { $0 }
        let note = "\(seeds) seeds, \(counts.faults) faults, \(counts.events) events, \(counts.gaps) gaps"
        for (name, value) in [
            ("lost", counts.lost), ("disordered", counts.disordered), ("silent-gaps", counts.silentGaps),
        ] {
            Figure(
                name: "events.faults.\(wire).\(name)", value: Double(value), unit: "events", relation: .atMost,
                bound: 0, note: note
            ).print()
        }
    }
}

/// A subscription over CometD to two channels of a server that breaks one exchange in three.
private struct FaultedExchanges {
    let seed: Int
    let tally: EventTally

    private static let (channel, changes) = ("/event/Order__e", "/data/AccountChangeEvent")
    private static let (rounds, perRound) = (8, 10)
    private static let total = 2 * rounds * perRound

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
        let client = try client(of: server)
        defer { client.shutdown() }
        var expected = [Self.channel: 0, Self.changes: 0]
        publish(0, to: server)
        var events = client.events([Self.channel, Self.changes], from: .earliest, options: options).makeAsyncIterator()
        var marked = 0
        for number in 0..<Self.total {
            if number % (2 * Self.perRound) == Self.perRound, number / (2 * Self.perRound) + 1 < Self.rounds {
                publish(number / (2 * Self.perRound) + 1, to: server)
            }
            if number == 50 || number == 110 { server.expireToken() }
            guard let event = try? await events.next() else {
                tally.add { $0.lost += Self.total - number }
                break
            }
            if event.changeHeader?.needsReading == true { marked += 1 }
            expected[event.channel] = tally.take(event["n"]?.int ?? -1, expecting: expected[event.channel] ?? 0)
        }
        let reported = gaps.withLock { $0 }
        tally.add { counts in
            counts.gaps += marked
            counts.silentGaps += max(0, marked - reported)
        }
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
        switch Int.random(in: 0..<27, using: &random) {
        case 0: .lost
        case 1: .responseLost
        case 2: .sessionLost
        case 3: .refused
        case 4: .silent
        case 5, 6: .repliesFirst
        case 7: .respond(503, "busy")
        case 8: .slow
        default: nil
        }
    }
}
