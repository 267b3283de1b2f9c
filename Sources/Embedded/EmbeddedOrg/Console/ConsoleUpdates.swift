// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocalServer
import RestBase
import RestJSON
import RestSQLite
import SOQLStore
import Synchronization

/// Delivers new entries of the journal and new events to the console by long polling.
///
/// A request that waits is a closure on one queue. An entry or a commit wakes the queue once, however many there are.
final class ConsoleUpdates: Sendable {
    /// The last entry and the last event that the console has.
    struct Position: Sendable {
        let journal: Int
        let event: Int64
    }

    private struct Held: Sendable {
        let position: Position
        let journal: Journal
        let deliver: @Sendable (ServerAction) -> Void
    }

    private struct State {
        var held: [UInt64: Held] = [:]
        var next: UInt64 = 0
        var isWoken = false
    }

    private let bus: EventBus
    private let database: Database
    private let queue = DispatchQueue(label: "localorg.console")
    private let state = Mutex(State())

    /// The maximum number of entries and of events in a response, without older ones.
    private static let most = 500
    /// The time after which a response without news shows the current subscribers.
    private static let hold = DispatchTimeInterval.seconds(10)

    init(_ bus: EventBus, _ database: Database) {
        (self.bus, self.database) = (bus, database)
        bus.listen { [weak self] _ in self?.wake() }
    }

    /// Wakes the object as long as it exists.
    var listener: @Sendable () -> Void { { [weak self] in self?.wake() } }

    /// Looks for news soon, on another thread.
    func wake() {
        let isFirst = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken && !state.held.isEmpty
        }
        if isFirst { queue.async { [weak self] in self?.deliverNews() } }
    }

    /// Responds when there is news after a position.
    func wait(_ position: Position, _ journal: Journal) -> ServerAction {
        .promised { [self] deliver in
            queue.async { [self] in
                let held = Held(position: position, journal: journal, deliver: deliver)
                let number = state.withLock { state in
                    state.isWoken = false
                    state.next += 1
                    state.held[state.next] = held
                    return state.next
                }
                // The request is registered first, so that it misses no entry.
                guard !answer(number, held, always: false) else { return }
                queue.asyncAfter(deadline: .now() + Self.hold) { [weak self] in
                    guard let self, let held = state.withLock({ $0.held[number] }) else { return }
                    _ = self.answer(number, held, always: true)
                }
            }
        }
    }

    private func deliverNews() {
        let held = state.withLock { state in
            state.isWoken = false
            return state.held
        }
        for (number, held) in held { _ = answer(number, held, always: false) }
    }

    /// Responds to a request if there is news, or in any case.
    private func answer(_ number: UInt64, _ held: Held, always: Bool) -> Bool {
        let (entries, count) = (
            held.journal.entries(after: held.position.journal, most: Self.most), held.journal.count
        )
        let events = (try? events(after: held.position.event)) ?? []
        // A shorter journal was cleared.
        guard always || count != held.position.journal || !events.isEmpty || held.position.event < 0 else {
            return false
        }
        state.withLock { _ = $0.held.removeValue(forKey: number) }
        let response = ServerResponse.object { writer in
            writer.member("count", count)
            writer.member("entries", list: entries) { writer, entry in entry.write(to: &writer) }
            writer.member("events", list: events) { writer, event in
                writer.object { writer in
                    writer.member("replay", String(event.replay))
                    writer.member("topic", event.topic)
                    writer.member("time", Int(event.time))
                    writer.member("payload", json: event.payload)
                }
            }
            writer.member("subscribers", list: bus.subscribers) { writer, subscriber in
                writer.object([
                    ("kind", subscriber.kind.rawValue), ("name", subscriber.name), ("channel", subscriber.channel.name),
                    ("position", String(subscriber.position)),
                ])
            }
        }
        held.deliver(.ready(ServerReply(response)))
        return true
    }

    private func events(after position: Int64) throws(OrgError) -> [StoredEvent] {
        try database.fetch(
            """
            SELECT "Replay", "Topic", "Time", "UUID", "Payload", "Detail" FROM "org.Event" WHERE "Replay" > ?1
            ORDER BY "Replay" DESC LIMIT \(Self.most)
            """, [.integer(position)]
        ) { row in
            StoredEvent(
                replay: row.integer(0), topic: row.text(1), time: row.integer(2), uuid: row.text(3),
                payload: row.bytes(4), type: row.text(5))
        }.reversed()
    }
}

extension JournalEntry {
    /// Writes the line of the entry.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("number", sequence)
            writer.member("method", method)
            writer.member("target", target)
            if let status { writer.member("status", status) }
            writer.member("time", Int(time))
            // A fault can delay a response for longer than a number of microseconds can say.
            let parts = min(duration, .seconds(1_000_000_000)).components
            writer.member("microseconds", Int(parts.attoseconds / 1_000_000_000_000) + Int(parts.seconds) * 1_000_000)
        }
    }

    /// The headers and bodies of the request and the response.
    var details: ServerResponse {
        .object { writer in
            Self.write("request", fields, bodySize, body, to: &writer)
            if let response { Self.write("response", response.fields, response.bodySize, response.body, to: &writer) }
        }
    }

    private static func write(
        _ name: String, _ fields: [Field], _ size: Int, _ body: [UInt8], to writer: inout JSONWriter
    ) {
        writer.member(
            name,
            object: { writer in
                writer.member("fields", list: fields) { writer, field in
                    writer.list([field.name, field.value]) { $0.string($1) }
                }
                writer.member("size", size)
                // Only the beginning of a long body is known, and none of a secret or binary one.
                writer.member("isWhole", body.count == size && String(validating: body, as: UTF8.self) != nil)
                writer.member("body", text(of: body))
            })
    }

    /// The body as text, with fingerprints instead of the secrets in JSON.
    private static func text(of body: [UInt8]) -> String {
        let text = String(decoding: body, as: UTF8.self)
        guard let value = try? JSONValue(parsing: body), value.object != nil || value.array != nil else { return text }
        var hasSecret = false
        let open = redacted(value, &hasSecret)
        return hasSecret ? String(decoding: open.bytes(), as: UTF8.self) : text
    }

    private static func redacted(_ value: JSONValue, _ hasSecret: inout Bool) -> JSONValue {
        if let object = value.object {
            var members: [JSONObject.Element] = []
            for (name, value) in object {
                let folded = name.lowercased()
                let isSecret = ["passw", "secret", "access_token", "refresh_token", "sessionid"].contains {
                    folded.hasBytes($0)
                }
                if isSecret, let text = value.string {
                    hasSecret = true
                    members.append((name, JSONValue(Digest.fingerprint(text))))
                } else {
                    members.append((name, redacted(value, &hasSecret)))
                }
            }
            return JSONValue(JSONObject(members: members))
        }
        guard let array = value.array else { return value }
        return JSONValue(JSONArray(array.map { redacted($0, &hasSecret) }))
    }
}
