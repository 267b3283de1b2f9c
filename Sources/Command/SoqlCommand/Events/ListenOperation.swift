// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestEvents
import RestJSON
import RestSDK
import Synchronization

extension Option {
    static let channels = Option(
        "channels", .channels,
        "the channels, such as /event/Order__e, /data/AccountChangeEvent, /topic/Name or /u/Name",
        missing: "no channel; give one, such as /event/Order__e")
    static let from = Option(
        "--from", .text("START"),
        """
        start with new events (latest), with all events that the org retains (earliest), or after the event with this \
        replay id (default: latest)
        """,
        key: "from")
    static let eventCount = Option("--count", .number(1...Int.max), "stop after N events (default: never)")
    // Parameters that only a model provides.
    fileprivate static let mostEvents = Option(
        "count", .number(1...200), "the number of events to wait for (default: 1)")
    fileprivate static let seconds = Option(
        "seconds", .number(0...600), "the maximum time to wait, in seconds (default: 30)")
}

extension Operation {
    static let listen = Operation(
        "listen", "print events of channels as they arrive",
        advice: """
            Waits until 'count' events arrived or the time is over, and returns the events that arrived. Each event \
            has a replayId. To miss no event of a channel, use its last replayId as 'from' of the next call, with only \
            this channel. After events in 'gaps' were missed, read the records again.
            """,
        [.channels, .from]
    ) { arguments, org in
        let (start, most) = (try arguments.eventStart, arguments.number(.mostEvents) ?? 1)
        let (watch, time) = (ConnectionWatch(), Duration.seconds(arguments.number(.seconds) ?? 30))
        var options = EventOptions()
        (options.bufferSize, options.onStatus) = (most, { watch.add($0) })
        do {
            let sequence = org.client.events(arguments.all(.channels), from: start, options: options)
            let events = try await sequence.first(most, within: time)
            if events.isEmpty, let error = watch.error { throw error }
            return .events(events, watch.gaps)
        } catch let error as EventError {
            throw error.reported
        }
    }

    /// The operation as a tool, which waits for a limited time.
    static let wait = Operation.listen.adding([.mostEvents, .seconds])
}

/// The problems of a subscription that reads for a limited time.
private final class ConnectionWatch: Sendable {
    private struct State {
        var error: EventError?
        var gaps: [EventGap] = []
    }

    private let state = Mutex(State())

    /// The error with which the connection was lost, unless it was opened again.
    var error: EventError? { state.withLock(\.error) }
    /// The gaps, at most one for each channel.
    var gaps: [EventGap] { state.withLock(\.gaps) }

    func add(_ status: EventStatus) {
        state.withLock { state in
            switch status {
            case .connected, .resumed: state.error = nil
            case .disconnected(let error, _): state.error = error
            case .gap(let gap):
                if !state.gaps.contains(where: { $0.channel == gap.channel }) { state.gaps.append(gap) }
            case .tokenRenewed, .caughtUp: break
            }
        }
    }
}

extension Arguments {
    /// The position at which to start to listen.
    var eventStart: EventStart {
        get throws(UsageError) {
            switch self[.from] ?? "latest" {
            case "latest": return .latest
            case "earliest": return .earliest
            case let text:
                guard let id = ReplayID(text) else {
                    throw UsageError(
                        "'from' must be latest, earliest or the replay id of an event, not '\(text.prefix(100))'",
                        near: text, ["latest", "earliest"])
                }
                guard all(.channels).count == 1 else { throw UsageError("a replay id as 'from' needs one channel") }
                return .after(id)
            }
        }
    }
}

extension EventSequence<ReceivedEvent> {
    /// Waits for a number of events, and returns those that arrived in time.
    fileprivate func first(_ count: Int, within time: Duration) async throws -> [ReceivedEvent] {
        try await withThrowingTaskGroup(of: [ReceivedEvent]?.self) { group in
            let events = self
            group.addTask { try await Self.read(events, count) }
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            return try await group.next().flatMap { $0 } ?? []
        }
    }

