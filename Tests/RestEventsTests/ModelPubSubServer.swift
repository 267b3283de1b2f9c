// SPDX-License-Identifier: Apache-2.0

import EventServers
import EventWire
import RestBase
import RestEvents
import RestHTTP2
import RestJSON
import RestTesting
import RestTransport
import Synchronization

/// The Pub/Sub API in front of the events and the tokens of a model, on a port of this machine.
///
/// Its replay ids have nine bytes, so that no client can take them for numbers.
final class ModelPubSubServer: Sendable {
    /// The end of a stream instead of its next response.
    enum Cut: Sendable {
        case status(GRPCError)
        case connection
    }

    struct Log: Sendable {
        var calls: [String] = []
        /// The tokens that streams were renewed with.
        var refreshed: [String] = []
        /// The numbers of events that were requested in the last stream, because a new one begins with a new window.
        var requested: [Int] = []
        /// The number of streams that are open.
        var open = 0
        /// The positions of managed subscriptions, and those with a stream.
        var committed: [String: [UInt8]] = [:]
        var active: Set<String> = []
        /// Whether positions cannot be committed.
        var rejectsCommits = false
    }

    let model: ModelEventServer
    let log = Watched(Log())
    private let connections: Watched<[HTTP2ServerConnection]>
    private let server: ConnectionServer

