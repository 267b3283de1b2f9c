// SPDX-License-Identifier: Apache-2.0

import EventServers
import Foundation
import RestEvents
import RestTesting
import Synchronization

/// Measures whether events survive broken connections, and how a thousand connections come back.
func eventFaultFigures() async throws {
    let seeds = extent(10_000, short: 20)
    let tally = FaultTally()
    let next = Atomic(0)
    try await concurrently(8, total: seeds) {
        try await FaultedSubscription(seed: next.add(1, ordering: .relaxed).oldValue, tally: tally).run()
    }
    tally.print(seeds)
    try sessionFaults(seeds)
    try await Reconnects(count: extent(1_000, short: 20)).run()
}

/// Runs the sessions that the Pub/Sub API uses, two for each seed.
private func sessionFaults(_ seeds: Int) throws {
    var (wrong, cut) = (0, 0)
    for seed in 0..<seeds {
        switch try SessionFaults.outcome(seed: seed) {
        case .complete: break
        case .cut: cut += 1
        case .wrong: wrong += 1
        }
    }
    Figure(
        name: "events.faults.http2", value: Double(wrong), unit: "connections", relation: .atMost, bound: 0,
        note: "\(seeds) seeds, \(cut) connections cut"
    ).print()
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

/// Many connections of one client whose token expires, and whose server then goes away for a while.
private final class Reconnects: Sendable {
    private static let channel = "/event/Order__e"
    /// The failure in a row whose delays are counted: the third has a delay of up to four seconds.
    private static let failure = 2

    private let count: Int
    private let isDown = Mutex(false)
    private let delays: Mutex<[[Duration]]>
    private let connected = Mutex(0)
    private let finished = Mutex(0)

    init(count: Int) {
        self.count = count
        delays = Mutex(Array(repeating: [], count: count))
    }

    func run() async throws {
        let server = ModelEventServer { [self] _, _ in isDown.withLock { $0 } ? .lost : nil }
        // Subscriptions at different positions of a channel do not share a connection.
        let ids = (0..<count).map { server.publish(Self.channel, ["n": JSONValue($0)]) }
        let client = try client(of: server)
        let tasks = ids.enumerated().map { number, id in Task { try await listen(client, number, after: id) } }
        try await wait { connected.withLock { $0 } >= count }
        isDown.withLock { $0 = true }
        server.expireToken()
        try await wait { delays.withLock { $0.allSatisfy { $0.count > Self.failure } } }
        isDown.withLock { $0 = false }
        server.publish(Self.channel, ["n": "last"])
        try await wait { finished.withLock { $0 } >= count }
        for task in tasks { task.cancel() }
        report(renewals: server.state.withLock { $0.renewals })
    }

    private func listen(_ client: RestClient, _ number: Int, after id: Int) async throws {
        var options = EventOptions()
        options.onStatus = { [self] status in
            switch status {
            case .connected: connected.withLock { $0 += 1 }
            case .disconnected(_, let delay): delays.withLock { $0[number].append(delay) }
            default: break
            }
        }
        guard let start = ReplayID("\(id)") else { return }
        for try await event in client.events(Self.channel, from: .after(start), options: options)
        where event["n"]?.string == "last" {
            finished.withLock { $0 += 1 }
            return
        }
    }

    /// Waits until a condition is met, at most a minute.
    private func wait(_ isMet: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isMet(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func report(renewals: Int) {
        Figure(
            name: "events.renewals", value: Double(renewals), unit: "renewals", relation: .atMost, bound: 1,
            note: "\(count) subscriptions of one client"
        ).print()
        Figure(
            name: "events.reconnects.lost", value: Double(count - finished.withLock { $0 }), unit: "subscriptions",
            relation: .atMost, bound: 0
        ).print()
        let third = delays.withLock { $0.compactMap { $0.count > Self.failure ? $0[Self.failure] : nil } }
        var histogram = [Int](repeating: 0, count: 10)
        for delay in third { histogram[min(9, max(0, Int(delay / .milliseconds(400))))] += 1 }
        print("events: delays of the third reconnect in steps of 0.4 s: \(histogram)")
        // A short run has too few delays for a histogram.
        Figure(
            name: "events.reconnects.bunched", value: Double(histogram.max() ?? 0) / Double(max(1, third.count)),
            unit: "", relation: .atMost, bound: extent(0.16, short: 1), note: "the largest share of a tenth"
        ).print()
    }
}
