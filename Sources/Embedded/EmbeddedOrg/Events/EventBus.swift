// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestSQLite
import SOQLStore
import Synchronization

/// The events of an org, which are rows of its database.
///
/// The store calls the bus inside its transactions, so an event is stored if and only if its change is. Readers have a
/// position in the bus and no queue, so a slow reader costs nothing.
final class EventBus: ChangeSink {
    let schema: Schema
    let schemas: EventSchemas
    /// The topics of the custom channels, by the lower-case name of the channel.
    let channels: [String: [String]]
    /// The objects whose changes an administrator has selected.
    let selected: [String]
    let clock: ServerClock
    private let state = Mutex(State())

    private struct State {
        /// The objects whose changes are events.
        var changed: Set<String> = []
        var topics: [PushTopic] = []
        /// Whether a PushTopic changed in the current transaction.
        var topicsChanged = false
        /// The topics that got events in the current transaction.
        var written: Set<String> = []
        /// The next time to delete expired events, in milliseconds since 1970.
        var nextCleaning: Int64 = 0
        var listeners: [(wake: @Sendable (Set<String>) -> Void, subscribers: @Sendable () -> [EventSubscriber])] = []
    }

    init(_ schema: Schema, _ settings: EventSettings, _ clock: ServerClock) {
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
        CREATE INDEX IF NOT EXISTS "org.Event.UUID" ON "org.Event" ("UUID") WHERE "UUID" <> '';
        CREATE TABLE IF NOT EXISTS "org.ChangedObject" ("Object" TEXT PRIMARY KEY) WITHOUT ROWID
        """

    /// The time that an event is kept, in milliseconds: platform events and changes, and other events.
    private static let (longRetention, shortRetention): (Int64, Int64) = (72 * 3_600_000, 24 * 3_600_000)
    /// The time between two deletions of expired events, in milliseconds.
    private static let cleaningInterval: Int64 = 600_000

    var topics: [PushTopic] { state.withLock { $0.topics } }

    /// Calls the function after each commit with the topics that got events, possibly under the lock of the database.
    ///
    /// So the function must only wake a reader, which then calls ``events(of:after:most:size:_:)``. The other function
    /// returns the clients that listen.
    func listen(
        _ listener: @escaping @Sendable (Set<String>) -> Void,
        subscribers: @escaping @Sendable () -> [EventSubscriber] = { [] }
    ) {
        state.withLock { $0.listeners.append((listener, subscribers)) }
    }

    var subscribers: [EventSubscriber] { state.withLock(\.listeners).flatMap { $0.subscribers() } }

    private func notify(_ topics: Set<String>) {
        for listener in state.withLock(\.listeners) { listener.wake(topics) }
    }

    /// Whether the changes of an object can be events.
    static func publishesChanges(of object: SObjectSchema) -> Bool {
        object.publishing == nil && object.abilities.contains(.update)
            && ![PushTopic.object, "StreamingChannel"].contains(object.name)
    }
}

extension EventBus {
    // MARK: The sink of the store's changes

    func capturedObjects(_ connection: SQLiteConnection) throws(DatabaseError) -> [String] {
        let stored = try connection.list("SELECT \"Object\" FROM \"org.ChangedObject\"") { $0.text(0) }
        let changed = Set((stored + selected).compactMap { schema.object(named: $0)?.name })
        let topics = try PushTopic.active(schema, connection)
        state.withLock { ($0.changed, $0.topics) = (changed, topics) }
        return changed + topics.map(\.object.name) + [PushTopic.object]
    }

    func write(
        _ changes: [RecordChange], _ commit: ChangeCommit, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        guard let change = changes.first else { return }
        let object = change.object.name
        let (isChanged, topics) = state.withLock { state in
            if object == PushTopic.object { state.topicsChanged = true }
            return (state.changed.contains(object), state.topics.filter { $0.object.name == object })
        }
        let topic = EventChannel.topic(ofChangesOf: object)
        if isChanged, let paths = schemas.schema(ofTopic: topic)?.paths {
            let payload = EventPayload.change(change, changes.map(\.id), commit, at: clock.milliseconds, paths)
            try append(topic, payload, connection)
        }
        for topic in topics {
            for change in changes {
                guard let type = try topic.notification(of: change, connection) else { continue }
                try append(topic.channel, try topic.record(of: change, connection), type: type, connection)
            }
        }
    }

    func write(_ event: PublishedEvent, _ connection: SQLiteConnection) throws(DatabaseError) {
        try append(event.object.name, EventPayload.fields(of: event), uuid: event.uuid, connection)
    }

    func didCommit(_ capture: ChangeCapture, _ connection: SQLiteConnection) {
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

    func didRollBack() { state.withLock { ($0.topicsChanged, $0.written) = (false, []) } }

    func append(
        _ topic: String, _ payload: [UInt8], uuid: String = "", type: String = "", _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let now = clock.milliseconds
        try clean(now, connection)
        let replay = try Self.nextReplay(connection)
        let expires = now + (topic.utf8.first == UInt8(ascii: "/") ? Self.shortRetention : Self.longRetention)
        try connection.run(
            "INSERT INTO \"org.Event\" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            [
                .integer(replay), .text(topic), .integer(now), .integer(expires), .text(uuid), .bytes(payload),
                .text(type),
            ])
        state.withLock { _ = $0.written.insert(topic) }
    }

    /// Returns a new replay ID, which is not consecutive, as on Salesforce.
    private static func nextReplay(_ connection: SQLiteConnection) throws(DatabaseError) -> Int64 {
        try connection.number(
            """
            INSERT INTO "org.Counter" VALUES ('replay', 1000 + ?1)
            ON CONFLICT DO UPDATE SET "Value" = "Value" + ?1 RETURNING "Value"
            """, [.integer(.random(in: 1...3))])
    }

    /// The position before which events with long retention have expired at the time ?1.
    private static let floor = """
        SELECT max(coalesce((SELECT "Value" FROM "org.Counter" WHERE "Name" = 'replayFloor'), 0), coalesce((SELECT
        max("Replay") FROM "org.Event" WHERE "Expires" <= ?1 AND substr("Topic", 1, 1) <> '/'), 0))
        """

    /// Deletes expired events from time to time.
    private func clean(_ now: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        let isDue = state.withLock { state in
            guard now >= state.nextCleaning else { return false }
            state.nextCleaning = now + Self.cleaningInterval
            return true
        }
        guard isDue else { return }
        try connection.run(
            "INSERT OR REPLACE INTO \"org.Counter\" VALUES ('replayFloor', (\(Self.floor)))", [.integer(now)])
        try connection.run("DELETE FROM \"org.Event\" WHERE \"Expires\" <= ?1", [.integer(now)])
    }

    // MARK: Publishing without a record

    /// Publishes events of a channel that is its own topic, such as `/u/News`, in one transaction.
    func publish(_ payloads: [[UInt8]], to topic: String, _ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            try OrgError.wrapping { () throws(DatabaseError) in
                for payload in payloads { try append(topic, payload, connection) }
            }
        }
        notify([topic])
    }

    func commit(_ replay: Int64, of subscription: String, _ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            try connection.change(Self.setCounter, [.text("managed \(subscription)"), .integer(replay)])
        }
    }

    func committed(of subscription: String, _ database: Database) throws(OrgError) -> Int64 {
        try database.read { (connection) throws(OrgError) -> Int64 in
            try Self.counter("managed \(subscription)", connection)
        }
    }

    /// Deletes all events, so that earlier replay IDs become invalid.
    func expireEvents(_ database: Database) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            try connection.change("DELETE FROM \"org.Event\"")
            let next = try OrgError.wrapping { () throws(DatabaseError) in try Self.nextReplay(connection) }
            try connection.change(Self.setCounter, [.text("replayFloor"), .integer(next)])
        }
    }

    private static let setCounter = "INSERT OR REPLACE INTO \"org.Counter\" VALUES (?1, ?2)"

    // MARK: Reading

    /// Captures the changes that a channel delivers from now on.
    private func prepare(_ channel: EventChannel, _ database: Database) throws(OrgError) {
        let known = state.withLock { $0.changed }
        let new = channel.objects.filter { !known.contains($0) }
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
    /// The ID is −1 for new events, −2 for all events, or that of an event that the channel still has. If it need not
    /// be exact, any event of the org is valid after which no event with long retention was deleted. The changes that
    /// the channel delivers are captured from now on.
    func position(
        _ replay: Int64, of channel: EventChannel, isExact: Bool = true, _ database: Database
    ) throws(OrgError) -> Int64? {
        try prepare(channel, database)
        let now = clock.milliseconds
        return try database.read { (connection) throws(OrgError) -> Int64? in
            if replay == -2 { return 0 }
            let last = try Self.counter("replay", connection)
            if replay == -1 { return last }
            if isExact {
                let topics = try connection.fetch(
                    "SELECT \"Topic\" FROM \"org.Event\" WHERE \"Replay\" = ?1 AND \"Expires\" > ?2",
                    [.integer(replay), .integer(now)]
                ) { $0.text(0) }
                return topics.contains(where: channel.topics.contains) ? replay : nil
            }
            let first = try connection.fetch(Self.floor, [.integer(now)]) { $0.integer(0) }.first ?? 0
            return first <= replay && replay <= last ? replay : nil
        }
    }

    func replay(ofEvent uuid: String, _ database: Database) throws(OrgError) -> Int64? {
        try database.fetch(Self.replayOfEvent, [.text(uuid)]) { $0.integer(0) }.first
    }

    /// The newest event with the UUID ?1, in the words of the index.
    static let replayOfEvent = """
        SELECT "Replay" FROM "org.Event" WHERE "UUID" = ?1 AND "UUID" <> '' ORDER BY "Replay" DESC LIMIT 1
        """

    /// A number of the org, such as the replay ID of the last event, or 0.
    private static func counter(_ name: String, _ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        try connection.fetch("SELECT \"Value\" FROM \"org.Counter\" WHERE \"Name\" = ?1", [.text(name)]) {
            $0.integer(0)
        }.first ?? 0
    }

    /// The event with the number ?3 after a position in a topic.
    private static let lastOfPage = """
        SELECT "Replay" FROM "org.Event" WHERE "Topic" = ?4 AND "Replay" > ?1 ORDER BY 1 LIMIT ?3 - 1, 1
        """

    /// Returns the next events of a channel after a position, in order.
    ///
    /// There are at most `count` events, 1 or more. No further event is added when the payloads have more than `size`
    /// bytes.
    func events(
        of channel: EventChannel, after position: Int64, most count: Int, size: Int = 1 << 20,
        _ database: Database
    ) throws(OrgError) -> EventPage {
        let now = clock.milliseconds
        return try database.read { (connection) throws(OrgError) -> EventPage in
            var page = EventPage(end: position)
            var (read, bytes) = (0, 0)
            let (topic, (condition, topics)) = (channel.topic, channel.condition)
            let bounds: [SQLValue] = [.integer(position), .integer(now), .integer(Int64(count)), .text(topics)]
            // Most events of a part of the table are read faster in its order than by the index.
            let last = topic == nil ? nil : try connection.fetch(Self.lastOfPage, bounds) { $0.integer(0) }.first
            let isDense = last.map { $0 - position <= 8 * Int64(count) } ?? false
            try connection.scan(
                """
                SELECT "Replay", "Topic", "Time", "UUID", "Payload", "Detail" FROM "org.Event"
                WHERE "Replay" > ?1 AND "Replay" <= ?5 AND "Expires" > ?2 AND \(isDense ? "+" : "")\(condition)
                ORDER BY "Replay" LIMIT ?3
                """, bounds + [.integer(last ?? .max)]
            ) { row in
                guard bytes <= size else { return read = count }
                let event = StoredEvent(
                    replay: row.integer(0), topic: topic ?? row.text(1), time: row.integer(2), uuid: row.text(3),
                    payload: row.bytes(4), type: row.text(5))
                (read, bytes, page.end) = (read + 1, bytes + event.payload.count, event.replay)
                if channel.delivers(event) { page.events.append(event) }
            }
            // Skips the events of other channels the next time.
            if read < count, last == nil { page.end = max(page.end, try Self.counter("replay", connection)) }
            page.end = max(page.end, read < count ? last ?? 0 : 0)
            return page
        }
    }
}

/// Events of a channel in order, and the position of a reader after them, which is a replay ID.
struct EventPage: Sendable {
    var events: [StoredEvent] = []
    var end: Int64
}

/// An event of the bus.
struct StoredEvent: Sendable, Hashable {
    let replay: Int64
    let topic: String
    /// The time of publishing, in milliseconds since 1970.
    let time: Int64
    let uuid: String
    /// The payload as JSON.
    let payload: [UInt8]
    /// The type of a PushTopic's event, or an empty string.
    let type: String
}
