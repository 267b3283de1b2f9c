// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import RestEvents
import RestJSON
import RestSDK
import RestTransport

extension Verb {
    static let listen = Verb(
        "listen", operands: ["CHANNEL…"], Operation.listen.summary,
        notes: [
            """
            Each event is written at once, as one line of JSON with its channel, its replayId and its data, or in \
            the other formats with the columns channel, replayId and data. The connection is opened again if it \
            is lost, and no event is lost or repeated by that.
            """,
            """
            --position FILE.json stores the position of each channel after an event was printed, or after CMD \
            succeeded. The next run continues there, also after an interrupt or a crash, and --from is used only \
            for channels without a position. Only one process at a time can use the file.
            """,
            """
            --exec CMD runs a shell command for each event, one at a time, with the line of JSON as its input, and \
            the variables SOQL_CHANNEL and SOQL_REPLAY_ID. If it fails, soql stops, and the event counts as not \
            handled. soql waits for the command without a time limit, so use timeout(1) if the command may hang.
            """,
            """
            --wire pubsub receives platform events and changes of records over the Pub/Sub API at the server of \
            --endpoint, at api.pubsub.salesforce.com, or from a server on this machine at its own port. The access \
            token is sent to that server. Its replay ids begin with 0x, and are not valid with --wire cometd.
            """,
        ],
        [
            .from, .position, .missing, .wire, .endpoint, .exec, .eventFormat, .eventCount, .nullText, .noHeader,
            .cellWidth, .csvGuard, .raw, .color, .quiet,
        ] + Option.connection, of: .listen
    ) { arguments in
        let listener = try Listener(arguments)
        return Command { try await Connection.work(arguments) { try await listener.run($0) } }
    }
}

extension Option {
    static let position = Option(
        "--position", .output, "continue after the events of the last run, whose position is in this file (NAME.json)")
    static let missing = Option(
        "--missing", .choice("HOW", ["fail", "earliest", "latest"]),
        "if the org no longer has the position: fail, or continue with the earliest or the latest event (default: fail)"
    )
    static let wire = Option(
        "--wire", .choice("WIRE", EventWireName.allCases.map(\.rawValue)),
        "receive events over cometd or, on Linux, pubsub (default: cometd)")
    static let endpoint = Option(
        "--endpoint", .text("URL"), "the server of the Pub/Sub API, such as https://api.deu.pubsub.salesforce.com:7443")
    static let exec = Option("--exec", .text("CMD"), "run a shell command for each event instead of printing it")
    static let eventFormat = Option(
        format.name, .choice("FORMAT", ["ndjson", "csv", "tsv", "table", "vertical", "markdown"]),
        "print ndjson, csv, tsv, table, vertical or markdown (default: ndjson)")
}

/// Receives events of channels, and prints them or runs a command for each.
struct Listener: Sendable {
    private let channels: [String]
    private let start: EventStart
    private let wire: EventWireName
    private let endpoint: Origin?
    private let positions: PositionFile?
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        (channels, start) = (arguments.all(.channels), try arguments.eventStart)
        wire = arguments.choice(.wire) ?? .cometd
        endpoint = try arguments.endpoint(of: wire)
        positions = if let path = arguments[.position] { try PositionFile(path) } else { nil }
        if case .after(let id) = start, !wire.has(id) {
            throw UsageError("the replay id '\(id)' is not one of --wire \(wire.rawValue)")
        }
        guard !arguments.has(.exec) || !arguments.has(.eventFormat) else {
            throw UsageError("--exec and --format cannot be combined; the command decides what it prints")
        }
        var arguments = arguments
        arguments[.noPager] = ""
        if !arguments.has(.eventFormat) { arguments[.eventFormat] = OutputFormat.ndjson.rawValue }
        self.arguments = arguments
    }

    /// Handles events until the task is cancelled, or until `--count` events were handled.
    func run(_ client: RestClient) async throws {
        try positions?.check(wire)
        var options = options
        options.wire = try await wire.setting(for: client, at: endpoint)
        do {
            try await handle(client.events(channels, from: start, as: positions?.subscription, options: options))
        } catch let error as EventError {
            throw error.reported
        }
    }

    private func handle(_ events: EventSequence<ReceivedEvent>) async throws {
        let most = arguments.number(.eventCount) ?? .max
        var (handler, count) = (try EventHandler(arguments), 0)
        for try await event in events {
            try await handler.handle(event)
            count += 1
            guard count < most else {
                // The loop stores the position of an event when it requests the next event.
                try positions?.save(event.position)
                break
            }
        }
    }

    private var options: EventOptions {
        var options = EventOptions()
        switch arguments[.missing] {
        case "earliest": options.invalidPosition = .earliest
        case "latest": options.invalidPosition = .latest
        default: break
        }
        let (arguments, channels) = (arguments, channels)
        options.onStatus = { status in
            guard let note = status.note(of: channels)?.singleLine else { return }
            // Missed events are an error, which --quiet does not hide.
            if case .gap = status { StandardOutput.note(note) } else { arguments.note(note) }
        }
        return options
    }
}

