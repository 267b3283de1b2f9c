// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EventServers
import Foundation
import RestEvents
import RestSQLite
import Synchronization

/// Measures whether events survive killed subscribers and killed orgs.
func eventKillFigures() async throws {
    if try await EventOrg.serveIfAsked() { return }
    let directory = FileManager.default.temporaryDirectory.appending(path: "event-kills-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let kills = extent(500, short: 3)
    for mode in ["transaction", "file"] {
        let folder = directory.appending(path: mode)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await SubscriberKills(mode: mode, directory: folder.path).run(kills)
    }
    try await OrgKills().run(kills, file: directory.appending(path: "org.db").path)
}

/// A subscriber in a process of its own, which is killed at random times.
private struct SubscriberKills {
    let mode: String
    let directory: String

    /// The number of events between two kills, and the maximum time to a kill in microseconds.
    private static let (perRound, longest) = (8, 120_000)

    func run(_ kills: Int) async throws {
        let effects = try Effects(mode, directory)
        let server = ModelEventServer()
        let port = try EventPort(server)
        var fruitful = 0
        for round in 0..<kills {
            server.publish("/event/Order__e", numbers: round * Self.perRound..<(round + 1) * Self.perRound)
            let before = try effects.count()
            let worker = try start(port)
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<Self.longest)))
            worker.kill()
            if try effects.count() > before { fruitful += 1 }
        }
        let total = kills * Self.perRound
        let worker = try start(port)
        let deadline = ContinuousClock.now + .seconds(60)
        while try effects.all().last != total - 1, worker.process.isRunning, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        worker.kill()
        let all = try effects.all()
        let name = "events.kills.\(mode)"
        let lost = Set(0..<total).subtracting(all).count
        Figure(
            name: "\(name).lost", value: Double(lost), unit: "events", relation: .atMost, bound: 0,
            note: "\(kills) kills, \(fruitful) of them after events, \(total) events"
        ).print()
        let doubled = Double(all.count - Set(all).count)
        if mode == "transaction" {
            Figure(name: "\(name).doubled", value: doubled, unit: "events", relation: .atMost, bound: 0).print()
        } else {
            // The event whose handler had returned before its position was stored.
            Figure(
                name: "\(name).doubled", value: doubled, unit: "events", relation: .atMost, bound: Double(kills)
            ).print()
        }
    }

    private func start(_ port: EventPort) throws -> RunningProgram {
        try RunningProgram(BuiltProgram.url("eventworker"), [mode, "\(port.port)", directory])
    }

    /// The effects of the events that were handled, in order.
    private struct Effects {
        private let database: SQLiteConnection?
        private let file: String

        init(_ mode: String, _ directory: String) throws {
            file = directory + "/effects"
            database = mode == "transaction" ? try SQLiteConnection(path: directory + "/effects.db") : nil
            try database?.keepLog()
            try database?.execute("CREATE TABLE IF NOT EXISTS effects (n INTEGER)")
        }

        func all() throws -> [Int] {
            if let database { return try database.list("SELECT n FROM effects ORDER BY rowid") { Int($0.integer(0)) } }
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { Int($0) }
        }

        func count() throws -> Int { try all().count }
    }
}

/// An org in a process of its own, which is killed at random times while a client publishes and another listens.
private final class OrgKills: Sendable {
    private struct State {
        var acknowledged: [Int] = []
        var received: [Int] = []
        var isOver = false
    }

    private let state = Mutex(State())

    func run(_ kills: Int, file: String) async throws {
        var org = try EventOrg(area: "events.kills", file: file)
        let (listener, publisher) = (try org.client(), try org.client())
        let listening = Task {
            for try await event in listener.events(EventOrg.channel, from: .earliest) {
                state.withLock { $0.received.append(event["n__c"]?.int ?? -1) }
            }
        }
        let publishing = Task {
            var number = 0
            while !state.withLock({ $0.isOver }) {
                let event = Record.Draft(EventOrg.object, ["n__c": JSONValue(number)])
                // After an error the event may have been published, so its number is never used again.
                if (try? await publisher.send(.create([event])).get()) != nil {
                    state.withLock { $0.acknowledged.append(number) }
                }
                number += 1
            }
        }
        for _ in 0..<kills {
            try await Task.sleep(for: .milliseconds(Int.random(in: 50..<500)))
            org = try org.killed()
        }
        try await Task.sleep(for: .seconds(1))
        state.withLock { $0.isOver = true }
        await publishing.value
        let deadline = ContinuousClock.now + .seconds(90)
        while !isComplete, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        listening.cancel()
        _ = await listening.result
        _ = try? org.process.stop()
        report(kills)
    }

    private var isComplete: Bool {
        state.withLock { state in
            guard let last = state.acknowledged.last else { return true }
            return state.received.last.map { $0 >= last } ?? false
        }
    }

    private func report(_ kills: Int) {
        let (acknowledged, received) = state.withLock { ($0.acknowledged, $0.received) }
        let lost = Set(acknowledged).subtracting(received).count
        Figure(
            name: "events.kills.org.lost", value: Double(lost), unit: "events", relation: .atMost, bound: 0,
            note: "\(kills) kills, \(acknowledged.count) events"
        ).print()
        let wrong = zip(received, received.dropFirst()).count { $0 >= $1 }
        Figure(
            name: "events.kills.org.disordered", value: Double(wrong), unit: "events", relation: .atMost, bound: 0
        ).print()
    }
}
