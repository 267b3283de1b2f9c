// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestEvents
import RestJSON
import RestSDK
import RestTransport

extension Verb {
    static let publish = Verb(
        "publish", operands: ["CHANNEL < ROWS.ndjson"], "publish the events that standard input contains",
        notes: [
            """
            Each line of the input is a JSON object: the fields of a platform event of /event/NAME__e, or the payload \
            of a generic event of /u/NAME. A line is published as soon as it was read, together with the lines that \
            are available. For each platform event its UUID is printed. An event is never sent twice: if a response \
            is lost, soql reports the lines whose outcome is unknown, and stops. The exit code is 4 if only some \
            events were published.
            """,
            "--wire pubsub publishes platform events over the Pub/Sub API, whose server 'soql help listen' describes.",
        ],
        [.publishWire, .endpoint, .dryRun, .quiet] + Option.connection
    ) { arguments in
        let publisher = try Publisher(arguments)
        return Command { try await Connection.work(arguments) { try await publisher.run($0) } }
    }
}

extension Option {
    /// The protocols for publishing, where REST replaces CometD, which only receives.
    fileprivate static let publishWire = Option(
        "--wire", .choice("WIRE", EventWireName.allCases.map { $0 == .cometd ? "rest" : $0.rawValue }),
        "publish with REST calls (rest) or, on Linux, over pubsub (default: rest)")
}

/// Publishes the lines of standard input as events of one channel.
struct Publisher: Sendable {
    private enum Target {
        /// The object of a platform event.
        case object(String)
        case generic(String)

        var isGeneric: Bool { if case .generic = self { true } else { false } }
    }

    /// The outcome of a request.
    private struct Sent {
        var published = 0
        var rejected = 0
        /// The ids of the published events, one on each line.
        var output = ""
        /// The error after which it is unknown whether an event was published.
        var lost: EventError?

        mutating func add(id: String) {
            published += 1
            output += id.singleLine + "\n"
        }

        mutating func reject(_ line: Int, _ reason: String) {
            rejected += 1
            StandardOutput.note("soql: line \(line): \(reason)".singleLine)
        }
    }

