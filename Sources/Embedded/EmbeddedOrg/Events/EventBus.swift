// SPDX-License-Identifier: Apache-2.0

package import LocalServer
import RestBase
package import RestSQLite
package import SOQLStore
import Synchronization

/// The events of an org, which are rows of its database.
///
/// The store calls the bus inside its transactions, so an event is stored if and only if its change is. Readers have a
/// position in the bus and no queue, so a slow reader costs nothing.
package final class EventBus: ChangeSink {
    package let schema: Schema
    package let schemas: EventSchemas
    /// The topics of the custom channels, by the lower-case name of the channel.
    let channels: [String: [String]]
    /// The objects whose changes an administrator has selected.
    let selected: [String]
    let clock: ServerClock
    private let state = Mutex(State())

    private struct State {
        /// The objects whose changes are events.
        var changed: Set<String> = []
        /// The active PushTopics.
        var topics: [PushTopic] = []
        /// Whether a PushTopic changed in the current transaction.
        var topicsChanged = false
        /// The topics that got events in the current transaction.
        var written: Set<String> = []
        /// The next time to delete expired events, in milliseconds since 1970.
        var nextCleaning: Int64 = 0
        var listeners: [@Sendable (Set<String>) -> Void] = []
    }

    package init(_ schema: Schema, _ settings: EventSettings, _ clock: ServerClock) {
        (self.schema, self.clock, selected) = (schema, clock, settings.changedObjects)
        schemas = EventSchemas(schema)
        channels = Dictionary(settings.channels.map { ($0.lowercased(), $1) }) { $1 }
    }

    static let tables = """
        CREATE TABLE IF NOT EXISTS "org.Event" (
            "Replay" INTEGER PRIMARY KEY, "Topic" TEXT NOT NULL, "Time" INTEGER NOT NULL, "Expires" INTEGER NOT NULL,
            "UUID" TEXT NOT NULL, "Payload" BLOB NOT NULL, "Detail" TEXT NOT NULL
        );
        CREATE INDEX IF NOT EXISTS "org.Event.Topic" ON "org.Event" ("Topic", "Replay");
        CREATE INDEX IF NOT EXISTS "org.Event.Expires" ON "org.Event" ("Expires");
        CREATE TABLE IF NOT EXISTS "org.ChangedObject" ("Object" TEXT PRIMARY KEY) WITHOUT ROWID
        """

    /// The time that an event is kept, in milliseconds: platform events and changes, and other events.
    private static let (longRetention, shortRetention): (Int64, Int64) = (72 * 3_600_000, 24 * 3_600_000)
    /// The time between two deletions of expired events, in milliseconds.
    private static let cleaningInterval: Int64 = 600_000

    var topics: [PushTopic] { state.withLock { $0.topics } }

    /// Calls the function after each commit with the topics that got events, possibly under the lock of the database.
    ///
    /// So the function must only wake a reader, which then calls ``events(of:after:most:size:_:)``.
    package func listen(_ listener: @escaping @Sendable (Set<String>) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    private func notify(_ topics: Set<String>) {
        for listener in state.withLock({ $0.listeners }) { listener(topics) }
    }

    /// Whether the changes of an object can be events.
    static func publishesChanges(of object: SObjectSchema) -> Bool {
        object.publishing == nil && object.abilities.contains(.update)
            && ![PushTopic.object, "StreamingChannel"].contains(object.name)
    }
}

extension EventBus {
    // MARK: The sink of the store's changes

    package func capturedObjects(_ connection: SQLiteConnection) throws(DatabaseError) -> [String] {
        let stored = try connection.list("SELECT \"Object\" FROM \"org.ChangedObject\"") { $0.text(0) }
        let changed = Set((stored + selected).compactMap { schema.object(named: $0)?.name })
        let topics = try PushTopic.active(schema, connection)
        state.withLock { ($0.changed, $0.topics) = (changed, topics) }
        return changed + topics.map(\.object.name) + [PushTopic.object]
    }

    package func write(
        _ change: RecordChange, _ commit: ChangeCommit, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        if change.kind == .published {
            let payload = EventPayload.fields(of: change)
            return try append(change.object.name, payload, uuid: change.id, connection)
        }
        let (isChanged, topics) = state.withLock { state in
            if change.object.name == PushTopic.object { state.topicsChanged = true }
            return (state.changed.contains(change.object.name), state.topics)
        }
        if isChanged {
            let payload = EventPayload.change(change, commit, at: clock.milliseconds, schemas.paths(of: change.object))
            try append(
                EventChannel.topic(ofChangesOf: change.object.name), payload.bytes, detail: payload.detail, connection)
        }
        for topic in topics where topic.object.name == change.object.name {
            guard let type = try topic.notification(of: change, connection) else { continue }
            let record = try topic.record(of: change, connection)
            try append(topic.channel, record, detail: type, connection)
        }
    }

    package func didCommit(_ capture: ChangeCapture, _ connection: SQLiteConnection) {
        let (topicsChanged, written) = state.withLock { state in
            defer { (state.topicsChanged, state.written) = (false, []) }
            return (state.topicsChanged, state.written)
        }
        if topicsChanged, let topics = try? PushTopic.active(schema, connection) {
            for topic in topics { try? capture.capture(topic.object.name, connection) }
            state.withLock { $0.topics = topics }
        }
        if !written.isEmpty { notify(written) }
    }

    package func didRollBack() { state.withLock { ($0.topicsChanged, $0.written) = (false, []) } }

    /// Stores an event with the next replay ID.
    package func append(
        _ topic: String, _ payload: [UInt8], uuid: String = "", detail: String = "", _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let now = clock.milliseconds
        try clean(now, connection)
        let replay = try Self.nextReplay(connection)
        let expires = now + (topic.utf8.first == UInt8(ascii: "/") ? Self.shortRetention : Self.longRetention)
        try connection.run(
            "INSERT INTO \"org.Event\" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            [
                .integer(replay), .text(topic), .integer(now), .integer(expires), .text(uuid), .bytes(payload),
                .text(detail),
            ])
        state.withLock { _ = $0.written.insert(topic) }
    }

    /// Returns a new replay ID.
    ///
    /// As on Salesforce, the IDs of consecutive events are not consecutive.
    private static func nextReplay(_ connection: SQLiteConnection) throws(DatabaseError) -> Int64 {
        try connection.number(
            """
            INSERT INTO "org.Counter" VALUES ('replay', 1000 + ?1)
            ON CONFLICT DO UPDATE SET "Value" = "Value" + ?1 RETURNING "Value"
            """, [.integer(.random(in: 1...3))])
    }

    /// Stores the position before which events with long retention were deleted.
    private static func setFloor(_ replay: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.run(
            """
            INSERT INTO "org.Counter" VALUES ('replayFloor', ?1) ON CONFLICT DO UPDATE SET "Value" = max("Value", ?1)
            """, [.integer(replay)])
    }

    /// The last expired event with long retention, or 0.
    private static func lastExpired(_ now: Int64, _ connection: SQLiteConnection) throws(DatabaseError) -> Int64 {
        try connection.number(
            """
            SELECT coalesce(max("Replay"), 0) FROM "org.Event" WHERE "Expires" <= ?1 AND substr("Topic", 1, 1) <> '/'
            """, [.integer(now)])
    }

    /// Deletes expired events from time to time.
    private func clean(_ now: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        let isDue = state.withLock { state in
            guard now >= state.nextCleaning else { return false }
            state.nextCleaning = now + Self.cleaningInterval
            return true
        }
        guard isDue else { return }
        let last = try Self.lastExpired(now, connection)
        if last > 0 { try Self.setFloor(last, connection) }
        try connection.run("DELETE FROM \"org.Event\" WHERE \"Expires\" <= ?1", [.integer(now)])
    }
}

