// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import SOQLStore

#if canImport(Glibc) || canImport(Musl)
import EventWire
import RestHTTP2
import RestTransport
import Synchronization

extension PubSubService {
    /// The maximum number of connections of HTTP/2, because each has a thread.
    private static let mostConnections = 256

    /// Takes over the connections of the port that speak HTTP/2.
    var accept: (@Sendable (Socket, TLSIdentity?) -> Void)? { { [weak self] in self?.serve($0, $1) } }

    private func serve(_ socket: Socket, _ identity: TLSIdentity?) {
        guard connections.withLock(\.count) < Self.mostConnections else { return }
        let link = { @Sendable () throws(HTTP2Error) -> any HTTP2Link in
            guard let identity else { return SocketLink(socket) }
            guard let link = TLSSocket(socket, identity) else {
                throw HTTP2Error(.notConnected, "no memory left for a connection")
            }
            return link
        }
        let connection = try? HTTP2ServerConnection(grpc: link) { [weak self] call async throws(GRPCError) in
            guard let self else { throw .busy }
            try await respond(call)
        }
        guard let connection else { return }
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        Task { [weak self] in
            _ = await connection.waitForEnd()
            self?.connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        }
    }

    private var openConnections: [HTTP2ServerConnection] { connections.withLock { Array($0.values) } }

    /// Ends all connections, after the last one was accepted.
    func stop() async {
        for connection in openConnections { await connection.shutdown() }
    }

    // MARK: Faults

    /// Sends GOAWAY to all clients, whose streams continue.
    func leave() {
        for connection in openConnections { connection.leave() }
    }

    func drop() {
        for connection in openConnections { connection.stop() }
    }
}

extension TLSSocket: HTTP2Link {}

extension GRPCError {
    static func pubSub(_ reason: PubSubErrorCode.Reason, _ message: String) -> GRPCError {
        GRPCError(reason.status, message, trailers: ["error-code": PubSubErrorCode(reason).description])
    }

    static let busy = pubSub(.serviceUnavailable, "The service is unavailable. Try again later.")
    static let invalidToken = pubSub(.authError, "The access token is invalid.")

    /// Returns a copy of the error with the ID of the call.
    func naming(_ rpcID: String) -> GRPCError {
        guard cause == nil else { return self }
        var trailers = trailers
        trailers.append("rpc-id", rpcID)
        return GRPCError(code, "\(message) rpcId: \(rpcID)", trailers: trailers)
    }
}

extension PubSubErrorCode.Reason {
    fileprivate var status: GRPCError.Code {
        switch self {
        case .authError, .authHeadersInvalid, .authRefreshInvalid, .publishAuthRefreshInvalid: .unauthenticated
        case .topicPermission, .schemaPermission, .tenantLicense, .cannotSubscribe: .permissionDenied
        case .topicNotFound, .managedNameNotFound, .managedIDNotFound: .notFound
        case .concurrentClients, .protectionTriggered, .streamLimitTriggered, .deliveryLimit: .resourceExhausted
        case .managedAlreadyActive, .managedStopped, .managedDeleted: .failedPrecondition
        case .serviceUnavailable, .topicUnavailable, .schemaUnavailable: .unavailable
        case .subscriptionInternal: .internal
        default: .invalidArgument
        }
    }
}

/// A replay ID of the Pub/Sub API: the number of an event, after a byte that depends on it.
///
/// It has nine bytes, so that no client takes it for a number.
enum ReplayID {
    static func bytes(_ number: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 9)
        for index in 1...8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (64 - 8 * index)) }
        bytes[0] = check(bytes[1...])
        return bytes
    }

    /// Returns the number, or `nil` if the bytes are not an ID of this form.
    static func number(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 9, bytes[0] == check(bytes[1...]) else { return nil }
        let number = bytes[1...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return number < 0 ? nil : number
    }

    private static func check(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0xA5) { ($0 &* 31) ^ $1 } }
}
#else

/// On this system, the org does not serve the Pub/Sub API.
final class PubSubService: Sendable {
    init(
        _ bus: EventBus, _ tokens: TokenService, _ settings: EventSettings, _ database: Database, _ records: RecordStore
    ) {}

    var accept: (@Sendable (Socket, TLSIdentity?) -> Void)? { nil }
    var streamCount: Int { 0 }

    func stop() async {}
    func leave() {}
    func drop() {}
    func reject(_ count: Int, _ code: String) -> Bool { false }
    func endStreams() {}
    func setSilent(_ isSilent: Bool) {}
}
#endif
