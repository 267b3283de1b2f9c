// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import EventWire
import RestAuth
import RestBase
import RestCurl
import RestHTTP2
import RestSDK
import RestTransport
import Synchronization

/// The Pub/Sub API: gRPC over HTTP/2, with events in Avro.
///
/// The trust and the proxy are those of the client's `CurlTransport`. Every connection begins with the client's token,
/// and its streams get the renewed token with their next request for events.
final class PubSubTransport: EventTransport {
    /// The time for connecting, for getting a token, and for calls with one response.
    static let timeout: Duration = .seconds(60)

    let client: RestClient
    let schemas: EventSchemas
    private let endpoint: Origin
    /// The last token that the server has rejected.
    private let rejected = Mutex<UInt64?>(nil)

    init(_ client: RestClient, _ endpoint: Origin, _ schemas: EventSchemas) {
        (self.client, self.endpoint, self.schemas) = (client, endpoint, schemas)
    }

    var wire: EventOptions.Wire { .pubSub(at: endpoint) }
    var tokenGeneration: UInt64? { client.tokenGeneration }

    func open() async throws(WireError) -> any EventTransportConnection { try await connect() }

    func connect() async throws(WireError) -> PubSubConnection {
        guard endpoint.scheme == .https || endpoint.isLoopback else {
            throw WireError(EventError(.argument, "wire: only a loopback address may use http; use https"), .none)
        }
        let deadline = client.clock.now + Self.timeout
        let issued: Credential.Issued
        do throws(RestError) {
            issued = try await client.credential(rejecting: rejected.withLock { $0 }, deadline: deadline)
        } catch {
            throw WireError(error, .handshake)
        }
        guard let tenant = issued.credential.organizationID else {
            throw WireError(
                EventError(.unauthorized, "the login has no identity URL with the id of the org; log in again"), .none)
        }
        let configuration = (client.transport as? CurlTransport)?.configuration ?? CurlConfiguration()
        do throws(HTTP2Error) {
            let connection = try await HTTP2Connection.connect(
                to: endpoint, configuration: configuration, deadline: deadline, clock: client.clock)
            return PubSubConnection(self, connection, issued, tenant: tenant)
        } catch {
            throw WireError(GRPCError(error))
        }
    }

    /// Records that the server has rejected a token, so that the next connection has another one.
    func reject(_ generation: UInt64) { rejected.withLock { $0 = max($0 ?? 0, generation) } }
}

/// A connection, which has one stream for each channel.
///
/// A task for each stream decodes its responses. Releasing the connection ends its streams.
final class PubSubConnection: EventTransportConnection {
    private struct Channel {
        let call: GRPCCall
        /// The token of the stream.
        var generation: UInt64
    }

    private struct Core {
        var flow = PubSubFlow()
        var channels: [String: Channel] = [:]
        var watch: Task<Void, Never>?
    }

    /// A call with its token.
    private struct Access {
        let fields: HTTPFields
        let generation: UInt64
    }

