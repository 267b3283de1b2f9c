// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EventWire
import LocalServer
import RestBase
import RestHTTP2
import RestTransport
import SOQLStore
import Synchronization

/// The service `eventbus.v1.PubSub`: events by gRPC.
///
/// A subscription is the task of its call. A commit wakes the tasks of the channels that got events.
final class PubSubService: Sendable {
    let bus: EventBus
    let settings: EventSettings
    let database: Database
    private let tokens: TokenService
    private let records: RecordStore
    let connections = Mutex<[ObjectIdentifier: HTTP2ServerConnection]>([:])
    private let state = Mutex(State())

    private struct State {
        /// The streams by the IDs of their calls.
        var streams: [String: Stream] = [:]
        /// The errors of the next calls.
        var rejections: [PubSubErrorCode.Reason] = []
        /// Whether streams send nothing.
        var isSilent = false
    }

    private struct Stream {
        let wake: AsyncStream<Void>.Continuation
        /// The subscription, as soon as it is known.
        var subscriber: EventSubscriber?
    }

    struct Caller {
        var token: String
        let login: TokenIssuer.Login
    }

    init(
        _ bus: EventBus, _ tokens: TokenService, _ settings: EventSettings, _ database: Database, _ records: RecordStore
    ) {
        (self.bus, self.tokens, self.settings) = (bus, tokens, settings)
        (self.database, self.records) = (database, records)
        bus.listen(
            { [weak self] topics in
                self?.wake { !topics.isDisjoint(with: $0.subscriber?.channel.topics ?? []) }
            },
            subscribers: { [weak self] in self?.state.withLock { $0.streams.values.compactMap(\.subscriber) } ?? [] })
    }

    deinit {
        drop()
    }

    func respond(_ call: GRPCServerCall) async throws(GRPCError) {
        let rpcID = RandomText.make(32, of: "0123456789abcdef")
        do throws(GRPCError) {
            if let reason = state.withLock({ $0.rejections.isEmpty ? nil : $0.rejections.removeFirst() }) {
                throw .pubSub(reason, "The call was rejected on command.")
            }
            try await perform(call, try caller(of: call), rpcID)
        } catch {
            throw error.naming(rpcID)
        }
    }

    private func perform(_ call: GRPCServerCall, _ caller: Caller, _ rpcID: String) async throws(GRPCError) {
        switch call.path {
        case "/eventbus.v1.PubSub/GetTopic":
            var info = PubSub.TopicInfo()
            (info.topicName, info.rpcID) = (try await call.request(PubSub.TopicRequest.self).topicName, rpcID)
            let channel = try channel(info.topicName)
            info.tenantGUID = "core/local/\(tokens.identity.organizationID)"
            (info.canPublish, info.canSubscribe) = (published(on: channel) != nil, true)
            // The events of a channel with several objects have several schemas.
            info.schemaID = channel.topic.flatMap { bus.schemas.schema(ofTopic: $0)?.id } ?? ""
            try await call.send(info.encoded)
        case "/eventbus.v1.PubSub/GetSchema":
            let id = try await call.request(PubSub.SchemaRequest.self).schemaID
            guard let schema = bus.schemas.schema(id: id) else {
                throw .pubSub(.schemaInvalid, "The schema \(BayeuxMessage.shortened(id)) does not exist.")
            }
            var info = PubSub.SchemaInfo()
            (info.schemaJSON, info.schemaID, info.rpcID) = (schema.compact, schema.id, rpcID)
            try await call.send(info.encoded)
        case "/eventbus.v1.PubSub/Publish":
            let request = try await call.request(PubSub.PublishRequest.self)
            try await call.send(try publish(request, caller, rpcID).encoded)
        case "/eventbus.v1.PubSub/PublishStream": try await publishStream(call, caller, rpcID)
        case "/eventbus.v1.PubSub/Subscribe", "/eventbus.v1.PubSub/ManagedSubscribe":
            let isManaged = call.path.hasBytes(suffix: "ManagedSubscribe")
            var stream = PubSubStream(self, call, caller, rpcID, isManaged: isManaged)
            try await stream.run()
        default: throw GRPCError(.unimplemented, "The service has no method \(call.path).")
        }
    }

