// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import RestEvents
import RestJSON
import RestSDK

extension Verb {
    static let listen: Verb = {
        var verb = Verb(
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
                handled.
                """,
            ],
            [
                .from, .position, .missing, .exec, .eventFormat, .eventCount, .nullText, .noHeader, .cellWidth,
                .csvGuard, .raw, .color, .quiet,
            ] + Option.connection
        ) { arguments in
            let listener = try Listener(arguments)
            return Command { try await Connection.work(arguments) { try await listener.run($0) } }
        }
        verb.operation = .listen
        return verb
    }()
}

extension Option {
    static let position = Option(
        "--position", .output, "continue after the events of the last run, whose position is in this file (NAME.json)")
    static let missing = Option(
        "--missing", .choice("HOW", ["fail", "earliest", "latest"]),
        "if the org no longer has the position: fail, or continue with the earliest or the latest event (default: fail)"
    )
    static let exec = Option("--exec", .text("CMD"), "run a shell command for each event instead of printing it")
    static let eventFormat = Option(
        format.name, .choice("FORMAT", ["ndjson", "csv", "tsv", "table", "vertical", "markdown"]),
        "print ndjson, csv, tsv, table, vertical or markdown (default: ndjson)")
}

/// Receives events of channels, and prints them or runs a command for each.
struct Listener: Sendable {
    private let channels: [String]
    private let start: EventStart
    private let positions: PositionFile?
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        (channels, start) = (arguments.all(.channels), try arguments.eventStart)
        positions = if let path = arguments[.position] { try PositionFile(path) } else { nil }
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
        let events = client.events(channels, from: start, as: positions?.subscription, options: options)
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
            if let note = status.note(of: channels) { arguments.note(note.singleLine) }
        }
        return options
    }
}

/// The file with the positions of a listener.
struct PositionFile: Sendable {
    private let store: FileEventPositions
    private let name: String

    init(_ path: String) throws(UsageError) {
        guard let name = path.lastPart.removing(suffix: ".json"), !name.isEmpty else {
            throw UsageError("--position takes a file whose name ends with .json, not '\(path)'")
        }
        (store, self.name) = (FileEventPositions(directory: path.parentDirectory), String(name))
    }

    var subscription: EventSubscription { EventSubscription(name: name, store: store) }

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
            Self.queue.async { [command] in
                continuation.resume(returning: Self.ending(of: command, input, environment))
            }
        }
        guard ending?.status != 0 else { return }
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