/// The protocols of events, as named on the command line.
enum EventWireName: String, CaseIterable, Sendable {
    case cometd
    #if !canImport(Darwin)
    case pubsub
    #endif

    /// Whether a replay id is one of the protocol.
    func has(_ id: ReplayID) -> Bool { (id.number != nil) == (self == .cometd) }

    /// The setting of a subscription, for which a server on this machine has one port for all protocols.
    func setting(for client: RestClient, at endpoint: Origin?) async throws(RestError) -> EventOptions.Wire {
        switch self {
        case .cometd: return .cometD
        #if !canImport(Darwin)
        case .pubsub:
            if let endpoint { return .pubSub(at: endpoint) }
            let instance = try await client.signedRequest(for: .resources).url.origin
            return instance.isLoopback ? .pubSub(at: instance) : .pubSub
        #endif
        }
    }
}

extension Arguments {
    /// The server of the Pub/Sub API that `--endpoint` names, or `nil`.
    func endpoint(of wire: EventWireName) throws(UsageError) -> Origin? {
        guard let text = self[.endpoint] else { return nil }
        guard wire != .cometd else { throw UsageError("--endpoint needs --wire pubsub") }
        do throws(RestError) { return try Origin(orgURL: text, argument: "--endpoint") } catch {
            throw UsageError(error.message)
        }
    }
}

/// The file with the positions of a listener.
struct PositionFile: Sendable {
    private let store: FileEventPositions
    private let name: String
    private let path: String

    init(_ path: String) throws(UsageError) {
        // A listener by another name of the file must find the same lock.
        guard let place = FileFacts.followed(path) else {
            throw UsageError("--position takes a file, not the circular link '\(path)'")
        }
        let name = place.lastPart.removing(suffix: ".json").map(String.init) ?? ""
        // The rule for names of subscriptions.
        let isValid =
            !name.isEmpty && name.utf8.count <= 100 && !name.hasBytes(prefix: ".")
            && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "._-".utf8.contains($0) }
        guard isValid else {
            throw UsageError(
                "--position takes NAME.json with at most 100 letters, digits, dots, hyphens and underscores, not "
                    + "'\(path)'")
        }
        (store, self.name, self.path) = (FileEventPositions(directory: place.parentDirectory), name, path)
    }

    var subscription: EventSubscription { EventSubscription(name: name, store: store) }

    /// Rejects positions of another protocol, which the org would report as unknown.
    func check(_ wire: EventWireName) throws {
        guard let other = try store.positions(of: name).first(where: { !wire.has($0.replayID) }) else { return }
        throw UsageError(
            "\(path) has a position of \(other.channel) that is not one of --wire \(wire.rawValue); use the other "
                + "protocol or another file")
    }

    func save(_ position: EventPosition) throws(EventError) { try store.save(position, of: name) }
}

/// The work for each event.
private enum EventHandler {
    case printing(RecordOutput)
    case running(EventProgram)

    private static let columns = ["channel", "replayId", "data"]

    init(_ arguments: Arguments) throws {
        if let command = arguments[.exec] {
            self = .running(EventProgram(command: command))
        } else {
            self = .printing(RecordOutput(fields: Self.columns, arguments, to: try OutputDestination(arguments)))
        }
    }

    mutating func handle(_ event: ReceivedEvent) async throws {
        switch self {
        case .printing(var output):
            try output.print([event.json], of: 1)
            self = .printing(output)
        case .running(let program): try await program.run(event)
        }
    }
}

/// A shell command that runs once for each event.
private struct EventProgram {
    let command: String
    private static let queue = DispatchQueue(label: "soql.exec")

    /// Runs the command to its end, even if the task is cancelled.
    ///
    /// An event whose command succeeded counts as handled. An interrupt of the terminal reaches the command itself.
    func run(_ event: ReceivedEvent) async throws {
        let variables = ["SOQL_CHANNEL": event.channel, "SOQL_REPLAY_ID": event.replayID.description]
        let environment = Settings.all.merging(variables) { $1 }
        let input = event.json.bytes() + [UInt8(ascii: "\n")]
        let ending = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: Self.ending(of: command, input, environment)) }
        }
        guard ending?.status != 0 else { return }
        // Control-C in a terminal ends the command too, before or after it cancels this task.
        if ending?.signal == SIGINT || Task.isCancelled { throw CancellationError() }
        let reason = ending.map { $0.status.map { "exit code \($0)" } ?? "signal \($0.signal ?? 0)" } ?? "not started"
        throw CommandFailure("'\(command)' failed (\(reason)) for the event \(event.replayID) of \(event.channel)")
    }

    private static func ending(
        of command: String, _ input: [UInt8], _ environment: [String: String]
    ) -> ChildProcess.Ending? {
        guard let pipe = PipeEnds() else { return nil }
        let child = try? ChildProcess(
            "/bin/sh", ["-c", command], environment: environment,
            streams: (.descriptor(pipe.reading), .inherited, .inherited))
        close(pipe.reading)
        // A command does not have to read its input.
        if child != nil { try? StandardOutput.write(input, to: pipe.writing) }
        close(pipe.writing)
        return child?.wait()
    }
}