    private let transport: PubSubTransport
    private let connection: HTTP2Connection
    private let issued: Credential.Issued
    /// The id of the org.
    private let tenant: String
    private let core = Mutex(Core())
    private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        _ transport: PubSubTransport, _ connection: HTTP2Connection, _ issued: Credential.Issued, tenant: String
    ) {
        (self.transport, self.connection, self.issued, self.tenant) = (transport, connection, issued, tenant)
    }

    deinit { end() }

    private var clock: any MonotonicClock { transport.client.clock }

    /// Whether calls can be made, because the connection has not ended and the server is not closing it.
    var isUsable: Bool { connection.isUsable }

    func end() {
        let (channels, watch) = core.withLock { core in
            defer { (core.channels, core.watch) = ([:], nil) }
            for channel in core.channels.keys { core.flow.close(channel) }
            return (core.channels, core.watch)
        }
        watch?.cancel()
        for channel in channels.values { channel.call.cancel() }
    }

    func close() async {
        end()
        await connection.shutdown()
    }

    // MARK: - Channels

    func subscribe(_ channels: [ChannelStart]) async throws(WireError) -> WireResponse {
        var response = WireResponse()
        let checks = await withTaskGroup(of: (ChannelStart, WireError?).self) { group in
            for start in channels { group.addTask { (start, await self.problem(start)) } }
            var checks: [(ChannelStart, WireError?)] = []
            for await check in group { checks.append(check) }
            return checks
        }
        for (start, error) in checks {
            guard let error else {
                try await open(start)
                continue
            }
            guard error.isOfChannel else { throw error }
            response.rejected[start.channel] = error
        }
        startWatch()
        return response
    }

    /// Returns the error of a channel that cannot be subscribed to, or of the connection.
    private func problem(_ start: ChannelStart) async -> WireError? {
        if case .after(let id) = start.start, id.bytes == nil { return .otherWire(start.channel) }
        do throws(WireError) {
            let topic = try await topic(start.channel)
            guard !topic.canSubscribe else { return nil }
            let error = EventError(.forbidden, "the user may not subscribe to the channel", channel: start.channel)
            return WireError(error, .none)
        } catch {
            return error
        }
    }

    private func open(_ start: ChannelStart) async throws(WireError) {
        let access = access
        var request = PubSub.FetchRequest()
        (request.topicName, request.numRequested) = (start.channel, Int32(PubSubFlow.window))
        switch start.start {
        case .latest: request.replayPreset = .latest
        case .earliest: request.replayPreset = .earliest
        case .after(let id): (request.replayPreset, request.replayID) = (.custom, id.bytes ?? [])
        }
        let call: GRPCCall
        do throws(GRPCError) {
            call = try GRPCCall(Self.path("Subscribe"), on: connection, metadata: access.fields)
            try await call.send(request.encoded)
        } catch {
            throw self.error(error, access, start.channel)
        }
        let now = clock.now
        let number = core.withLock { core in
            core.channels[start.channel] = Channel(call: call, generation: access.generation)
            return core.flow.open(start.channel, at: now)
        }
        _ = Task(name: "subscribe") { [weak self] in
            while true {
                let message: Result<[UInt8]?, GRPCError>
                do throws(GRPCError) { message = .success(try await call.next()) } catch { message = .failure(error) }
                guard let self, await self.take(message, of: start.channel, number) else { return }
            }
        }
    }

    func unsubscribe(_ channels: [String]) async {
        for channel in channels {
            core.withLock { core -> Channel? in
                core.flow.close(channel)
                return core.channels.removeValue(forKey: channel)
            }?.call.cancel()
        }
    }

    // MARK: - Events

    /// Adds the next message of a stream, and returns whether more can follow.
    private func take(
        _ message: Result<[UInt8]?, GRPCError>, of channel: String, _ number: UInt64
    ) async -> Bool {
        defer { signal.continuation.yield() }
        do throws(WireError) {
            let bytes: [UInt8]?
            do throws(GRPCError) { bytes = try message.get() } catch {
                throw self.error(error, streamAccess(channel), channel)
            }
            guard let bytes else { throw WireError(EventError(.unavailable, "the server ended the stream"), .reopen) }
            let response: PubSub.FetchResponse = try Self.read(bytes, channel)
            var events: [ReceivedEvent] = []
            events.reserveCapacity(response.events.count)  // bounded: the messages are in memory
            for event in response.events { events.append(try await self.event(event, of: channel)) }
            let (latest, now) = (ReplayID(bytes: response.latestReplayID), clock.now)
            core.withLock { [events] core in
                core.flow.arrived(
                    events, pending: Int(response.pendingNumRequested), latest: latest, on: channel, number, at: now)
            }
            return true
        } catch {
            core.withLock { $0.flow.failed(error, on: channel, number) }
            return false
        }
    }

    private func event(
        _ event: PubSub.ConsumerEvent, of channel: String
    ) async throws(WireError) -> ReceivedEvent {
        try await schema(event.event?.schemaID ?? "").event(event, of: channel)
    }

    func receive() async throws(WireError) -> WireResponse {
        while !Task.isCancelled {
            switch core.withLock({ $0.flow.take() }) {
            case .response(let response, let credits):
                for credit in credits { await request(credit) }
                return response
            case .failure(let error):
                end()
                throw error
            case .wait:
                var iterator = signal.stream.makeAsyncIterator()
                guard await iterator.next() != nil else { throw Self.cancelled }
            }
        }
        throw Self.cancelled
    }

    private static let cancelled = WireError(EventError(.cancelled, "cancelled while waiting for events"), .none)

    /// Requests more events, with the renewed token if there is one.
    ///
    /// The stream's reader gets the error of a failure.
    private func request(_ credit: PubSubFlow.Credit) async {
        var request = PubSub.FetchRequest()
        (request.topicName, request.numRequested) = (credit.channel, Int32(credit.count))
        let issued = transport.client.credentialAtHand
        let (call, isRenewed) = core.withLock { core -> (GRPCCall?, Bool) in
            guard let channel = core.channels[credit.channel] else { return (nil, false) }
            guard let issued, issued.generation != channel.generation else { return (channel.call, false) }
            core.channels[credit.channel]?.generation = issued.generation
            return (channel.call, true)
        }
        if isRenewed, let issued { request.authRefresh = issued.credential.accessToken.reveal() }
        try? await call?.send(request.encoded)
    }

    /// Starts the check for streams that are silent, which ends with the connection.
    private func startWatch() {
        core.withLock { core in
            guard core.watch == nil else { return }
            core.watch = Task(name: "watch") { [weak self, clock] in
                while !Task.isCancelled {
                    guard let alarm = self?.checkSilence() else { return }
                    try? await clock.sleep(until: alarm, tolerance: nil)
                }
            }
        }
    }

    private func checkSilence() -> ContinuousClock.Instant {
        let now = clock.now
        let alarm = core.withLock { core in
            core.flow.checkSilence(at: now)
            return core.flow.nextAlarm
        }
        signal.continuation.yield()
        guard let alarm, alarm > now else { return now + PubSubFlow.silence }
        return alarm
    }
}

