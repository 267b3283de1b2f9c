// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EventWire
import RestHTTP2
import RestTransport
import SOQLStore
import Synchronization

/// A request on the stream of Subscribe or ManagedSubscribe.
struct FetchRequest: Sendable {
    /// The request to Subscribe, or the members of one to ManagedSubscribe that both have.
    private(set) var plain = PubSub.FetchRequest()
    private(set) var managed = PubSub.ManagedFetchRequest()

    init(_ message: [UInt8], _ isManaged: Bool) throws(GRPCError) {
        guard isManaged else {
            plain = try PubSub.FetchRequest(of: message)
            return
        }
        managed = try PubSub.ManagedFetchRequest(of: message)
        (plain.numRequested, plain.authRefresh) = (managed.numRequested, managed.authRefresh)
    }
}

/// The number of events that a client waits for, and the time at which its stream needs attention.
///
/// This is a value without I/O. The caller passes the time.
struct FetchCredit {
    /// The maximum number of events that a client can wait for, above which none are counted.
    static let most = 100

    private let keepAliveTime: Duration
    private let fetchTime: Duration
    private(set) var pending = 0
    /// The time of the last response, or at which the client had got all events it asked for.
    private var lastSent: ContinuousClock.Instant

    init(_ settings: EventSettings, at now: ContinuousClock.Instant) {
        (keepAliveTime, fetchTime, lastSent) = (settings.keepAliveTime, settings.fetchTime, now)
    }

    /// The time of the next empty response, or at which a client without requests has lost its stream.
    var deadline: ContinuousClock.Instant { lastSent + (pending > 0 ? keepAliveTime : fetchTime) }

    mutating func add(_ count: Int, at now: ContinuousClock.Instant) {
        if pending == 0 { lastSent = now }
        pending = min(Self.most, pending + min(count, Self.most))
    }

    mutating func sent(_ count: Int, at now: ContinuousClock.Instant) {
        pending -= count
        lastSent = now
    }
}

/// A stream of Subscribe or ManagedSubscribe.
///
/// One task reads requests into an inbox. The task of the call handles them, and sends events while the client has
/// asked for some. It sleeps until a request, a commit of the bus or a deadline.
struct PubSubStream {
    private let service: PubSubService
    private let call: GRPCServerCall
    private let rpcID: String
    private let isManaged: Bool
    private let inbox = Inbox()
    private var caller: PubSubService.Caller
    private var credit: FetchCredit
    /// The subscription, after the first request.
    private var channel: EventChannel?
    private var position = Int64(0)
    private var topic = ""
    private var managed: EventSettings.ManagedSubscription?

    init(
        _ service: PubSubService, _ call: GRPCServerCall, _ caller: PubSubService.Caller, _ rpcID: String,
        isManaged: Bool
    ) {
        (self.service, self.call, self.caller, self.rpcID) = (service, call, caller, rpcID)
        self.isManaged = isManaged
        credit = FetchCredit(service.settings, at: service.bus.clock.now)
    }

    /// The requests that were read, and `nil` or an error as the last one.
    private final class Inbox: Sendable {
        typealias Entry = Result<FetchRequest?, GRPCError>
        static let most = 100
        let entries = Mutex<[Entry]>([])
    }

    mutating func run() async throws(GRPCError) {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = try service.begin(wake)
        defer { service.end(number, managed: managed?.developerName) }
        // The end of the call ends this task, because it closes the stream.
        Task { [inbox, call, isManaged] in await Self.read(call, into: inbox, wake, isManaged: isManaged) }
        var alarm: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?
        defer { alarm?.task.cancel() }
        var isOver = false
        for await _ in wakes {
            let entries = inbox.entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
            for entry in entries {
                if let request = try entry.get() { try await handle(request, number) } else { isOver = true }
            }
            guard service.isOpen(number) else { throw .busy }
            guard !service.isSilent else { continue }
            try await deliver(number)
            // A client that sends no more requests gets the events it asked for.
            if isOver && credit.pending == 0 { return }
            if service.bus.clock.now >= credit.deadline {
                guard credit.pending > 0 else { return }
                try await send()
            }
            if alarm?.deadline != credit.deadline {
                alarm?.task.cancel()
                let deadline = credit.deadline
                alarm = (
                    deadline,
                    Task { [clock = service.bus.clock] in
                        if await clock.sleep(until: deadline) { wake.yield() }
                    }
                )
            }
        }
        // The client has reset the stream, or the connection has ended.
        throw GRPCError(.cancelled, "The client is gone.")
    }

    private static func read(
        _ call: GRPCServerCall, into inbox: Inbox, _ wake: AsyncStream<Void>.Continuation, isManaged: Bool
    ) async {
        var isLast = false
        while !isLast {
            let entry: Inbox.Entry
            do throws(GRPCError) {
                let message = try await call.next()
                isLast = message == nil
                entry = .success(try message.map { (bytes) throws(GRPCError) in try FetchRequest(bytes, isManaged) })
            } catch {
                isLast = true
                entry = .failure(error)
            }
            isLast = inbox.entries.withLock { entries in
                let hasRoom = entries.count < Inbox.most
                entries.append(hasRoom ? entry : .failure(.pubSub(.fetchOverflow, "Too many requests wait.")))
                return isLast || !hasRoom
            }
            wake.yield()
        }
    }

