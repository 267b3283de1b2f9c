// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EventWire
import RestHTTP2
import RestTransport
import SOQLStore
import Synchronization

/// The number of events that a client waits for, and the time at which its stream needs attention.
///
/// This is a value without I/O. The caller passes the time.
struct FetchCredit {
    /// The maximum number of events that a client can wait for, above which none are counted.
    static let most = 100

    private let (keepAliveTime, fetchTime): (Duration, Duration)
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
    private var subscriber: EventSubscriber?

    init(
        _ service: PubSubService, _ call: GRPCServerCall, _ caller: PubSubService.Caller, _ rpcID: String,
        isManaged: Bool
    ) {
        (self.service, self.call, self.caller, self.rpcID) = (service, call, caller, rpcID)
        self.isManaged = isManaged
        credit = FetchCredit(service.settings, at: service.bus.clock.now)
    }

    /// The messages that were read, and `nil` or an error as the last one.
    private final class Inbox: Sendable {
        typealias Entry = Result<[UInt8]?, GRPCError>
        static let most = 100
        let entries = Mutex<[Entry]>([])
    }

    mutating func run() async throws(GRPCError) {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try service.begin(rpcID, wake)
        defer { service.end(rpcID) }
        // The end of the call ends this task, because it closes the stream.
        Task { [inbox, call] in await Self.read(call, into: inbox, wake) }
        var alarm: (deadline: ContinuousClock.Instant, task: Task<Void, Never>)?
        defer { alarm?.task.cancel() }
        var isOver = false
        for await _ in wakes {
            let entries = inbox.entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
            for entry in entries {
                if let message = try entry.get() { try await handle(message) } else { isOver = true }
            }
            guard service.isOpen(rpcID) else { throw .busy }
            guard !service.isSilent else { continue }
            try await deliver()
            // A client that sends no more requests gets the events it asked for.
            if isOver && credit.pending == 0 { return }
            if service.bus.clock.now >= credit.deadline {
                guard credit.pending > 0 else { return }
                try await send()
            }
            // An alarm that is too early wakes the stream once, which costs less than an alarm for each response.
            let (now, deadline) = (service.bus.clock.now, credit.deadline)
            if alarm.map({ $0.deadline > deadline || $0.deadline <= now }) ?? true {
                alarm?.task.cancel()
                let task = Task { [clock = service.bus.clock] in
                    if await clock.sleep(until: deadline) { wake.yield() }
                }
                alarm = (deadline, task)
            }
        }
        // The client has reset the stream, or the connection has ended.
        throw GRPCError(.cancelled, "The client is gone.")
    }

    private static func read(_ call: GRPCServerCall, into inbox: Inbox, _ wake: AsyncStream<Void>.Continuation) async {
        while true {
            var entry: Inbox.Entry
            do throws(GRPCError) { entry = .success(try await call.next()) } catch { entry = .failure(error) }
            inbox.entries.withLock { entries in
                if entries.count == Inbox.most { entry = .failure(.pubSub(.fetchOverflow, "Too many requests wait.")) }
                entries.append(entry)
            }
            wake.yield()
            guard case .success(_?) = entry else { return }
        }
    }

    // MARK: - Requests

    private mutating func handle(_ message: [UInt8]) async throws(GRPCError) {
        var (request, commit, name) = (PubSub.FetchRequest(), PubSub.CommitReplayRequest?.none, "")
        if isManaged {
            let given = try PubSub.ManagedFetchRequest(of: message)
            (request.numRequested, request.authRefresh, commit) = (given.numRequested, given.authRefresh, given.commit)
            guard given.subscriptionID.isEmpty else {
                throw .pubSub(.managedIDNotFound, "There is no subscription of this ID; use the developer name.")
            }
            name = given.developerName
        } else {
            request = try PubSub.FetchRequest(of: message)
        }
        try service.refresh(&caller, request.authRefresh)
        if subscriber == nil { try begin(request, managed: name) }
        guard request.topicName.isEmpty || request.topicName == subscriber?.channel.name else {
            throw .pubSub(.fetchTopicMismatch, "A stream has one topic.")
        }
        if let commit { try await handle(commit) }
        // A request can also change the stream only.
        if request.numRequested == 0 && (commit != nil || !request.authRefresh.isEmpty) { return }
        guard request.numRequested > 0 else {
            throw .pubSub(.fetchCountInvalid, "The number of requested events must be positive.")
        }
        credit.add(Int(request.numRequested), at: service.bus.clock.now)
    }

