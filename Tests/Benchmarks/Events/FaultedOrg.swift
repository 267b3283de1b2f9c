// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import EmbeddedOrg
import Foundation
import RestEvents
import RestTesting
import Synchronization
import TestSupport

/// An org whose Pub/Sub API fails on command, and to which every second connection is slow or breaks.
final class FaultedOrg: Sendable {
    private static let (channel, changes) = ("/event/Order__e", "/data/AccountChangeEvent")
    private static let (rounds, perRound) = (8, 10)
    /// A round has as many platform events as changes of records, and a gap.
    private static let total = rounds * (2 * perRound + 1)

    private let org: LocalOrg
    private let publisher: RestClient
    private let accounts: [String]
    private let tally: EventTally

    /// Runs the seeds on several orgs at a time.
    static func figures(seeds: Int) async throws {
        let tally = EventTally()
        let next = Atomic(0)
        try await concurrently(8, total: 8) {
            let bench = try await FaultedOrg(tally)
            do {
                while true {
                    let seed = next.add(1, ordering: .relaxed).oldValue
                    guard seed < seeds else { break }
                    try await bench.run(seed)
                }
            } catch {
                await bench.org.stop()
                throw error
            }
            await bench.org.stop()
        }
        tally.print("pubsub", seeds)
    }

    private init(_ tally: EventTally) async throws {
        self.tally = tally
        var configuration = LocalOrgConfiguration()
        configuration.schema = try OrgSchema(
            describe: Array(#"{"name": "Order__e", "fields": [{"name": "n__c", "type": "int"}]}"#.utf8))
        configuration.events.changedObjects = ["Account"]
        configuration.events.dailyDeliveries = .max
        org = try await LocalOrg.start(configuration)
        publisher = try Self.client(org)
        let payload = try await publisher.send(.query("SELECT Id FROM Account LIMIT \(Self.perRound)")).payload
        accounts = payload["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
        guard accounts.count == Self.perRound else { throw CommandFailed(command: "accounts", status: 1) }
    }

    private static func client(
        _ org: LocalOrg, _ configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws -> RestClient {
        try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
    }

    private func run(_ seed: Int) async throws {
        let random = Mutex(SeededGenerator(seed: UInt64(seed)))
        let proxy = try BytesProxy(to: org.port) { [tally] in
            let fault = random.withLock { Self.connectionFault(&$0) }
            if fault != nil { tally.add { $0.faults += 1 } }
            return fault
        }
        defer { proxy.stop() }
        let gaps = Mutex(0)
        let received = Watched(0)
        var options = EventOptions()
        (options.bufferSize, options.wire) = (20, .pubSub(at: proxy.origin))
        options.onStatus = { status in
            if case .gap(let gap) = status, case .reported = gap.reason { gaps.withLock { $0 += 1 } }
        }
        let clock = ManualClock(alarmsBeyond: .seconds(45))
        let client = try Self.client(org, RestClient.Configuration(clock: clock))
        defer { client.shutdown() }
        let pace = Task { await Self.pass(clock, client, received) }
        defer { pace.cancel() }
        var (expected, marked) = ([Self.channel: 0, Self.changes: 0], 0)
        org.events.expire()
        try await publish(0)
        var events = client.events([Self.channel, Self.changes], from: .earliest, options: options).makeAsyncIterator()
        for number in 0..<Self.total {
            let perRound = Self.total / Self.rounds
            if number % perRound == Self.perRound, number / perRound + 1 < Self.rounds {
                try await publish(number / perRound + 1)
            }
            if number == 50 || number == 110 { org.faults.expireAccessTokens() }
            random.withLock { command(&$0) }
            guard let event = try? await events.next() else {
                tally.add { $0.lost += Self.total - number }
                break
            }
            received.update { $0 += 1 }
            if event.changeHeader?.needsReading == true {
                marked += 1
            } else {
                let number = event["n__c"]?.int ?? event["Phone"]?.string.flatMap { Int($0) } ?? -1
                expected[event.channel] = tally.take(number, expecting: expected[event.channel] ?? 0)
            }
        }
        let reported = gaps.withLock { $0 }
        tally.add { [marked] counts in
            counts.gaps += marked
            counts.silentGaps += max(0, Self.rounds - reported)
        }
    }

    private func publish(_ round: Int) async throws {
        let numbers = round * Self.perRound..<(round + 1) * Self.perRound
        let events = numbers.map { Record.Draft("Order__e", ["n__c": JSONValue($0)]) }
        let updates = zip(numbers, accounts).map { number, id in
            Record.Draft("Account", id: id, ["Phone": JSONValue("\(number)")])
        }
        _ = try await publisher.send(.create(events)).get()
        _ = try await publisher.send(.update(updates)).get()
        guard org.events.report(.update, of: "Account", ids: [accounts[0]]) else {
            throw CommandFailed(command: "report", status: 1)
        }
    }

    /// Lets the org fail, or not.
    private func command(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: org.events.endStreams()
        case 1: org.events.dropConnections()
        case 2: org.events.leaveConnections()
        case 3: org.events.rejectCalls(Int.random(in: 1...3, using: &random))
        default: return
        }
        tally.add { $0.faults += 1 }
    }

    private static func connectionFault(_ random: inout SeededGenerator) -> BytesProxy.Fault? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .cut(0)
        case 1: .cut(Int.random(in: 1...8_000, using: &random))
        case 2: .silence(Int.random(in: 0...8_000, using: &random))
        case 3: .slices(Int.random(in: 1...40, using: &random))
        case 4: .slices(Int.random(in: 100...1_000, using: &random), pause: .microseconds(200))
        default: nil
        }
    }

    /// Lets minutes pass on the client's clock while no event comes, so that it notices half-open connections.
    ///
    /// A subscription that gets nothing for two minutes ends, and its events are lost.
    private static func pass(_ clock: ManualClock, _ client: RestClient, _ received: Watched<Int>) async {
        var (last, wait, idle): (Int, Duration, Duration) = (0, .milliseconds(50), .zero)
        while (try? await Task.sleep(for: wait)) != nil {
            let count = received.value
            if count == last {
                clock.advance(by: .seconds(400))
                idle += wait
                wait = min(wait * 2, .seconds(5))
            } else {
                (wait, idle) = (.milliseconds(50), .zero)
            }
            last = count
            if idle > .seconds(120) { return client.shutdown() }
        }
    }
}
#endif