    // MARK: - Requests

    private mutating func handle(_ request: FetchRequest, _ number: Int) async throws(GRPCError) {
        let plain = request.plain
        try service.refresh(&caller, plain.authRefresh)
        if channel == nil { try begin(request, number) }
        guard plain.topicName.isEmpty || plain.topicName == topic else {
            throw .pubSub(.fetchTopicMismatch, "A stream has one topic.")
        }
        if let commit = request.managed.commit { try await handle(commit) }
        // A request can also change the stream only.
        if plain.numRequested == 0 && (request.managed.commit != nil || !plain.authRefresh.isEmpty) { return }
        guard plain.numRequested > 0 else {
            throw .pubSub(.fetchCountInvalid, "The number of requested events must be positive.")
        }
        credit.add(Int(plain.numRequested), at: service.bus.clock.now)
    }

    private mutating func begin(_ request: FetchRequest, _ number: Int) throws(GRPCError) {
        var (preset, replay) = (request.plain.replayPreset, ReplayID.number(request.plain.replayID))
        topic = request.plain.topicName
        if isManaged {
            let found = try service.reserve(request.managed)
            managed = found
            topic = found.channel
            let committed = try service.reading { (bus, database) throws(OrgError) in
                try bus.committed(of: found.developerName, database)
            }
            replay = committed
            preset = committed > 0 ? .custom : found.startsEarliest ? .earliest : .latest
        }
        let found = try service.channel(topic)
        let start: Int64? = preset == .latest ? -1 : preset == .earliest ? -2 : replay
        guard let start else { throw .pubSub(.replayCorrupted, "The replay ID is corrupted.") }
        let position = try service.reading { (bus, database) throws(OrgError) in
            try bus.prepare(found, database)
            return try bus.position(start, of: found, isExact: false, database)
        }
        guard let position else { throw .pubSub(.replayInvalid, "The replay ID is invalid or its event has expired.") }
        (channel, self.position) = (found, position)
        let name = managed?.developerName
        service.listen(
            number,
            EventSubscriber(
                kind: name == nil ? .pubSub : .managed, id: rpcID, name: name ?? rpcID, user: caller.login.subject,
                channel: found, position: position))
        // A client knows by the head that its subscription has begun.
        try call.respond(with: [:])
    }

    private mutating func handle(_ request: PubSub.CommitReplayRequest) async throws(GRPCError) {
        var commit = PubSub.CommitReplayResponse()
        (commit.commitRequestID, commit.replayID) = (request.commitRequestID, request.replayID)
        commit.processTime = service.bus.clock.milliseconds
        var isStored = false
        if let managed, let replay = ReplayID.number(request.replayID) {
            isStored = (try? service.bus.commit(replay, of: managed.developerName, service.database)) != nil
        }
        if !isStored {
            var failure = PubSub.Failure()
            (failure.code, failure.message) = (.commit, "The replay ID is invalid.")
            commit.error = failure
        }
        try await send(commit: commit)
    }

    // MARK: - Events

    /// The maximum number of events in a response.
    ///
    /// A response has half of the events that a client can wait for, so that the client reads it while the org prepares
    /// the next one.
    private static let mostPerResponse = FetchCredit.most / 2

    private mutating func deliver(_ number: Int) async throws(GRPCError) {
        guard let channel else { return }
        while credit.pending > 0 {
            let page = try service.reading { (bus, database) throws(OrgError) in
                try bus.events(
                    of: channel, after: position, most: min(credit.pending, Self.mostPerResponse), database)
            }
            position = page.end
            service.move(number, to: position)
            let events = page.events.compactMap { consumed($0) }
            if !events.isEmpty {
                guard service.login(of: caller.token) != nil else { throw .invalidToken }
                try await send(events)
            }
            if page.events.isEmpty { return }
        }
    }

    private func consumed(_ event: StoredEvent) -> PubSub.ConsumerEvent? {
        guard let codec = service.bus.schemas.codec(ofTopic: event.topic), let payload = codec.payload(of: event) else {
            return nil
        }
        var (consumed, produced) = (PubSub.ConsumerEvent(), PubSub.ProducerEvent())
        (produced.id, produced.schemaID, produced.payload) = (event.uuid, codec.id, payload)
        (consumed.event, consumed.replayID) = (produced, ReplayID.bytes(event.replay))
        return consumed
    }

    private mutating func send(
        _ events: [PubSub.ConsumerEvent] = [], commit: PubSub.CommitReplayResponse? = nil
    ) async throws(GRPCError) {
        if commit == nil { credit.sent(events.count, at: service.bus.clock.now) }
        // Without a commit, this message has the bytes of a response to Subscribe.
        var response = PubSub.ManagedFetchResponse()
        (response.events, response.commit, response.rpcID) = (events, commit, rpcID)
        (response.latestReplayID, response.pendingNumRequested) = (ReplayID.bytes(position), Int32(credit.pending))
        try await call.send(response.encoded)
    }
}
#endif
