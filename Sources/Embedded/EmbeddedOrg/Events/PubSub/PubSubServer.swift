// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import SOQLStore

#if canImport(Glibc) || canImport(Musl)
import RestHTTP2
import Synchronization

extension PubSubService {
    /// The connections of HTTP/2 by their numbers.
    struct Connections {
        var open: [Int: HTTP2ServerConnection] = [:]
        var lastNumber = 0
        /// The maximum number, because each connection has a thread.
        static let most = 256
    }

    /// Takes over the connections of the port that begin with the preface of HTTP/2.
    var accept: (@Sendable (Socket) -> Void)? { { [weak self] in self?.serve($0) } }

    private func serve(_ socket: Socket) {
        guard connections.withLock({ $0.open.count < Connections.most }) else { return }
        let connection = try? HTTP2ServerConnection(grpc: socket) { [weak self] call async throws(GRPCError) in
            guard let self else { throw .busy }
            try await respond(call)
        }
        guard let connection else { return }
        let number = connections.withLock { connections in
            connections.lastNumber += 1
            connections.open[connections.lastNumber] = connection
            return connections.lastNumber
        }
        Task { [weak self] in
            _ = await connection.waitForEnd()
            self?.connections.withLock { _ = $0.open.removeValue(forKey: number) }
        }
    }

    private var openConnections: [HTTP2ServerConnection] { connections.withLock { Array($0.open.values) } }

    /// Ends all connections, after the last one was accepted.
    func stop() async {
        for connection in openConnections { await connection.shutdown() }
    }

    // MARK: Faults

    /// Sends GOAWAY to all clients, whose streams continue.
    func leave() {
        for connection in openConnections { connection.leave() }
    }

    /// Breaks all connections.
    func drop() {
        for connection in openConnections { connection.stop() }
    }
}
#else

/// On this system, the org does not serve the Pub/Sub API.
final class PubSubService: Sendable {
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