    private let channel: String
    private let target: Target
    /// The protocol, where ``EventWireName/cometd`` represents REST calls.
    private let wire: EventWireName
    private let endpoint: Origin?
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        guard let channel = arguments.words.first else {
            throw UsageError("no channel; give one, such as /event/Order__e")
        }
        try arguments.checkNumberOfWords(atMost: 1)
        (self.arguments, self.channel) = (arguments, channel)
        wire = arguments.choice(.publishWire) ?? .cometd
        endpoint = try arguments.endpoint(of: wire)
        if channel.hasBytes(prefix: "/u/") {
            target = .generic(channel)
        } else if let name = channel.removing(prefix: "/event/"), name.hasBytes(suffix: "__e"), !name.hasBytes("/") {
            target = .object(String(name))
        } else {
            throw UsageError("events can be published to /event/NAME__e or /u/NAME, not to '\(channel)'")
        }
        guard wire != .cometd else { return }
        if target.isGeneric { throw UsageError("--wire \(wire.rawValue) publishes platform events only") }
        if arguments.has(.dryRun) { throw UsageError("--dry-run cannot be combined with --wire \(wire.rawValue)") }
    }

    func run(_ client: RestClient) async throws {
        if StandardInput.isTerminal { arguments.note("enter a JSON object on each line; Control-D ends") }
        // The record of a generic channel has its id in the path of the request.
        var push: RestRequest?
        if case .generic(let name) = target { push = try await pushRequest(name, client) }
        var (rows, published, rejected) = (EventRows(takesAnyValue: target.isGeneric), 0, 0)
        while true {
            let batch = await rows.next()
            if batch.isEmpty { break }
            do {
                let sent = try await send(batch, push, client)
                (published, rejected) = (published + sent.published, rejected + sent.rejected)
                try Self.print(sent.output)
                if let lost = sent.lost { throw lost }
            } catch {
                noteCount(published)
                if let error = error as? RestError { Self.noteOutcome(of: batch, error) }
                throw error
            }
        }
        noteCount(published)
        try Task.checkCancellation()
        let status = published > 0 && !arguments.has(.dryRun) ? ExitStatus.partial : .failure
        if let problem = rows.problem { throw CommandFailure(problem, status: status) }
        if rejected > 0 { throw CommandFailure("\(counted(rejected, "event")) rejected", status: status) }
        if arguments.has(.dryRun) { DryRun.end() }
    }

    /// Prints ids, where a reader that closed the pipe does not end the publishing.
    private static func print(_ ids: String) throws {
        guard !ids.isEmpty else { return }
        do { try StandardOutput.write(ids) } catch is StandardOutput.ReaderGone {}
    }

    private func noteCount(_ published: Int) {
        if !arguments.has(.dryRun) { arguments.note("\(counted(published, "event")) published") }
    }

    private static func noteOutcome(of batch: [EventRows.Row], _ error: RestError) {
        guard let first = batch.first?.line, let last = batch.last?.line else { return }
        let lines = first == last ? "line \(first)" : "lines \(first) to \(last)"
        let outcome =
            switch error.outcome {
            case .unknown: "the outcome is unknown"
            case .applied: "published"
            default: "not published"
            }
        StandardOutput.note("soql: \(lines): \(outcome)")
    }

    private func send(_ rows: [EventRows.Row], _ push: RestRequest?, _ client: RestClient) async throws -> Sent {
        switch target {
        case .object where wire != .cometd:
            return try await publish(rows, over: wire.setting(for: client, at: endpoint), client)
        case .object(let name): return try await publish(rows, asEventsOf: name, client)
        case .generic:
            guard var request = push else { return Sent() }
            let events = rows.map { row -> JSONValue in ["payload": row.value, "userIds": []] }
            request.body = .bytes(JSONValue(["pushEvents": JSONValue(JSONArray(events))] as JSONObject).bytes())
            guard !arguments.has(.dryRun) else {
                try DryRun.print(request, of: client)
                return Sent()
            }
            _ = try await client.send(request)
            return Sent(published: rows.count)
        }
    }

    private func publish(_ rows: [EventRows.Row], asEventsOf name: String, _ client: RestClient) async throws -> Sent {
        let request = RestRequest.Typed<SaveResults>.create(rows.map { Record.Draft(name, $0.value.object ?? [:]) })
        guard !arguments.has(.dryRun) else {
            try DryRun.print(request.request, of: client)
            return Sent()
        }
        let results = try await client.send(request)
        var sent = Sent()
        for (row, result) in zip(rows, results) {
            if result.isSuccess {
                // A published event has its UUID in the place of an error.
                sent.add(id: result.faults.first?.message ?? result.id ?? "")
            } else {
                sent.reject(row.line, result.faults.first.map { "\($0.errorCode): \($0.message)" } ?? "rejected")
            }
        }
        return sent
    }

    private func publish(
        _ rows: [EventRows.Row], over wire: EventOptions.Wire, _ client: RestClient
    ) async throws -> Sent {
        let outcomes = try await client.publish(rows.map { $0.value.object ?? [:] }, to: channel, over: wire)
        var sent = Sent()
        for (row, outcome) in zip(rows, outcomes) {
            switch outcome {
            case .applied(let id, _): sent.add(id: id)
            case .notApplied(let error): sent.reject(row.line, error.description)
            case .unknown(let error):
                sent.lost = error
                StandardOutput.note("soql: line \(row.line): the outcome is unknown")
            }
        }
        return sent
    }

    private func pushRequest(_ channel: String, _ client: RestClient) async throws -> RestRequest {
        let query: SOQL = "SELECT Id FROM StreamingChannel WHERE Name = \(channel)"
        let response = try await client.send(.query(query)).payload
        guard let id = response["records"]?.array?.first?["Id"]?.string else {
            throw CommandFailure("the org has no channel '\(channel)'")
        }
        var fields = HTTPFields()
        fields["Content-Type"] = "application/json"
        return RestRequest(
            name: "push", method: .post, resource: .data(["sobjects", "StreamingChannel", id, "push"]), fields: fields)
    }
}

/// The events in standard input, in batches of lines that are available at once.
private struct EventRows {
    struct Row {
        let line: Int
        let value: JSONValue
    }

    /// The maximum number of events in a request: a push of generic events has at most 100.
    private static let most = 100

    /// Whether a line can be any JSON value, and not only an object.
    private let takesAnyValue: Bool
    private var lines = LineReader()
    private var number = 0
    /// The invalid line, after which no more lines are read.
    private(set) var problem: String?

    init(takesAnyValue: Bool) { self.takesAnyValue = takesAnyValue }

    /// The next rows, or an empty list at the end of the input or after an invalid line.
    mutating func next() async -> [Row] {
        var rows: [Row] = []
        while problem == nil, rows.count < Self.most {
            guard let line = rows.isEmpty ? await lines.next() : lines.take() else { break }
            number += 1
            guard case .text(let bytes) = line else {
                problem = "line \(number) is longer than \(LineReader.maximumLength) bytes"
                break
            }
            guard bytes.contains(where: { $0 > 0x20 }) else { continue }
            guard let value = try? JSONValue(parsing: bytes), takesAnyValue || value.object != nil else {
                problem = "line \(number) is not a JSON \(takesAnyValue ? "value" : "object"); the rest was not read"
                break
            }
            rows.append(Row(line: number, value: value))
        }
        return rows
    }
}