    private func caller(of call: GRPCServerCall) throws(GRPCError) -> Caller {
        guard let token = call.metadata["accesstoken"], let instance = call.metadata["instanceurl"],
            let tenant = call.metadata["tenantid"]
        else { throw .pubSub(.authHeadersInvalid, "accesstoken, instanceurl and tenantid are required.") }
        guard let login = login(of: token) else { throw .invalidToken }
        let (url, id) = (tokens.identity.instanceURL, tokens.identity.organizationID)
        // The machine has several names.
        let port = url.cut(lastByte: ":")?.after ?? ""
        guard ["", "/"].contains(where: { instance.hasBytes(suffix: ":\(port)\($0)") }),
            [id, String(id.prefix(15))].contains(tenant)
        else { throw .pubSub(.authHeadersInvalid, "instanceurl or tenantid is not that of the org.") }
        return Caller(token: token, login: login)
    }

    func login(of token: String) -> TokenIssuer.Login? { tokens.bearerLogin(of: token) }

    /// Uses the bus, which fails only if the database does.
    func reading<Value>(_ body: (EventBus, Database) throws(OrgError) -> Value) throws(GRPCError) -> Value {
        do throws(OrgError) { return try body(bus, database) } catch { throw .busy }
    }
}

extension PubSubService {
    /// Finds a channel that the Pub/Sub API has: platform events and changes.
    func channel(_ name: String) throws(GRPCError) -> EventChannel {
        guard !name.isEmpty else { throw .pubSub(.topicEmpty, "The topic name is empty.") }
        let area = name.lowercased()
        let isServed = area.hasBytes(prefix: "/event/") || area.hasBytes(prefix: "/data/")
        let found = try reading { (bus, database) throws(OrgError) in try bus.channel(named: name, database) }
        guard isServed, let found else {
            throw .pubSub(.topicNotFound, "The topic \(BayeuxMessage.shortened(name)) does not exist.")
        }
        return found
    }

    /// The object of a channel that takes events of publishers, or `nil`.
    private func published(on channel: EventChannel) -> SObjectSchema? {
        channel.topic.flatMap { bus.schema.event(named: $0) }
    }

    // MARK: Publishing

    private static let mostPublished = 200
    /// The maximum length of a publisher's id, which becomes the event's UUID.
    private static let longestID = 36

    private func publishStream(_ call: GRPCServerCall, _ caller: Caller, _ rpcID: String) async throws(GRPCError) {
        var (caller, topic) = (caller, "")
        while let message = try await call.next() {
            var request = try PubSub.PublishRequest(of: message)
            try refresh(&caller, request.authRefresh, .publishAuthRefreshInvalid)
            if request.topicName.isEmpty { request.topicName = topic }
            if topic.isEmpty { topic = request.topicName }
            guard request.topicName == topic else {
                throw .pubSub(.publishTopicMismatch, "A stream publishes on one topic.")
            }
            try await call.send(try publish(request, caller, rpcID).encoded)
        }
    }

    private func publish(
        _ request: PubSub.PublishRequest, _ caller: Caller, _ rpcID: String
    ) throws(GRPCError) -> PubSub.PublishResponse {
        guard login(of: caller.token) != nil else { throw .invalidToken }
        guard !request.topicName.isEmpty else { throw .pubSub(.publishTopicEmpty, "The topic name is empty.") }
        guard (1...Self.mostPublished).contains(request.events.count) else {
            throw .pubSub(.publishCountInvalid, "A request publishes 1 to \(Self.mostPublished) events.")
        }
        let channel = try channel(request.topicName)
        guard let object = published(on: channel), let schema = bus.schemas.schema(ofTopic: object.name) else {
            throw .pubSub(.topicPermission, "The topic takes no events of publishers.")
        }
        var store = records
        (store.userID, store.database) = (caller.login.subject, database)
        var response = PubSub.PublishResponse()
        (response.schemaID, response.rpcID) = (schema.id, rpcID)
        response.results = request.events.map { publish($0, object, schema, store) }
        return response
    }