    /// Reads events until there are enough of them, or until the task is cancelled.
    private static func read(_ events: EventSequence, _ most: Int) async throws(EventError) -> [ReceivedEvent] {
        var (iterator, found) = (events.makeAsyncIterator(), [ReceivedEvent]())
        do throws(EventError) {
            while found.count < most, let event = try await iterator.next() { found.append(event) }
        } catch {
            guard error.code == .cancelled else { throw error }
        }
        return found
    }
}

extension ReceivedEvent {
    /// The event as one JSON object.
    var json: JSONValue {
        ["channel": JSONValue(channel), "replayId": JSONValue(replayID.description), "data": data]
    }

    /// The maximum width of an event above the prompt of a session, in columns.
    private static let mostColumns = 2_000

    /// The event in one line for people.
    var line: String {
        let content = data["payload"] ?? data["sobject"] ?? data
        return "\(channel) \(replayID) \(String(decoding: content.bytes(), as: UTF8.self))".singleLine
            .cut(toColumns: Self.mostColumns)
    }
}

extension EventError {
    /// The error of the request that ended the subscription, or this error if it has another reason.
    var reported: any Error {
        if code == .request, let rest { return rest }
        return self
    }
}

extension EventStatus {
    /// The message for the user, or `nil` if the status does not concern people.
    func note(of channels: [String]) -> String? {
        switch self {
        case .connected: "soql: listening to \(channels.joined(separator: ", "))"
        case .disconnected(let error, let delay):
            "soql: the connection was lost (\(error.message)); connecting again in \(ProgressText.time(delay / .seconds(1)))"
        case .resumed: "soql: connected again"
        case .gap(let gap): "soql: events of \(gap.channel) were missed; read the records again"
        case .tokenRenewed, .caughtUp: nil
        }
    }
}

/// The names of channels for completion.
enum EventChannels {
    /// The changes of all records, which is a channel of every org.
    static let allChanges = "/data/ChangeEvents"

    /// All channels of an org, sorted.
    static func all(_ objects: [ObjectDescription.Summary], of client: RestClient) async -> [String] {
        (names(of: objects) + (await recordNames(objects, of: client))).sorted()
    }

    /// The channels of an org's event objects, and of the changes of its records, sorted.
    static func names(of objects: [ObjectDescription.Summary]) -> [String] {
        let names = objects.map(\.name)
        let events = names.filter { $0.hasBytes(suffix: "__e") }.map { "/event/\($0)" }
        var changes = names.filter { $0.hasBytes(suffix: "ChangeEvent") }
        if changes.isEmpty {
            // The org does not list change events, so each object that can change may have one.
            changes = objects.filter { $0.isUpdateable && $0.isQueryable }.map { object in
                (object.name.removing(suffix: "__c").map { "\($0)__" } ?? object.name) + "ChangeEvent"
            }
        }
        return (events + changes.map { "/data/\($0)" } + [allChanges]).sorted()
    }

    /// The channels that are records, active PushTopics and generic channels, without those that cannot be read.
    private static func recordNames(
        _ objects: [ObjectDescription.Summary], of client: RestClient
    ) async -> [String] {
        let queries: [(object: String, query: SOQL, prefix: String)] = [
            ("PushTopic", "SELECT Name FROM PushTopic WHERE IsActive = true LIMIT 200", "/topic/"),
            ("StreamingChannel", "SELECT Name FROM StreamingChannel LIMIT 200", ""),
        ]
        var names: [String] = []
        for (object, query, prefix) in queries where objects.contains(where: { $0.name == object && $0.isQueryable }) {
            guard let records = try? await client.send(.query(query)).payload["records"]?.array else { continue }
            names += records.compactMap { record in record["Name"]?.string.map { prefix + $0 } }
        }
        // A name becomes a part of the line that the user types.
        return names.filter { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
    }
}
