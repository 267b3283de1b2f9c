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
    let endpoint: Origin
    /// The last token that the server has rejected.
    private let rejected = Mutex<UInt64?>(nil)

    init(_ client: RestClient, _ endpoint: Origin, _ schemas: EventSchemas) {
        (self.client, self.endpoint, self.schemas) = (client, endpoint, schemas)
    }

    func open() async throws(WireError) -> any EventTransportConnection { PubSubConnection(try await connect()) }

    func connect() async throws(WireError) -> PubSubCalls {
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
        guard issued.credential.dpopKey == nil else {
            throw WireError(
                EventError(
                    .argument, "wire: the Pub/Sub API takes no token that is bound with DPoP; use the wire cometD"),
                .none)
        }
        var transport = client.transport
        while let outer = transport as? any OuterTransport { transport = outer.base }
        let configuration = (transport as? CurlTransport)?.configuration ?? CurlConfiguration()
        do throws(HTTP2Error) {
            let connection = try await HTTP2Connection.connect(
                to: endpoint, configuration: configuration, deadline: deadline, clock: client.clock)
            return PubSubCalls(self, connection, issued, tenant: tenant)
        } catch {
            throw WireError(GRPCError(error))
        }
    }

    /// Records that the server has rejected a token, so that the next connection has another one.
    func reject(_ generation: UInt64) { rejected.withLock { $0 = max($0 ?? 0, generation) } }
}

/// The calls of a connection, with the client's token.
final class PubSubCalls: Sendable {
    /// The headers of a call, and the number of its token.
    struct Access {
        let fields: HTTPFields
        let generation: UInt64
    }

    let client: RestClient
    private let transport: PubSubTransport
    private let connection: HTTP2Connection
    private let issued: Credential.Issued
    /// The id of the org.
    private let tenant: String

    init(
        _ transport: PubSubTransport, _ connection: HTTP2Connection, _ issued: Credential.Issued, tenant: String
    ) {
        (self.transport, self.connection, self.issued, self.tenant) = (transport, connection, issued, tenant)
        client = transport.client
    }

    /// Whether calls can be made, because the connection has not ended and the server is not closing it.
    var isUsable: Bool { connection.isUsable }

    func shutdown() async { await connection.shutdown() }

    /// The newest credential, unless it is bound to a key, because the API has no proofs.
    var newest: Credential.Issued? { client.credentialAtHand.flatMap { $0.credential.dpopKey == nil ? $0 : nil } }

    /// The headers of a new call, with the newest token.
    var access: Access {
        let issued = newest ?? issued
        return Access(
            fields: [
                "accesstoken": issued.credential.accessToken.reveal(),
                "instanceurl": issued.credential.instance.description,
                "tenantid": tenant,
            ], generation: issued.generation)
    }

    private static func path(_ method: String) -> String { "/eventbus.v1.PubSub/\(method)" }

    func start(
        _ method: String, _ access: Access, deadline: ContinuousClock.Instant? = nil
    ) throws(GRPCError) -> GRPCCall {
        try GRPCCall(
            Self.path(method), on: connection, metadata: access.fields, deadline: deadline, clock: client.clock)
    }

    func read<Message: ProtobufMessage>(_ bytes: [UInt8], _ channel: String?) throws(WireError) -> Message {
        do throws(ProtobufError) {
            return try Message(reading: bytes, limits: ProtobufLimits(bytes: 16 << 20))
        } catch {
            throw .invalid("a message is invalid: \(error)", channel: channel)
        }
    }

    /// Converts the error of a call, and records that the server has rejected its token.
    func error(_ error: GRPCError, _ generation: UInt64, _ channel: String?) -> WireError {
        let converted = WireError(error, channel: channel)
        if converted.error.code == .unauthorized { transport.reject(generation) }
        return converted
    }

    func topic(_ channel: String) async throws(WireError) -> PubSub.TopicInfo {
        var request = PubSub.TopicRequest()
        request.topicName = channel
        return try await call("GetTopic", request, channel)
    }

    func schema(_ id: String) async throws(WireError) -> EventSchema {
        try await transport.schemas.schema(id) { (id) async throws(WireError) in
            var request = PubSub.SchemaRequest()
            request.schemaID = id
            let info: PubSub.SchemaInfo = try await call("GetSchema", request, nil)
            return info.schemaJSON
        }
    }

    /// Makes a call with one response, and again with a renewed token if the server rejects the token.
    private func call<Message: ProtobufMessage>(
        _ method: String, _ request: some ProtobufMessage, _ channel: String?, isRepeated: Bool = false
    ) async throws(WireError) -> Message {
        let access = access
        let bytes: [UInt8]
        do throws(GRPCError) {
            bytes = try await GRPCCall.unary(
                Self.path(method), request.encoded, on: connection, metadata: access.fields,
                deadline: client.clock.now + PubSubTransport.timeout, clock: client.clock)
        } catch {
            let error = self.error(error, access.generation, channel)
            guard error.error.code == .unauthorized, !isRepeated, await renew(access.generation) else { throw error }
            return try await call(method, request, channel, isRepeated: true)
        }
        return try read(bytes, channel)
    }

    /// Renews a token, and returns whether there is another one.
    func renew(_ generation: UInt64) async -> Bool {
        let deadline = client.clock.now + PubSubTransport.timeout
        return (try? await client.credential(rejecting: generation, deadline: deadline)) != nil
    }
}
#endif
