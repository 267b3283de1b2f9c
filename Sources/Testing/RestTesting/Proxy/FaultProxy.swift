// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A proxy on 127.0.0.1 between a client and an HTTP/1.1 server that causes reproducible network faults.
///
/// ```swift
/// let proxy = try FaultProxy(to: org.port, plan: FaultPlan(seed: 7, probability: 0.3))
/// // … let the client talk to proxy.origin instead of the server's …
/// let journal = await proxy.stop()
/// ```
///
/// It parses HTTP messages, so a fault affects one request and its response, even on a connection with many requests.
/// Each connection has its own thread and its own connection to the server, which the first request opens. A `Host`
/// header with the proxy's port is changed to the server's port. Otherwise only faults change the bytes. The proxy
/// stops when its last reference is released.
public final class FaultProxy: Sendable {
    /// The port on which the proxy listens.
    public var port: Int { server.port }
    private let server: ConnectionServer
    private let watched: Watched<Journal>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - upstreamPort: the port of the server on 127.0.0.1.
    ///   - plan: the faults of the exchanges.
    /// - Throws: an error if no socket or thread can be created.
    public init(to upstreamPort: Int, plan: FaultPlan) throws {
        let watched = Watched(Journal())
        self.watched = watched
        server = try ConnectionServer {
            watched.update { $0.connections.append(Connection()) }
        } onStop: {
            watched.update { $0.isStopped = true }
        } handler: { server, index, client in
            let connection = ProxyConnection(
                index: index, client: client, server: server, journal: watched, upstreamPort: upstreamPort)
            let end = connection.run(plan)
            watched.update { $0.connections[index].end = end }
        } onClose: { _ in
        }
    }

    deinit {
        server.stop()
    }

    /// The proxy's origin, for the client to use instead of the server's.
    public var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: port) }

    /// The proxy's URL with a path, which can include a query.
    public func url(_ path: String = "/") -> HTTPURL { .loopback(port: port, path) }

    /// The exchanges so far.
    public var journal: Journal { watched.value }

    /// Waits until the journal fulfils the condition or the proxy has stopped.
    ///
    /// - Returns: the journal at that time.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
        await watched.wait { $0.isStopped || condition($0) }
    }

    /// Closes the listener and every connection, and waits for the threads.
    ///
    /// - Returns: the complete journal.
    @discardableResult
    public func stop() async -> Journal {
        server.stop()
        return await watched.wait { $0.isStopped }
    }
}

extension HTTPURL {
    /// A URL on 127.0.0.1 with a path, which can include a query.
    static func loopback(port: Int, _ path: String) -> HTTPURL {
        let parts = path.split(byte: "?", maxSplits: 1).map(String.init)
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        return HTTPURL(origin: origin, path: parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil)
    }
}

extension FaultProxy {
    /// The reason why a connection or an exchange ended.
    public enum End: String, Sendable, Hashable {
        /// The client closed its connection.
        case clientClosed
        /// The server closed its connection, and the proxy closed the client's.
        case serverClosed
        /// The server reset its connection or was unreachable, and the proxy reset the client's.
        case serverLost
        /// A fault closed both connections.
        case closed
        /// A fault reset the client's connection.
        case reset
        /// The proxy was stopped.
        case stopped
    }

    /// A request and its response, as seen by the proxy.
    public struct Exchange: Sendable, Hashable {
        /// The first line of the request, such as `GET / HTTP/1.1`.
        public internal(set) var requestLine: String
        /// The fault, or `nil` for none.
        public internal(set) var fault: NetworkFault?
        /// The number of request bytes sent to the server.
        public internal(set) var requestBytes = 0
        /// Whether the whole request was sent to the server, so that it may have been processed.
        public internal(set) var isRequestDelivered = false
        /// The status of the server's response, after its head has arrived at the proxy.
        public internal(set) var status: Int?
        /// The number of bytes sent to the client.
        public internal(set) var responseBytes = 0
        /// Whether a complete response was sent to the client.
        public internal(set) var isResponseDelivered = false
    }

    /// The exchanges of a connection.
    public struct Connection: Sendable, Hashable {
        /// The exchanges, in order.
        public internal(set) var exchanges: [Exchange] = []
        /// The reason why the connection ended, or `nil` while it is open.
        public internal(set) var end: End?

        /// The number of bytes sent to the server.
        public var requestBytes: Int { exchanges.reduce(0) { $0 + $1.requestBytes } }
        /// The number of bytes sent to the client.
        public var responseBytes: Int { exchanges.reduce(0) { $0 + $1.responseBytes } }
    }

    /// All connections and exchanges so far.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order in which they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the proxy has stopped, so that the journal is complete.
        public internal(set) var isStopped = false

        /// All exchanges, connection by connection.
        public var exchanges: [Exchange] { connections.flatMap(\.exchanges) }
    }
}
