// SPDX-License-Identifier: Apache-2.0

import EventServers
import Foundation
import RestEvents
import Synchronization

/// Many connections of one client whose token expires, and whose server then goes away for a while.
final class Reconnects: Sendable {
    private static let channel = "/event/Order__e"
    /// The index of the failure in a row whose delays are counted: the third, with a delay of up to four seconds.
    private static let failure = 2

    private struct State {
        var isDown = false
        var connected = 0
        var finished = 0
        /// The delays of each subscription since the server went away.
        var delays: [[Duration]]
    }

    private struct Stuck: Error {
        let step: String
        let count: Int
    }

    private let count: Int
    private let state: Mutex<State>

    init(count: Int) {
        self.count = count
        state = Mutex(State(delays: Array(repeating: [], count: count)))
    }

    func run() async throws {
        let server = ModelEventServer { [self] _, _ in state.withLock(\.isDown) ? .lost : nil }
        // Subscriptions at different positions of a channel do not share a connection.
        let ids = (0..<count).map { server.publish(Self.channel, ["n": JSONValue($0)]) }
        // A clock that skips delays would also skip the time limits of the other connections' requests, so that the
        // handshakes of a thousand connections would time out again and again.
        let client = try client(of: server, clock: ContinuousClock())
        let tasks = ids.enumerated().map { number, id in Task { try await listen(client, number, after: id) } }
        defer { for task in tasks { task.cancel() } }
        try await wait("connected") { $0.connected }
        state.withLock { $0.isDown = true }
        server.expireToken()
        try await wait("failed") { state in state.delays.count { $0.count > Self.failure } }
        state.withLock { $0.isDown = false }
        server.publish(Self.channel, ["n": "last"])
        do { try await wait("finished") { $0.finished } } catch is Stuck {}
        report(renewals: server.state.withLock { $0.renewals }, sessions: server.state.withLock { $0.lastSession })
        client.shutdown()
    }

    private func listen(_ client: RestClient, _ number: Int, after id: Int) async throws {
        var options = EventOptions()
        options.onStatus = { [self] status in
            state.withLock { state in
                switch status {
                case .connected: state.connected += 1
                case .disconnected(_, let delay): state.delays[number].append(delay)
                default: break
                }
            }
        }
        guard let start = ReplayID("\(id)") else { return }
        for try await event in client.events(Self.channel, from: .after(start), options: options)
        where event["n"]?.string == "last" {
            state.withLock { $0.finished += 1 }
            return
        }
    }

    /// Waits until a number has reached that of the subscriptions, for at most two minutes.
    private func wait(_ step: String, _ number: (State) -> Int) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let number = number(state.withLock { $0 })
            if number >= count { return }
            guard ContinuousClock.now < deadline else { throw Stuck(step: step, count: number) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func report(renewals: Int, sessions: Int) {
        // None would mean that the token did not expire.
        Figure(
            name: "events.renewals", value: renewals == 0 ? .infinity : Double(renewals), unit: "renewals",
            relation: .atMost, bound: 1, note: "\(count) subscriptions of one client, \(sessions) sessions"
        ).print()
        let (finished, delays) = state.withLock { ($0.finished, $0.delays) }
        Figure(
            name: "events.reconnects.lost", value: Double(count - finished), unit: "subscriptions", relation: .atMost,
            bound: 0
        ).print()
        var histogram = [Int](repeating: 0, count: 10)
        for delay in delays { histogram[min(9, max(0, Int(delay[Self.failure] / .milliseconds(400))))] += 1 }
        print("events: delays of the third reconnect in steps of 0.4 s: \(histogram)")
        // A short run has too few delays for a histogram.
        Figure(
            name: "events.reconnects.bunched", value: Double(histogram.max() ?? 0) / Double(count), unit: "",
            relation: .atMost, bound: extent(0.16, short: 1), note: "the largest share of a tenth"
        ).print()
    }
}
