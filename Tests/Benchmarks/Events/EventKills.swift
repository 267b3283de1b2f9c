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
    for wire in EventWires.all {
        try await OrgKills(wire).run(kills, file: directory.appending(path: "org-\(wire.name).db").path)
    }
}

/// A subscriber in a process of its own, which is killed at random times between and during its events.
private struct SubscriberKills {
    let mode: String
    let directory: String

    /// The number of events between two kills.
    private static let perRound = 8
    /// The maximum times in microseconds: of the kill of a process that has handled no event, and of a kill after an
    /// event, which hits the transaction or the files of the next one.
    private static let (longestStart, longestEvent) = (60_000, 3_000)

    func run(_ kills: Int) async throws {
        let effects = try Effects(mode, directory)
        let server = ModelEventServer()
        let port = try EventPort(server)
        var halfway = 0
        for round in 0..<kills {
            server.publish("/event/Order__e", numbers: round * Self.perRound..<(round + 1) * Self.perRound)
            let before = try effects.count()
            let worker = try start(port)
            let wanted = Int.random(in: 0..<Self.perRound)
            if wanted > 0 { try await wait(for: worker) { try effects.count() >= before + wanted } }
            let longest = wanted == 0 ? Self.longestStart : Self.longestEvent
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<longest)))
            worker.kill()
            let after = try effects.count()
            if after > before, after < (round + 1) * Self.perRound { halfway += 1 }
        }
        let total = kills * Self.perRound
        let worker = try start(port)
        // What has not come by now is lost.
        try? await wait(for: worker) { try effects.all().last == total - 1 }
        worker.kill()
        let all = try effects.all()
        let name = "events.kills.\(mode)"
        let lost = Set(0..<total).subtracting(all).count
        Figure(
            name: "\(name).lost", value: Double(lost), unit: "events", relation: .atMost, bound: 0,
            note: "\(kills) kills, \(halfway) of them between two events, \(total) events"
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

    /// Waits until a condition is met, while the worker runs and for at most a minute.
    private func wait(for worker: RunningProgram, _ isMet: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !isMet() {
            guard worker.process.isRunning, ContinuousClock.now < deadline else {
                throw CommandFailed(command: "eventworker \(mode)", status: 1)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
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

        func count() throws -> Int {
            if let database { return try database.list("SELECT count(*) FROM effects") { Int($0.integer(0)) }[0] }
            return ((try? Data(contentsOf: URL(filePath: file))) ?? Data()).count { $0 == UInt8(ascii: "\n") }
        }
    }
}

/// An org in a process of its own, which is killed at random times while a client publishes and another listens.
private final class OrgKills: Sendable {
    private struct State {
        var acknowledged: [Int] = []
        var received: [Int] = []
        var isOver = false
        /// The client of the present org, because a client that must log in again after each kill does so ever later.
        var publisher: RestClient?
    }

    private let wire: EventWires
    private let state = Mutex(State())

    init(_ wire: EventWires) { self.wire = wire }

    /// Gives the publisher a client of an org, and ends the calls of the client before.
    private func publish(to org: EventOrg) throws {
        let client = try org.client()
        let former = state.withLock { state in
            defer { state.publisher = client }
            return state.publisher
        }
        former?.shutdown()
    }

    func run(_ kills: Int, file: String) async throws {
        var org = try EventOrg(area: "events.kills", file: file)
        let listener = try org.client()
        try publish(to: org)
        let options = wire.options(org)
        let listening = Task {
            do {
                for try await event in listener.events(EventOrg.channel, from: .earliest, options: options) {
                    state.withLock { $0.received.append(event["n__c"]?.int ?? -1) }
                }
            } catch {
                guard !Task.isCancelled else { return }
                print("events.kills: the listener ended: \(error)")
            }
        }
        let publishing = Task {
            var number = 0
            while let publisher = state.withLock({ $0.isOver ? nil : $0.publisher }) {
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
            try publish(to: org)
        }
        try await Task.sleep(for: .seconds(1))
        state.withLock { $0.isOver = true }
        await publishing.value
        let deadline = ContinuousClock.now + .seconds(90)
        while !isComplete, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        listening.cancel()
        await listening.value
        _ = try? org.process.stop()
        try report(kills)
    }

    private var isComplete: Bool {
        state.withLock { state in
            guard let last = state.acknowledged.last else { return true }
            return state.received.last.map { $0 >= last } ?? false
        }
    }

    private func report(_ kills: Int) throws {
        let (acknowledged, received) = state.withLock { ($0.acknowledged, $0.received) }
        // Fewer events than kills would prove little.
        guard acknowledged.count >= kills else { throw CommandFailed(command: "publisher", status: 1) }
        let lost = Set(acknowledged).subtracting(received).count
        Figure(
            name: "events.kills.org.\(wire.name).lost", value: Double(lost), unit: "events", relation: .atMost,
            bound: 0,
            note: "\(kills) kills, \(acknowledged.count) events"
        ).print()
        // An event without an acknowledgement may be committed after the next one, which a new client sends meanwhile.
        let ordered = received.filter(Set(acknowledged).contains)
        let wrong = zip(ordered, ordered.dropFirst()).count { $0 >= $1 }
        Figure(
            name: "events.kills.org.\(wire.name).disordered", value: Double(wrong), unit: "events", relation: .atMost,
            bound: 0
        ).print()
    }
}