extension EventBus {
    // MARK: Publishing without a record

    /// Publishes events of a channel that is its own topic, such as `/u/News`, in one transaction.
    package func publish(_ payloads: [[UInt8]], to topic: String, _ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            for payload in payloads {
                try OrgError.wrapping { () throws(DatabaseError) in try append(topic, payload, connection) }
            }
        }
        notify([topic])
    }

    /// Publishes an event that reports lost changes of an object.
    package func publishGap(
        _ type: String, of object: SObjectSchema, ids: [String], by user: String, _ database: Database
    ) throws(OrgError) {
        let payload = EventPayload.gap(type, of: object, ids: ids, by: user, at: clock.milliseconds)
        try publish([payload], to: EventChannel.topic(ofChangesOf: object.name), database)
    }

    /// Stores the position of a managed subscription.
    func commit(_ replay: Int64, of subscription: String, _ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            try connection.change(
                "INSERT OR REPLACE INTO \"org.Counter\" VALUES (?1, ?2)",
                [.text("managed \(subscription)"), .integer(replay)])
        }
    }

    /// Returns the stored position of a managed subscription, or `nil` if there is none.
    func committed(of subscription: String, _ database: Database) throws(OrgError) -> Int64? {
        try database.read { (connection) throws(OrgError) -> Int64? in
            try Self.counter("managed \(subscription)", connection)
        }
    }

    /// Deletes all events, so that earlier replay IDs become invalid.
    package func expireEvents(_ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            try connection.change("DELETE FROM \"org.Event\"")
            try OrgError.wrapping { () throws(DatabaseError) in
                try Self.setFloor(Self.nextReplay(connection), connection)
            }
        }
    }
}