/// Calls with one response.
extension PubSubConnection {
    private static func path(_ method: String) -> String { "/eventbus.v1.PubSub/\(method)" }

    private static func read<Message: ProtobufMessage>(
        _ bytes: [UInt8], _ channel: String?
    ) throws(WireError) -> Message {
        do throws(ProtobufError) {
            return try Message(reading: bytes, limits: ProtobufLimits(bytes: 16 << 20))
        } catch {
            throw .invalid("a message is invalid: \(error)", channel: channel)
        }
    }

    /// The headers of a new call, with the newest token.
    private var access: Access {
        let issued = transport.client.credentialAtHand ?? issued
        return Access(
            fields: [
                "accesstoken": issued.credential.accessToken.reveal(),
                "instanceurl": issued.credential.instance.description,
                "tenantid": tenant,
            ], generation: issued.generation)
    }

    private func streamAccess(_ channel: String) -> Access {
        let generation = core.withLock { $0.channels[channel]?.generation }
        return Access(fields: HTTPFields(), generation: generation ?? issued.generation)
    }

    /// Converts an error, and records a rejected token.
    private func error(_ error: GRPCError, _ access: Access, _ channel: String?) -> WireError {
        let converted = WireError(error, channel: channel)
        if converted.error.code == .unauthorized { transport.reject(access.generation) }
        return converted
    }

    /// Makes a call, and again with a renewed token if the server rejects the token.
    func call<Message: ProtobufMessage>(
        _ method: String, _ request: some ProtobufMessage, channel: String? = nil
    ) async throws(WireError) -> Message {
        let access = access
        do throws(WireError) {
            return try await call(method, request, channel, access)
        } catch {
            guard error.error.code == .unauthorized else { throw error }
            let client = transport.client
            let deadline = client.clock.now + PubSubTransport.timeout
            let isRenewed = (try? await client.credential(rejecting: access.generation, deadline: deadline)) != nil
            guard isRenewed else { throw error }
            return try await call(method, request, channel, self.access)
        }
    }

    private func call<Message: ProtobufMessage>(
        _ method: String, _ request: some ProtobufMessage, _ channel: String?, _ access: Access
    ) async throws(WireError) -> Message {
        let bytes: [UInt8]
        do throws(GRPCError) {
            bytes = try await GRPCCall.unary(
                Self.path(method), request.encoded, on: connection, metadata: access.fields,
                deadline: clock.now + PubSubTransport.timeout, clock: clock)
        } catch {
            throw self.error(error, access, channel)
        }
        return try Self.read(bytes, channel)
    }

    func topic(_ channel: String) async throws(WireError) -> PubSub.TopicInfo {
        var request = PubSub.TopicRequest()
        request.topicName = channel
        return try await call("GetTopic", request, channel: channel)
    }

    func schema(_ id: String) async throws(WireError) -> EventSchema {
        try await transport.schemas.schema(id) { (id) async throws(WireError) in
            var request = PubSub.SchemaRequest()
            request.schemaID = id
            let info: PubSub.SchemaInfo = try await call("GetSchema", request)
            return info.schemaJSON
        }
    }
}
#endif