    /// Publishes one event in its own transaction, so that an invalid one does not affect the others.
    private func publish(
        _ event: PubSub.ProducerEvent, _ object: SObjectSchema, _ schema: EventSchema, _ store: RecordStore
    ) -> PubSub.PublishResult {
        var result = PubSub.PublishResult()
        result.correlationKey = event.id
        do {
            guard event.id.utf8.count <= Self.longestID else { throw OrgError.parser("The id is too long.") }
            guard event.schemaID == schema.id else { throw OrgError.parser("The schema is not that of the topic.") }
            let uuid = try store.create(
                try schema.members(of: event.payload), of: object, uuid: event.id.isEmpty ? nil : event.id)
            result.correlationKey = uuid
            result.replayID = try bus.replay(ofEvent: uuid, database).map(ReplayID.bytes) ?? []
        } catch {
            var failure = PubSub.Failure()
            let message = (error as? OrgError)?.message ?? "The payload does not fit the schema: \(error)"
            (failure.code, failure.message) = (.publish, message)
            result.error = failure
        }
        return result
    }

    func refresh(
        _ caller: inout Caller, _ token: String, _ reason: PubSubErrorCode.Reason = .authRefreshInvalid
    ) throws(GRPCError) {
        guard !token.isEmpty else { return }
        guard login(of: token)?.subject == caller.login.subject else {
            throw .pubSub(reason, "The new access token is invalid.")
        }
        caller.token = token
    }

    // MARK: Streams

    /// Registers the stream of a call.
    func begin(_ rpcID: String, _ wake: AsyncStream<Void>.Continuation) throws(GRPCError) {
        try state.withLock { (state) throws(GRPCError) in
            guard state.streams.count < settings.clients else {
                throw .pubSub(.concurrentClients, "Too many clients listen at the same time.")
            }
            state.streams[rpcID] = Stream(wake: wake)
        }
    }

    /// Stores the subscription of a stream, which wakes when topics of the channel get events.
    func listen(_ subscriber: EventSubscriber) throws(GRPCError) {
        try state.withLock { (state) throws(GRPCError) in
            let others = state.streams.values.lazy.compactMap(\.subscriber).filter { $0.id != subscriber.id }
            guard subscriber.kind != .managed || !others.contains(where: { $0.name == subscriber.name }) else {
                throw .pubSub(.managedAlreadyActive, "Another client uses the subscription.")
            }
            state.streams[subscriber.id]?.subscriber = subscriber
        }
    }

    func end(_ rpcID: String) { state.withLock { $0.streams[rpcID] = nil } }

    /// Whether a stream must not send anything.
    var isSilent: Bool { state.withLock(\.isSilent) }

    /// Whether a stream must continue, which ``endStreams()`` ends.
    func isOpen(_ rpcID: String) -> Bool { state.withLock { $0.streams[rpcID] != nil } }

    private func wake(_ isWoken: (Stream) -> Bool) {
        for wake in state.withLock({ $0.streams.values.filter(isWoken).map(\.wake) }) { wake.yield() }
    }

    // MARK: Faults

    /// Rejects the next calls, or returns `false` for an unknown error code.
    func reject(_ count: Int, _ code: String) -> Bool {
        guard let reason = PubSubErrorCode.Reason(rawValue: code) else { return false }
        state.withLock { $0.rejections += Array(repeating: reason, count: min(max(0, count), 10_000)) }
        return true
    }

    func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
        wake { _ in true }
    }

    func endStreams() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            return state.streams.values.map(\.wake)
        }
        for wake in streams { wake.yield() }
    }

    var streamCount: Int { state.withLock(\.streams.count) }
}

extension GRPCServerCall {
    fileprivate func request<Message: ProtobufMessage>(_ type: Message.Type) async throws(GRPCError) -> Message {
        guard let message = try await next() else { throw GRPCError(.internal, "The call has no message.") }
        return try Message(of: message)
    }
}

extension ProtobufMessage {
    init(of message: [UInt8]) throws(GRPCError) {
        do throws(ProtobufError) { try self.init(reading: message) } catch {
            throw GRPCError(.internal, "The message is invalid: \(error)")
        }
    }
}
#endif