    /// Starts a server, whose schemas are their ids too.
    ///
    /// `keepsExpired` lets streams continue after their token has expired. `cut` ends a stream before a response.
    init(
        _ model: ModelEventServer, schemas: [String: String], keepsExpired: Bool = false,
        cut: @escaping @Sendable () -> Cut? = { nil }
    ) throws {
        self.model = model
        let connections = Watched<[HTTP2ServerConnection]>([])
        self.connections = connections
        let log = log
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            let connection = try? HTTP2ServerConnection(grpc: socket) { call async throws(GRPCError) in
                let session = PubSubSession(
                    model: model, schemas: schemas, keepsExpired: keepsExpired, log: log, cut: cut)
                do throws(GRPCError) { try await session.respond(to: call) } catch {
                    if error.message == PubSubSession.drop { for one in connections.value { await one.shutdown() } }
                    throw error
                }
            }
            guard let connection else { return }
            connections.update { $0.append(connection) }
        } onClose: { _ in
        }
    }

    var wire: EventOptions.Wire { .pubSub(at: Origin(scheme: .http, host: "127.0.0.1", port: server.port)) }

    func options(_ options: EventOptions = EventOptions()) -> EventOptions {
        var options = options
        options.wire = wire
        return options
    }

    /// Sends GOAWAY to the clients, whose connections then take no new calls.
    func leave() { for connection in connections.value { connection.leave() } }

    func stop() async {
        server.stop()
        for connection in connections.value { await connection.shutdown() }
    }

    static func id(_ number: Int) -> [UInt8] {
        [0xA5] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The methods of the server.
struct PubSubSession: Sendable {
    static let drop = "drop"

    let model: ModelEventServer
    let schemas: [String: String]
    let keepsExpired: Bool
    let log: Watched<ModelPubSubServer.Log>
    let cut: @Sendable () -> ModelPubSubServer.Cut?

    private static func error(_ code: GRPCError.Code, _ reason: PubSubErrorCode.Reason) -> GRPCError {
        GRPCError(code, "\(reason) rpc", trailers: ["error-code": "\(PubSubErrorCode(reason))", "rpc-id": "rpc"])
    }

    private func check(_ token: String?) throws(GRPCError) {
        let current = model.state.withLock { "t\($0.token)" }
        guard token == current else { throw Self.error(.unauthenticated, .authError) }
    }

    func respond(to call: GRPCServerCall) async throws(GRPCError) {
        let name = String(call.path.split(separator: "/").last ?? "")
        log.update { $0.calls.append(name) }
        try check(call.metadata["accesstoken"])
        guard call.metadata["instanceurl"] == "https://example.my.salesforce.com",
            call.metadata["tenantid"] == "00D000000000001AAA"
        else { throw Self.error(.unauthenticated, .authHeadersInvalid) }
        switch name {
        case "GetTopic":
            let request: PubSub.TopicRequest = try await read(call)
            guard let schema = schemas[request.topicName] else { throw Self.error(.notFound, .topicNotFound) }
            var topic = PubSub.TopicInfo()
            (topic.topicName, topic.schemaID, topic.canPublish) = (request.topicName, schema, true)
            topic.canSubscribe = request.topicName != "/event/Secret__e"
            try await call.send(topic.encoded)
        case "GetSchema":
            let request: PubSub.SchemaRequest = try await read(call)
            var info = PubSub.SchemaInfo()
            (info.schemaID, info.schemaJSON) = (request.schemaID, request.schemaID)
            try await call.send(info.encoded)
        case "Publish": try await call.send(publish(try await read(call)).encoded)
        case "PublishStream":
            while let bytes = try await call.next() {
                guard let request = try? PubSub.PublishRequest(reading: bytes) else { return }
                try await call.send(publish(request).encoded)
            }
        case "Subscribe": try await subscribe(call, try await read(call), managed: nil)
        case "ManagedSubscribe":
            let first: PubSub.ManagedFetchRequest = try await read(call)
            let name = first.developerName
            guard let channel = EventModel.managed[name] else { throw Self.error(.notFound, .managedNameNotFound) }
            var isFirst = false
            log.update { isFirst = $0.active.insert(name).inserted }
            guard isFirst else { throw Self.error(.failedPrecondition, .managedAlreadyActive) }
            defer { log.update { _ = $0.active.remove(name) } }
            var request = PubSub.FetchRequest()
            (request.topicName, request.numRequested, request.replayPreset) = (channel, first.numRequested, .earliest)
            if let id = log.value.committed[name] { (request.replayPreset, request.replayID) = (.custom, id) }
            try await subscribe(call, request, managed: name)
        default: throw GRPCError(.unimplemented, "no method")
        }
    }

    private func read<Message: ProtobufMessage>(_ call: GRPCServerCall) async throws(GRPCError) -> Message {
        guard let bytes = try await call.next(), let message = try? Message(reading: bytes) else {
            throw GRPCError(.invalidArgument, "no message")
        }
        return message
    }

    private func schema(_ channel: String) throws(GRPCError) -> AvroSchema {
        guard let text = schemas[channel], let schema = try? AvroSchema(parsing: text) else {
            throw Self.error(.notFound, .topicNotFound)
        }
        return schema
    }

    private func publish(_ request: PubSub.PublishRequest) throws(GRPCError) -> PubSub.PublishResponse {
        let reader = AvroReader(try schema(request.topicName))
        if let cut = cut() { try end(cut) }
        var response = PubSub.PublishResponse()
        for event in request.events {
            var result = PubSub.PublishResult()
            result.correlationKey = event.id
            if let payload = try? reader.read(event.payload), payload["n"]?.int != 13 {
                result.replayID = ModelPubSubServer.id(model.publish(request.topicName, payload))
            } else {
                result.error = PubSub.Failure()
                result.error?.message = "unlucky"
            }
            response.results.append(result)
        }
        return response
    }

    /// Stores the position of a managed subscription, and sends the result.
    private func commit(
        _ request: PubSub.CommitReplayRequest, of name: String, _ call: GRPCServerCall
    ) async throws(GRPCError) {
        var response = PubSub.ManagedFetchResponse()
        response.commit = PubSub.CommitReplayResponse()
        response.commit?.commitRequestID = request.commitRequestID
        response.commit?.replayID = request.replayID
        log.update { if !$0.rejectsCommits { $0.committed[name] = request.replayID } }
        if log.value.rejectsCommits { response.commit?.error = PubSub.Failure() }
        try await call.send(response.encoded)
    }

    private func end(_ cut: ModelPubSubServer.Cut) throws(GRPCError) {
        switch cut {
        case .status(let error): throw error
        case .connection: throw GRPCError(.unavailable, Self.drop)
        }
    }

    private final class Stream: Sendable {
        struct Content {
            var credits: Int
            var token: String
            var isOver = false
        }

        let content: Mutex<Content>

        init(_ content: Content) { self.content = Mutex(content) }
    }

    private func subscribe(
        _ call: GRPCServerCall, _ first: PubSub.FetchRequest, managed: String?
    ) async throws(GRPCError) {
        let channel = first.topicName
        let schema = try schema(channel)
        let begin = try start(first)
        let stream = Stream(
            Stream.Content(credits: Int(first.numRequested), token: call.metadata["accesstoken"] ?? ""))
        log.update {
            $0.open += 1
            $0.requested = [Int(first.numRequested)]
        }
        defer { log.update { $0.open -= 1 } }
        try call.respond(with: HTTPFields())
        // This task ends with the call. Cancelling it would reset the stream before the status.
        _ = Task {
            while let bytes = try? await call.next() {
                if let managed {
                    guard let request = try? PubSub.ManagedFetchRequest(reading: bytes) else { break }
                    if let commit = request.commit { try? await self.commit(commit, of: managed, call) }
                    stream.content.withLock { $0.credits += Int(request.numRequested) }
                    model.wake()
                    continue
                }
                guard let request = try? PubSub.FetchRequest(reading: bytes) else { break }
                if !request.authRefresh.isEmpty { log.update { $0.refreshed.append(request.authRefresh) } }
                log.update { $0.requested.append(Int(request.numRequested)) }
                stream.content.withLock { stream in
                    stream.credits += Int(request.numRequested)
                    if !request.authRefresh.isEmpty { stream.token = request.authRefresh }
                }
                model.wake()
            }
            stream.content.withLock { $0.isOver = true }
            model.wake()
        }
        var (next, wasIdle) = (begin, false)
        while !stream.content.withLock(\.isOver), !Task.isCancelled {
            let token = stream.content.withLock(\.token)
            if !keepsExpired { try check(token) }
            let waiter = AwaitedValue<Bool>()
            let (events, batch, expired) = model.state.withLock { state in
                state.waiters.append(waiter)
                return (state.channels[channel] ?? [], state.batch, state.expired[channel] ?? 0)
            }
            guard next >= expired else { throw Self.error(.invalidArgument, .replayInvalid) }
            let credits = stream.content.withLock(\.credits)
            let some = Array(events.dropFirst(next).prefix(min(credits, batch)))
            if some.isEmpty, wasIdle {
                _ = await waiter.value(ifCancelled: true)
                continue
            }
            wasIdle = some.isEmpty
            if let cut = cut() { try end(cut) }
            next += some.count
            let rest = stream.content.withLock { stream in
                stream.credits -= some.count
                return stream.credits
            }
            let last = next > 0 ? events[next - 1].id : nil
            try await call.send(try Self.response(some, rest, last, channel, schema).encoded)
        }
    }

    private func start(_ request: PubSub.FetchRequest) throws(GRPCError) -> Int {
        let (state, channel) = (model.state.withLock { $0 }, request.topicName)
        switch request.replayPreset {
        case .latest: return state.channels[channel]?.count ?? 0
        case .earliest: return state.expired[channel] ?? 0
        default:
            guard let index = state.index(in: channel, after: { ModelPubSubServer.id($0) == request.replayID }) else {
                throw Self.error(.invalidArgument, .replayInvalid)
            }
            return index
        }
    }

    private static func response(
        _ events: [(id: Int, payload: JSONValue)], _ pending: Int, _ last: Int?, _ channel: String, _ schema: AvroSchema
    ) throws(GRPCError) -> PubSub.FetchResponse {
        var response = PubSub.FetchResponse()
        response.pendingNumRequested = Int32(pending)
        if let last { response.latestReplayID = ModelPubSubServer.id(last) }
        let (writer, bitmaps) = (AvroWriter(schema), FieldBitmaps(schema))
        for (id, payload) in events {
            var payload = payload
            if let header = payload["ChangeEventHeader"]?.object {
                var (coded, fields) = (header, payload.object ?? [:])
                for list in ["changedFields", "nulledFields", "diffFields"] {
                    let names = header[list]?.array?.compactMap(\.string) ?? []
                    coded[list] = JSONValue(JSONArray(((try? bitmaps?.bitmaps(names)) ?? []).map { JSONValue($0) }))
                    guard list == "diffFields" else { continue }
                    for name in names { fields[name] = fields[name]?["diff"] }
                }
                fields["ChangeEventHeader"] = JSONValue(coded)
                payload = JSONValue(fields)
            }
            var event = PubSub.ConsumerEvent()
            event.replayID = ModelPubSubServer.id(id)
            event.event = PubSub.ProducerEvent()
            event.event?.id = "u"
            event.event?.schemaID = channel == EventModel.changes ? EventModel.change : EventModel.event
            guard let bytes = try? writer.bytes(of: payload) else { throw GRPCError(.internal, "no payload") }
            event.event?.payload = bytes
            response.events.append(event)
        }
        return response
    }
}

/// The channels of the tests.
enum EventModel {
    static let channel = "/event/Order__e"
    static let changes = "/data/AccountChangeEvent"
    static let event = #"""
        {"name":"Order__e","type":"record","fields":[{"name":"n","type":["null","int"],"default":null}]}
        """#
    static let change = #"""
        {"name":"AccountChangeEvent","type":"record","fields":[
          {"name":"ChangeEventHeader","type":{"name":"ChangeEventHeader","type":"record","fields":[
            {"name":"entityName","type":"string"},
            {"name":"recordIds","type":{"type":"array","items":"string"}},
            {"name":"changeType","type":{"name":"ChangeType","type":"enum","symbols":
              ["CREATE","UPDATE","DELETE","UNDELETE","GAP_CREATE","GAP_UPDATE"]}},
            {"name":"changeOrigin","type":"string"},
            {"name":"transactionKey","type":"string"},
            {"name":"sequenceNumber","type":"int"},
            {"name":"commitTimestamp","type":"long"},
            {"name":"commitNumber","type":"long"},
            {"name":"commitUser","type":"string"},
            {"name":"nulledFields","type":{"type":"array","items":"string"}},
            {"name":"diffFields","type":{"type":"array","items":"string"}},
            {"name":"changedFields","type":{"type":"array","items":"string"}}]}},
          {"name":"Name","type":["null","string"],"default":null},
          {"name":"Phone","type":["null","string"],"default":null},
          {"name":"Description","type":["null","string"],"default":null},
          {"name":"BillingAddress","type":["null",{"name":"Address","type":"record","fields":[
            {"name":"Street","type":["null","string"],"default":null},
            {"name":"City","type":["null","string"],"default":null}]}],"default":null},
          {"name":"LastModifiedDate","type":["null","long"],"doc":"Data:DateTime:00N","default":null}]}
        """#
    /// The channels of managed subscriptions by their names.
    static let managed = ["Orders": channel]
    static let schemas = [channel: event, changes: change, "/event/Secret__e": event, "/event/A__e": event]
}