    private mutating func begin(_ request: PubSub.FetchRequest, managed name: String) throws(GRPCError) {
        var topic = request.topicName
        var start: Int64? =
            switch request.replayPreset {
            case .latest: -1
            case .earliest: -2
            default: ReplayID.number(request.replayID)
            }
        if isManaged {
            let subscriptions = service.settings.managedSubscriptions
            guard let found = subscriptions.first(where: { $0.developerName == name }) else {
                throw .pubSub(.managedNameNotFound, "There is no subscription of this name.")
            }
            topic = found.channel
            let committed = try service.reading { (bus, database) throws(OrgError) in
                try bus.committed(of: name, database)
            }
            start = committed > 0 ? committed : found.startsEarliest ? -2 : -1
        }
        let channel = try service.channel(topic)
        guard let start else { throw .pubSub(.replayCorrupted, "The replay ID is corrupted.") }
        let position = try service.reading { (bus, database) throws(OrgError) in
            try bus.position(start, of: channel, isExact: false, database)
        }
        guard let position else { throw .pubSub(.replayInvalid, "The replay ID is invalid or its event has expired.") }
        let subscriber = EventSubscriber(
            kind: isManaged ? .managed : .pubSub, id: rpcID, name: isManaged ? name : rpcID, user: caller.login.subject,
            channel: channel, position: position)
        self.subscriber = subscriber
        try service.listen(subscriber)
        // A client knows by the head that its subscription has begun.
        try call.respond(with: [:])
    }

    private mutating func handle(_ request: PubSub.CommitReplayRequest) async throws(GRPCError) {
        var commit = PubSub.CommitReplayResponse()
        (commit.commitRequestID, commit.replayID) = (request.commitRequestID, request.replayID)
        commit.processTime = service.bus.clock.milliseconds
        var isStored = false
        if let name = subscriber?.name, let replay = ReplayID.number(request.replayID) {
            isStored = (try? service.bus.commit(replay, of: name, service.database)) != nil
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

    private mutating func deliver() async throws(GRPCError) {
        while credit.pending > 0, var subscriber {
            let most = min(credit.pending, Self.mostPerResponse)
            let page = try service.reading { (bus, database) throws(OrgError) in
                try bus.events(of: subscriber.channel, after: subscriber.position, most: most, database)
            }
            subscriber.position = page.end
            self.subscriber = subscriber
            try service.listen(subscriber)
            let events = page.events.compactMap { consumed($0) }
            if !events.isEmpty {
                guard service.login(of: caller.token) != nil else { throw .invalidToken }
                try await send(events)
            }
            if page.events.isEmpty { return }
        }
    }

    private func consumed(_ event: StoredEvent) -> PubSub.ConsumerEvent? {
        guard let schema = service.bus.schemas.schema(ofTopic: event.topic), let payload = schema.encoded(event.payload)
        else { return nil }
        var (consumed, produced) = (PubSub.ConsumerEvent(), PubSub.ProducerEvent())
        (produced.id, produced.schemaID, produced.payload) = (event.uuid, schema.id, payload)
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
        response.latestReplayID = ReplayID.bytes(subscriber?.position ?? 0)
        response.pendingNumRequested = Int32(credit.pending)  // bounded: FetchCredit.most
        try await call.send(response.encoded)
    }
}
#endif
