// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import SOQLStore
import Synchronization

#if canImport(Glibc) || canImport(Musl)
import EventWire
import RestHTTP2

/// The connections of HTTP/2, which serve the Pub/Sub API.
final class PubSubServer: Sendable {
    private let service: PubSubService
    private let state = Mutex(State())

    private struct State {
        var connections: [Int: HTTP2ServerConnection] = [:]
        var lastNumber = 0
        var isStopped = false
    }

    /// The maximum number of connections, each of which has a thread.
    private static let mostConnections = 256

    init(
        _ bus: EventBus, _ tokens: TokenService, _ settings: EventSettings, _ database: Database, _ records: RecordStore
    ) {
        service = PubSubService(bus, tokens, settings, database, records)
    }

    deinit {
        for connection in takeAll() { connection.stop() }
    }

    /// Takes over the connections of the port that begin with the preface of HTTP/2.
    var accept: (@Sendable (Socket) -> Void)? { { [weak self] in self?.serve($0) } }

    private func serve(_ socket: Socket) {
        guard state.withLock({ !$0.isStopped && $0.connections.count < Self.mostConnections }) else { return }
        let connection = try? HTTP2ServerConnection(grpc: socket) { [service] call async throws(GRPCError) in
            try await service.respond(call)
        }
        guard let connection else { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.connections[state.lastNumber] = connection
            return state.lastNumber
        }
        Task { [weak self] in
            _ = await connection.waitForEnd()
            self?.remove(number)
        }
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.connections.removeValue(forKey: number) } }

    private func takeAll() -> [HTTP2ServerConnection] {
        state.withLock { state in
            defer { (state.connections, state.isStopped) = ([:], true) }
            return Array(state.connections.values)
        }
    }

    /// Ends all connections.
    func stop() async {
        for connection in takeAll() { await connection.shutdown() }
    }

    // MARK: Faults

    /// Sends GOAWAY to all clients, whose streams continue.
    func leave() {
        for connection in state.withLock({ Array($0.connections.values) }) { connection.leave() }
    }

    /// Breaks all connections.
    func drop() {
        for connection in state.withLock({ Array($0.connections.values) }) { connection.stop() }
    }

    /// Rejects the next calls, or returns `false` for an unknown error code.
    func reject(_ count: Int, _ code: String) -> Bool {
        guard let reason = PubSubErrorCode.Reason(rawValue: code) else { return false }
        service.reject(Array(repeating: reason, count: min(max(0, count), 10_000)))
        return true
    }

    func endStreams() { service.endStreams() }
    func setSilent(_ isSilent: Bool) { service.setSilent(isSilent) }
    var streamCount: Int { service.streamCount }
}
#else

/// On this system, the org does not serve the Pub/Sub API.
final class PubSubServer: Sendable {
    init(
        _ bus: EventBus, _ tokens: TokenService, _ settings: EventSettings, _ database: Database, _ records: RecordStore
    ) {}

    var accept: (@Sendable (Socket) -> Void)? { nil }
    var streamCount: Int { 0 }

    func stop() async {}
    func leave() {}
    func drop() {}
    func reject(_ count: Int, _ code: String) -> Bool { false }
    func endStreams() {}
    func setSilent(_ isSilent: Bool) {}
}
#endif
