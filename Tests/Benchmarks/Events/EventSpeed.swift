// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestEvents

/// Prints the speed of a subscription compared with aiosfstream-ng, and its memory.
func listeningFigures() async throws {
    let org = try EventOrg(area: "events")
    defer { _ = try? org.process.stop() }
    let client = try org.client()
    let few = extent(20_000, short: 400)
    try await org.publish(0..<few, client)
    let directory = FileManager.default.temporaryDirectory.appending(path: "aiosfstream-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    if let peer = try EventPeer.start(org, events: few, in: directory) {
        let pairs = try await Pairs(
            5, peerSeconds: { peer.seconds() ?? .nan },
            ourSeconds: { try await seconds { try await EventListener.listen(client, events: few) } })
        print("events: \(few) events in \(rounded(pairs.sides.ours)) s and \(rounded(pairs.sides.peer)) s")
        pairs.figure("events.cometd-vs-aiosfstream", atLeast: 10).print()
    } else {
        Figure.absent("events.cometd-vs-aiosfstream", peer: "aiosfstream-ng")
    }
    let many = extent(1_000_000, short: 2_000)
    try await org.publish(few..<many, client)
    let listener = try EventListener(org, events: many)
    Figure(
        name: "events.memory", value: Double(listener.peak) / 1_048_576, unit: "MiB", relation: .atMost, bound: 45,
        note: "\(many) events in \(rounded(listener.seconds)) s"
    ).print()
    // A short subscription has not reached its usual size after a tenth.
    Figure(
        name: "events.memory.growth", value: Double(listener.peak) / Double(listener.early), unit: "x",
        relation: .atMost, bound: extent(1.15, short: 100), note: "the peak after all events and after a tenth"
    ).print()
}

/// A subscription in a process of its own.
struct EventListener {
    let seconds: Double
    /// The peak memory in bytes after a tenth of the events, and at the end.
    let (early, peak): (Int, Int)

    init(_ org: EventOrg, events: Int) throws {
        let settings = ["EVENT_URL": org.url, "EVENT_LOGIN": org.process.token]
        let text = try output(
            CommandLine.arguments[0], ["listener", "\(events)"], environment: settings)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3 else { throw CommandFailed(command: "listener", status: 0) }
        (seconds, early, peak) = (numbers[0], Int(numbers[1]), Int(numbers[2]))
    }

    /// Reads events from the earliest on, which must be numbered.
    static func listen(_ client: RestClient, events: Int, _ onEvent: (Int) -> Void = { _ in }) async throws {
        var number = 0
        for try await event in client.events(EventOrg.channel, from: .earliest) {
            guard event["n__c"]?.int == number else { throw CommandFailed(command: "event \(number)", status: 1) }
            number += 1
            onEvent(number)
            if number == events { return }
        }
    }
}

/// Reads the events of an org in this process, and prints seconds and memory.
func readEvents() async throws {
    let environment = ProcessInfo.processInfo.environment
    let login = (environment["EVENT_LOGIN"] ?? "").split(separator: "|").map(String.init)
    guard let url = environment["EVENT_URL"], login.count == 3, let words = CommandLine.arguments.last,
        let events = Int(words)
    else { throw CommandFailed(command: "listener", status: 2) }
    let client = try RestClient(loginURL: url, clientID: login[0], clientSecret: Secret(login[1]))
    var early = 0
    let elapsed = try await seconds {
        try await EventListener.listen(client, events: events) { number in
            if number == events / 10 { early = ProcessMemory.peak ?? 0 }
        }
    }
    print(elapsed, early, ProcessMemory.peak ?? 0)
}

/// aiosfstream-ng, which reads the same events in a process of its own.
private enum EventPeer {
    static func start(_ org: EventOrg, events: Int, in directory: URL) throws -> JSONPeer? {
        guard FileManager.default.isExecutableFile(atPath: Python.interpreter.path) else { return nil }
        let script = directory.appending(path: "peer.py")
        try Data(source.utf8).write(to: script)
        // The host is a name, because aiohttp keeps no cookies of addresses.
        let url = "http://localhost:\(org.process.port)"
        return JSONPeer([Python.interpreter.path, script.path, url, org.login[2], EventOrg.channel, "\(events)"])
    }

    private static let source = """
        import asyncio, sys, time
        from aiosfstream_ng import Client, ReplayOption
        from aiosfstream_ng.auth import AuthenticatorBase

        url, token, channel, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])

        class Token(AuthenticatorBase):
            async def _authenticate(self):
                return 200, {"access_token": token, "token_type": "Bearer", "instance_url": url}

        async def read():
            start = time.perf_counter()
            async with Client(Token(), replay=ReplayOption.ALL_EVENTS) as client:
                await client.subscribe(channel)
                for number in range(count):
                    event = await client.receive()
                    assert event["data"]["payload"]["n__c"] == number
                return time.perf_counter() - start

        for line in sys.stdin:
            print(asyncio.run(read()), flush=True)
        """
}