extension EventBus {
    // MARK: Reading

    /// Captures the changes that a channel delivers from now on.
    package func prepare(_ channel: EventChannel, _ database: Database) throws(OrgError) {
        let isChange = channel.topics == .allChanges || !channel.name.hasBytes(prefix: "/topic/")
        let known = state.withLock { $0.changed }
        let new = isChange ? channel.objects.filter { !known.contains($0) } : []
        guard !new.isEmpty else { return }
        try database.write { (connection) throws(OrgError) in
            guard let capture = connection.observer as? ChangeCapture else { return }
            for object in new {
                try OrgError.wrapping { () throws(DatabaseError) in
                    try capture.capture(object, connection)
                    try connection.run("INSERT OR IGNORE INTO \"org.ChangedObject\" VALUES (?1)", [.text(object)])
                }
                state.withLock { _ = $0.changed.insert(object) }
            }
        }
    }

    /// Returns the position before the events that a new subscriber gets, or `nil` if the replay ID is invalid.
    ///
    /// The ID is −1 for new events, −2 for all events, or that of an event that the channel still has.
    package func position(
        _ replay: Int64, of channel: EventChannel, _ database: Database
    ) throws(OrgError) -> EventPosition? {
        let now = clock.milliseconds
        return try database.read { (connection) throws(OrgError) -> EventPosition? in
            switch replay {
            case -1: return EventPosition(replay: try Self.last(connection))
            case -2: return EventPosition(replay: 0)
            default:
                let topics = try connection.fetch(
                    "SELECT \"Topic\" FROM \"org.Event\" WHERE \"Replay\" = ?1 AND \"Expires\" > ?2",
                    [.integer(replay), .integer(now)]
                ) { $0.text(0) }
                return topics.contains(where: channel.topics.contains) ? EventPosition(replay: replay) : nil
            }
        }
    }

    /// Returns the position after any event of the org, or `nil` if a later event with long retention was deleted.
    ///
    /// Unlike ``position(_:of:_:)``, the position can be between the events of a channel.
    package func position(after replay: Int64, _ database: Database) throws(OrgError) -> EventPosition? {
        let now = clock.milliseconds
        return try database.read { (connection) throws(OrgError) -> EventPosition? in
            let expired = try OrgError.wrapping { () throws(DatabaseError) -> Int64 in
                try Self.lastExpired(now, connection)
            }
            let floor = max(expired, try Self.counter("replayFloor", connection) ?? 0)
            let last = try Self.last(connection)
            return replay >= floor && replay <= last ? EventPosition(replay: replay) : nil
        }
    }

