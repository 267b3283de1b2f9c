// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

extension SyncStore {
    /// Keeps the copy like the org by change events (Change Data Capture), until its task is cancelled.
    ///
    /// ```swift
    /// let live = Task { try await store.live(with: client) }
    /// ```
    /// The copy is synced once when the subscription begins, and again after a gap, an overflow or more than 2,000
    /// changes at once. In between, changed records are read by their ids, and the position of the subscription is
    /// stored in the transaction that writes them. Lost connections and failed requests are repeated after a delay. A
    /// sync of the app waits while changed records are read. Local edits are sent by syncs only.
    ///
    /// - Parameters:
    ///   - client: the client of the org.
    ///   - objects: the objects to listen to, for which Change Data Capture must be enabled, or `nil` for the objects
    ///     of all subsets. Other objects change with the next sync only.
    ///   - options: the settings of the subscription.
    ///   - report: receives the result of each sync and each read of changes.
    /// - Throws: ``SyncError/Code/subscription`` if the server rejects the subscription, ``SyncError/Code/request`` if
    ///   the login has ended or the server rejects a request, and ``SyncError/Code/busy`` if the copy is live already.
    @concurrent
    public func live(
        with client: RestClient, objects: [String]? = nil, options: EventOptions = EventOptions(),
        report: @escaping @Sendable (SyncReport) -> Void = { _ in }
    ) async throws(SyncError) {
        let hold = try LiveHold(self)
        defer { withExtendedLifetime(hold) {} }
        let objects = if let objects { objects } else { try subsetObjects }
        guard !objects.isEmpty else { throw SyncError(.subset, "the copy has no subset; pull one first") }
        let positions = LivePositions(store: self, prefix: options.wire == .cometD ? "cometd:" : "pubsub:")
        let changes = LiveChanges()
        var settings = options
        settings.invalidPosition = .latest
        settings.onStatus = { status in
            switch status {
            case .connected: changes.requestSync()
            case .gap(let gap):
                // A reported gap is an event as well, with the ids of its records.
                if case .reported = gap.reason {} else { changes.requestSync() }
            default: break
            }
            options.onStatus?(status)
        }
        let events: EventSequence<ReceivedEvent>
        do throws(EventError) {
            let subscription = try await EventSubscription(name: "copy", store: positions, in: LiveTransaction())
            events = client.events(objects.map(Self.channel), from: .latest, as: subscription, options: settings)
        } catch {
            throw SyncError(error)
        }
        let failure = await withTaskGroup(of: SyncError?.self) { group in
            group.addTask {
                do throws(EventError) {
                    for try await event in events { changes.add(event) }
                    return nil
                } catch {
                    return SyncError(error)
                }
            }
            group.addTask {
                do throws(SyncError) {
                    try await self.apply(changes, positions, client, report)
                    return nil
                } catch {
                    return error
                }
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let failure, !Task.isCancelled { throw failure }
    }

    /// The channel of an object's changes.
    private static func channel(_ object: String) -> String {
        object.removing(suffix: "__c").map { "/data/\($0)__ChangeEvent" } ?? "/data/\(object)ChangeEvent"
    }

    /// The errors of requests that a live copy repeats.
    private static let passing: Set<RestError.Code> = [
        .notConnected, .transport, .timedOut, .server, .rateLimited, .circuitOpen,
    ]

    /// Reads changed records as long as the task runs.
    private func apply(
        _ changes: LiveChanges, _ positions: LivePositions, _ client: RestClient,
        _ report: @Sendable (SyncReport) -> Void
    ) async throws(SyncError) {
        for await _ in changes.wakes {
            let batch = changes.take()
            guard !batch.isEmpty else { continue }
            let values = positions.values(batch.positions)
            var delay = Duration.seconds(1)
            while true {
                do throws(SyncError) {
                    if batch.needsSync {
                        report(try await sync(with: client, isLive: true))
                        try store(values)
                    } else {
                        report(try await pull(changes: batch.ids, storing: values, with: client))
                    }
                    break
                } catch {
                    guard let code = error.rest?.code, Self.passing.contains(code), !Task.isCancelled else {
                        throw error
                    }
                    // Until the network and the server work again.
                    try? await client.clock.sleep(until: client.clock.now + delay, tolerance: nil)
                    delay = min(delay * 2, .seconds(60))
                }
            }
        }
    }
}

/// The claim of the one subscription that keeps a copy live.
private final class LiveHold: Sendable {
    private let store: SyncStore

    init(_ store: SyncStore) throws(SyncError) {
        let isFree = store.isLive.withLock { isLive in
            defer { isLive = true }
            return !isLive
        }
        guard isFree else { throw SyncError(.busy, "\(store.path) is live already; cancel the other task first") }
        self.store = store
    }

    deinit { store.isLive.withLock { $0 = false } }
}

/// The changes that were received and not yet read.
final class LiveChanges: Sendable {
    struct Batch: Sendable, Hashable {
        var ids: [String: Set<String>] = [:]
        /// The last position of each channel.
        var positions: [String: ReplayID] = [:]
        var needsSync = false
        fileprivate var count = 0

        var isEmpty: Bool { positions.isEmpty && !needsSync }
    }

    /// The number of changes from which a sync is faster.
    static let most = 2_000

    /// An element for each time that the batch has changed.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let batch = Mutex(Batch())

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ event: ReceivedEvent) {
        batch.withLock { batch in
            batch.positions[event.channel] = event.replayID
            guard let header = event.changeHeader, header.kind != .overflow, !header.recordIDs.isEmpty else {
                batch.needsSync = true
                return
            }
            batch.count += header.recordIDs.count
            if batch.count > Self.most {
                (batch.needsSync, batch.ids) = (true, [:])
            } else {
                batch.ids[header.object, default: []].formUnion(header.recordIDs)
            }
        }
        wake.yield()
    }

    func requestSync() {
        batch.withLock { $0.needsSync = true }
        wake.yield()
    }

    func take() -> Batch {
        batch.withLock { batch in
            defer { batch = Batch() }
            return batch
        }
    }
}

/// The transaction in which positions are stored, which the copy begins itself.
struct LiveTransaction {}

/// Positions in the copy, which are stored together with the records.
struct LivePositions: EventTransactionStore {
    let store: SyncStore
    let prefix: String

    /// The copy has one subscription at a time, which its `LiveHold` ensures.
    func lock(_ name: String) -> EventLock { EventLock(name) }

    func positions(of name: String, in transaction: LiveTransaction) throws -> [EventPosition] {
        try store.values(prefix).compactMap { channel, text in
            ReplayID(text).map { EventPosition(channel: channel, replayID: $0) }
        }
    }

    func advance(to position: EventPosition, of name: String, in transaction: LiveTransaction) throws {
        try store.store(values([position.channel: position.replayID]))
    }

    /// The stored form of positions.
    func values(_ positions: [String: ReplayID]) -> [String: String] {
        Dictionary(positions.map { (prefix + $0.key, $0.value.description) }) { _, last in last }
    }
}

extension SyncError {
    fileprivate init(_ error: EventError) {
        self.init(.subscription, error.message, underlying: error)
    }
}
