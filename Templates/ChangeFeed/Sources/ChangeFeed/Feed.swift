// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestEvents
import Synchronization

/// Reads all records of an object, and then applies each change event to the table.
actor Feed {
    /// A step of the feed.
    enum Report: Sendable, CustomStringConvertible {
        /// All records were read, this number.
        case copied(Int)
        /// A change was written, this long after its commit.
        case changed(String, lag: TimeInterval)
        /// The connection was lost with this error, and is opened again after the delay.
        case disconnected(EventError, Duration)

        var description: String {
            switch self {
            case .copied(let count): "\(count) records read"
            case .changed(let what, let lag): "\(what), \(String(format: "%.3f", max(0, lag))) seconds after the commit"
            case .disconnected(let error, _): error.message
            }
        }
    }

    /// Changes were missed, so that all records must be read again.
    private struct Missed: Error {}

    private let client: RestClient
    private let replica: Replica
    private let pageSize: Int
    private let report: @Sendable (Report) -> Void
    private var rest = Int.max

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - client: the client of the org.
    ///   - replica: the table.
    ///   - pageSize: the number of records that a full read requests in one call and writes in one transaction.
    ///   - report: receives each step, on any thread.
    init(
        client: RestClient, replica: sending Replica, pageSize: Int = 500,
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        (self.client, self.replica, self.pageSize, self.report) = (client, replica, pageSize, report)
    }

    /// Follows the object until an error or until a number of changes is written.
    func run(changes: Int? = nil) async throws {
        rest = changes ?? .max
        while rest > 0 {
            try Task.checkCancellation()
            do {
                try await follow()
            } catch is Missed {
                try replica.startOver()
            } catch let error as EventError where error.code == .invalidPosition {
                try replica.startOver()
            }
        }
    }

    /// The channel of the object's change events.
    private var channel: String {
        let name = replica.object
        return name.hasSuffix("__c") ? "/data/\(name.dropLast())ChangeEvent" : "/data/\(name)ChangeEvent"
    }

    /// Subscribes, reads all records unless the feed has a position, and applies events.
    private func follow() async throws {
        let isCopied = try replica.hasPosition
        let (statuses, status) = AsyncStream.makeStream(of: EventStatus.self)
        let (copies, copied) = AsyncStream.makeStream(of: Void.self)
        // It is set before any event after the gap can be read, so that no position after a gap is ever stored.
        let hasMissed = Flag()
        var options = EventOptions()
        options.onStatus = { change in
            if case .gap(let gap) = change, gap.reason == .unknownPosition { hasMissed.set() }
            status.yield(change)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.watch(statuses, isCopied, copied, hasMissed) }
            group.addTask { [options] in try await self.apply(isCopied ? nil : copies, options, hasMissed) }
            _ = try await group.next()
            group.cancelAll()
        }
    }

    /// Reads all records after the subscription, so that events have every later change.
    private func watch(
        _ statuses: AsyncStream<EventStatus>, _ isCopied: Bool, _ copied: AsyncStream<Void>.Continuation,
        _ hasMissed: Flag
    ) async throws {
        var isCopied = isCopied
        for await status in statuses {
            guard !hasMissed.isSet else { throw Missed() }
            switch status {
            case .connected where !isCopied:
                try await copy()
                isCopied = true
                copied.yield()
            case .disconnected(let error, let delay): report(.disconnected(error, delay))
            default: break
            }
        }
    }

    private func copy() async throws {
        let id: SOQL.Field = "Id"
        let all = SOQL.Select(replica.object, replica.fields.map { SOQL.Field($0) }).order(by: id).limit(pageSize)
        try replica.beginCopy()
        var last: String?
        repeat {
            let page = last.map { all.where(id > $0) } ?? all
            let records = try await client.records(SOQL(page)).collect(limit: pageSize)
            try replica.copy(records)
            last = records.count < pageSize ? nil : records.last?.id
        } while last != nil
        report(.copied(try replica.endCopy()))
    }

    /// Subscribes and applies events, the first of which waits for the full read if there is one.
    private func apply(_ copies: AsyncStream<Void>?, _ options: EventOptions, _ hasMissed: Flag) async throws {
        let subscription = try await EventSubscription(
            name: replica.object, store: replica.positions, in: replica.database)
        var copies = copies
        for try await event in client.events(channel, from: .latest, as: subscription, options: options) {
            if let copies { for await _ in copies { break } }
            copies = nil
            try Task.checkCancellation()
            guard !hasMissed.isSet else { throw Missed() }
            guard let header = event.changeHeader else { continue }
            let (change, what) = try await change(event, header)
            try replica.apply(change, at: event.position)
            report(.changed(what, lag: Date.now.timeIntervalSince(header.commitTime)))
            rest -= 1
            if rest == 0 { return }
        }
    }

    /// Returns what an event changes in the table, and a description of it.
    private func change(
        _ event: ReceivedEvent, _ header: ChangeHeader
    ) async throws -> (change: Replica.Change, what: String) {
        let ids = header.recordIDs
        if header.kind == .overflow {
            try await copy()
            return (.replace([], deleted: []), "all read again")
        }
        if header.kind == .deleted { return (.replace([], deleted: ids), "\(ids.count) deleted") }
        var fields = event.fields
        fields["ChangeEventHeader"] = JSONValue?.none
        // The parts of a compound field and the difference of a long text are objects.
        if header.needsReading || fields.contains(where: { $0.value.object != nil }) {
            return (try await reread(ids), "\(ids.count) read again")
        }
        if header.kind == .updated {
            let values = replica.fields.dropFirst().compactMap { field -> (field: String, value: JSONValue)? in
                if let value = fields[field] { return (field, value) }
                return header.nulledFields.contains(field) ? (field, .null) : nil
            }
            return (.update(ids: ids, values: values), "\(ids.count) updated")
        }
        let records = ids.map { id in
            fields["Id"] = JSONValue(id)
            return Record(fields: fields)
        }
        return (.replace(records, deleted: []), "\(ids.count) \(header.kind == .created ? "created" : "undeleted")")
    }

    /// Reads records again, of which some may no longer exist.
    private func reread(_ ids: [String]) async throws -> Replica.Change {
        let records = try await client.retrieveAll(replica.object, ids: ids, fields: replica.fields)
        let gone = zip(ids, records).filter { $0.1 == nil }.map(\.0)
        return .replace(records.compactMap(\.self), deleted: gone)
    }
}

/// A flag that one thread sets and others read.
final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