    /// Returns the replay ID of an event, or `nil` if it is not stored.
    package func replay(ofEvent uuid: String, _ database: Database) throws(OrgError) -> Int64? {
        try database.fetch(
            "SELECT \"Replay\" FROM \"org.Event\" WHERE \"UUID\" = ?1 ORDER BY \"Replay\" DESC LIMIT 1", [.text(uuid)]
        ) { $0.integer(0) }.first
    }

    /// The number of the last event, which is not necessarily stored any more.
    private static func last(_ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        try counter("replay", connection) ?? 0
    }

    private static func counter(_ name: String, _ connection: SQLiteConnection) throws(OrgError) -> Int64? {
        try connection.fetch("SELECT \"Value\" FROM \"org.Counter\" WHERE \"Name\" = ?1", [.text(name)]) {
            $0.integer(0)
        }.first
    }

    /// Returns the next events of a channel after a position, in order.
    ///
    /// There are at most `count` events, 1 or more. No further event is added when the payloads have more than `size`
    /// bytes.
    package func events(
        of channel: EventChannel, after position: EventPosition, most count: Int, size: Int = 1 << 20,
        _ database: Database
    ) throws(OrgError) -> EventPage {
        let now = clock.milliseconds
        return try database.read { (connection) throws(OrgError) -> EventPage in
            var page = EventPage(end: position)
            var bytes = 0
            let condition =
                switch channel.topics {
                case .some(let topics) where topics.count == 1: "\"Topic\" = ?4"
                // The plus sign keeps SQLite from an index that it would have to sort by.
                case .some: "+\"Topic\" IN (SELECT value FROM json_each(?4))"
                case .allChanges: "substr(\"Topic\", 1, 1) <> '/' AND substr(\"Topic\", -length(?4)) = ?4"
                }
            let read = try connection.fetch(
                """
                SELECT "Replay", "Topic", "Time", "UUID", "Payload", "Detail" FROM "org.Event"
                WHERE "Replay" > ?1 AND "Expires" > ?2 AND \(condition) ORDER BY "Replay" LIMIT ?3
                """,
                [.integer(position.replay), .integer(now), .integer(Int64(count)), .text(channel.topics.parameter)]
            ) { row in
                StoredEvent(
                    replay: row.integer(0), topic: row.text(1), time: row.integer(2), uuid: row.text(3),
                    payload: row.bytes(4), detail: row.text(5))
            }
            for event in read {
                guard bytes <= size else { return page }
                bytes += event.payload.count
                page.end.replay = event.replay
                if channel.delivers(event) { page.events.append(event) }
            }
            // Skips the events of other channels the next time.
            if read.count < count { page.end.replay = max(page.end.replay, try Self.last(connection)) }
            return page
        }
    }
}

extension EventChannel.Topics {
    fileprivate var parameter: String {
        switch self {
        case .some(let topics) where topics.count == 1: topics[0]
        case .some(let topics): "[" + topics.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        case .allChanges: EventChannel.changeSuffix
        }
    }
}

/// The position of a reader in the bus: after an event.
package struct EventPosition: Sendable, Hashable {
    package fileprivate(set) var replay: Int64
}

/// Events of a channel in order, and the position of a reader after them.
package struct EventPage: Sendable {
    package fileprivate(set) var events: [StoredEvent] = []
    package fileprivate(set) var end: EventPosition
}

/// An event of the bus.
package struct StoredEvent: Sendable, Hashable {
    package let replay: Int64
    package let topic: String
    /// The time of publishing, in milliseconds since 1970.
    package let time: Int64
    package let uuid: String
    /// The payload as JSON.
    package let payload: [UInt8]
    /// The members of a change event's header that only some protocols have, as JSON, or the type of a PushTopic's
    /// event.
    package let detail: String
}
