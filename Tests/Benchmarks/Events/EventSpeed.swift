// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestEvents

/// Prints the speed of a subscription over each protocol compared with a client in Python, and its memory.
func listeningFigures() async throws {
    let org = try EventOrg(area: "events")
    defer { _ = try? org.process.stop() }
    let client = try org.client()
    let few = extent(20_000, short: 400)
    try await org.publish(0..<few, client)
    let directory = FileManager.default.temporaryDirectory.appending(path: "event-peers-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for wire in EventWires.all {
        let (name, options) = ("events.\(wire.name)-vs-\(EventPeer.package(wire))", wire.options(org))
        guard let peer = try EventPeer.start(wire, org, events: few, in: directory) else {
            Figure.absent(name, peer: EventPeer.package(wire))
            continue
        }
        let pairs = try await Pairs(
            5, peerSeconds: { peer.seconds() ?? .nan },
            ourSeconds: { try await seconds { try await EventListener.listen(client, options, events: few) } })
        print("events: \(few) events in \(rounded(pairs.sides.ours)) s and \(rounded(pairs.sides.peer)) s")
        pairs.figure(name, atLeast: 10).print()
    }
    let many = extent(1_000_000, short: 2_000)
    try await org.publish(few..<many, client)
    for wire in EventWires.all {
        let listener = try EventListener(wire, org, events: many)
        Figure(
            name: "events.\(wire.name).memory", value: Double(listener.peak) / 1_048_576, unit: "MiB",
            relation: .atMost, bound: 45, note: "\(many) events in \(rounded(listener.seconds)) s"
        ).print()
        // A short subscription has not reached its usual size after a tenth.
        Figure(
            name: "events.\(wire.name).memory.growth", value: Double(listener.peak) / Double(listener.early), unit: "x",
            relation: .atMost, bound: extent(1.15, short: 100), note: "the peak after all events and after a tenth"
        ).print()
    }
}

/// A subscription in a process of its own.
struct EventListener {
    let seconds: Double
    /// The peak memory in bytes after a tenth of the events, and at the end.
    let (early, peak): (Int, Int)

    init(_ wire: EventWires, _ org: EventOrg, events: Int) throws {
        let settings = [
            "EVENT_PORT": "\(org.process.port)", "EVENT_LOGIN": org.process.token, "EVENT_WIRE": wire.name,
        ]
        let text = try output(CommandLine.arguments[0], ["listener", "\(events)"], environment: settings)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3 else { throw CommandFailed(command: "listener", status: 0) }
        (seconds, early, peak) = (numbers[0], Int(numbers[1]), Int(numbers[2]))
    }

    /// Reads events from the earliest on, which must be numbered.
    static func listen(
        _ client: RestClient, _ options: EventOptions, events: Int, _ onEvent: (Int) -> Void = { _ in }
    ) async throws {
        var number = 0
        for try await event in client.events(EventOrg.channel, from: .earliest, options: options) {
            guard event["n__c"]?.int == number else { throw CommandFailed(command: "event \(number)", status: 1) }
            number += 1
            onEvent(number)
            if number == events { return }
        }
        throw CommandFailed(command: "the end after event \(number)", status: 1)
    }
}

/// Reads the events of an org in this process, and prints seconds and memory.
func readEvents() async throws {
    let environment = ProcessInfo.processInfo.environment
    let login = (environment["EVENT_LOGIN"] ?? "").split(separator: "|").map(String.init)
    guard let port = environment["EVENT_PORT"].flatMap({ Int($0) }), login.count == 4,
        let wire = environment["EVENT_WIRE"].flatMap(EventWires.init(rawValue:)),
        let events = CommandLine.arguments.last.flatMap({ Int($0) })
    else { throw CommandFailed(command: "listener", status: 2) }
    let client = try RestClient(
        loginURL: "http://127.0.0.1:\(port)", clientID: login[0], clientSecret: Secret(login[1]))
    var early = 0
    let elapsed = try await seconds {
        try await EventListener.listen(client, wire.options(port: port), events: events) { number in
            if number == events / 10 { early = ProcessMemory.peak ?? 0 }
        }
    }
    print(elapsed, early, ProcessMemory.peak ?? 0)
}

/// A client in Python, which reads the same events in a process of its own.
private enum EventPeer {
    static func package(_ wire: EventWires) -> String { wire == .cometD ? "aiosfstream" : "aiosfpubsub" }

    static func start(_ wire: EventWires, _ org: EventOrg, events: Int, in directory: URL) throws -> JSONPeer? {
        guard FileManager.default.isExecutableFile(atPath: Python.interpreter.path) else { return nil }
        let script = directory.appending(path: "\(package(wire))-peer.py")
        try Data((wire == .cometD ? cometD : pubSub).utf8).write(to: script)
        return JSONPeer([
            Python.interpreter.path, script.path, "\(org.process.port)", org.login[2], org.login[3], EventOrg.channel,
            "\(events)",
        ])
    }

    private static let cometD = """
        import asyncio, sys, time
        from aiosfstream_ng import Client, ReplayOption
        from aiosfstream_ng.auth import AuthenticatorBase

        port, token, org, channel, count = sys.argv[1:5] + [int(sys.argv[5])]
        # The host is a name, because aiohttp keeps no cookies of addresses.
        url = f"http://localhost:{port}"

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

    /// A client that requests more events as soon as it has those that it requested.
    ///
    /// The package itself requests them every five seconds. It has no connections without TLS, but gRPC's credentials
    /// for connections within a machine encrypt nothing, so they work with the org.
    private static let pubSub = """
        import asyncio, sys, time
        import grpc
        from aiosfpubsub import Client

        port, token, org, channel, count = sys.argv[1:5] + [int(sys.argv[5])]

        class Eager(Client):
            @staticmethod
            def _default_channel_credentials():
                return grpc.local_channel_credentials(grpc.LocalConnectionType.LOCAL_TCP)

            async def fetch_req_stream(self, topic, replay_type, replay_id, num_requested):
                while True:
                    yield self.make_fetch_request(topic, replay_type, replay_id, num_requested)
                    await self.wanted.acquire()

        class Enough(Exception):
            pass

        def take(response, client):
            for received in response.events:
                event = received.event
                payload = client.decode(client.get_schema_json(event.schema_id), event.payload)
                assert payload["n__c"] == client.number
                client.number += 1
                if client.number == count:
                    raise Enough
            if response.pending_num_requested == 0:
                client.wanted.release()

        async def read():
            client = Eager("", "", "", "127.0.0.1", int(port))
            client.metadata = (
                ("accesstoken", token), ("instanceurl", f"http://127.0.0.1:{port}"), ("tenantid", org))
            client.wanted, client.number = asyncio.Semaphore(0), 0
            start = time.perf_counter()
            try:
                await client.subscribe(channel, "EARLIEST", None, 100, take)
            except Enough:
                return time.perf_counter() - start

        for line in sys.stdin:
            print(asyncio.run(read()), flush=True)
        """
}
