// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A proxy on 127.0.0.1 between a client and one HTTP/1.1 server that makes exchanges go wrong, the same ones for the
/// same seed.
///
/// ```swift
/// let proxy = try FaultProxy(to: org.port, plan: FaultPlan(seed: 7, probability: 0.3))
/// // … let the client talk to proxy.origin instead of the server's …
/// let journal = await proxy.stop()
/// ```
///
/// It knows where HTTP messages begin and end, so a fault affects one request and its answer, even on a connection that
/// carries many. Each connection has its own thread and its own connection to the server, made with the first request.
/// A `Host` that names the proxy is changed to name the server; only faults change anything else. The proxy stops when
/// the last reference goes.
public final class FaultProxy: Sendable {
    /// The port the proxy listens on.
    public var port: Int { server.port }
    private let server: ConnectionServer
    private let watched: Watched<Journal>

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - upstreamPort: the port of the server on 127.0.0.1.
    ///   - plan: which exchanges go wrong, and how.
    /// - Throws: an error when no socket or thread can be made.
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

    /// The proxy's address, for the client to use instead of the server's.
    public var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: port) }

    /// The proxy's address with a path, which may hold a query.
    public func url(_ path: String = "/") -> HTTPURL { .loopback(port: port, path) }

    /// What happened so far.
    public var journal: Journal { watched.value }

    /// Waits until the journal fulfils the condition or the proxy has stopped.
    ///
    /// - Returns: the journal at that moment.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
        await watched.wait { $0.isStopped || condition($0) }
    }

    /// Closes the listener and every connection, and returns when the threads have nothing left to do.
    ///
    /// - Returns: the complete journal.
    @discardableResult
    public func stop() async -> Journal {
        server.stop()
        return await watched.wait { $0.isStopped }
    }
}

extension HTTPURL {
    /// An address on 127.0.0.1 with a path, which may hold a query.
    static func loopback(port: Int, _ path: String) -> HTTPURL {
        let parts = path.split(byte: "?", maxSplits: 1).map(String.init)
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        return HTTPURL(origin: origin, path: parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil)
    }
}

extension FaultProxy {
    /// How a connection or an exchange ended.
    public enum End: String, Sendable, Hashable {
        /// The client closed its connection.
        case clientClosed
        /// The server closed its connection, and the proxy did the same to the client.
        case serverClosed
        /// The server reset its connection or could not be reached, and the proxy reset the client's.
        case serverLost
        /// A fault closed both connections.
        case closed
        /// A fault reset the client's connection.
        case reset
        /// The proxy was stopped.
        case stopped
    }

    /// A request and its answer, as the proxy saw them.
    public struct Exchange: Sendable, Hashable {
        /// The first line of the request, such as `GET / HTTP/1.1`.
        public internal(set) var requestLine: String
        /// The fault it had; `nil` if it passed.
        public internal(set) var fault: NetworkFault?
        /// Bytes of the request passed on to the server.
        public internal(set) var requestBytes = 0
        /// Whether every byte of the request was passed on: the server can have done what it asks.
        public internal(set) var isRequestDelivered = false
        /// The status of the server's answer, once its header had come to the proxy.
        public internal(set) var status: Int?
        /// Bytes passed on to the client.
        public internal(set) var answerBytes = 0
        /// Whether a whole answer was passed on to the client.
        public internal(set) var isAnswerDelivered = false
    }

    /// What happened on a connection.
    public struct Connection: Sendable, Hashable {
        /// Its exchanges, in order.
        public internal(set) var exchanges: [Exchange] = []
        /// How it ended; `nil` while it is open.
        public internal(set) var end: End?

        /// Bytes passed on to the server.
        public var requestBytes: Int { exchanges.reduce(0) { $0 + $1.requestBytes } }
        /// Bytes passed on to the client.
        public var answerBytes: Int { exchanges.reduce(0) { $0 + $1.answerBytes } }
    }

    /// Everything that happened so far.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the proxy has stopped, so that nothing more will be added.
        public internal(set) var isStopped = false

        /// All exchanges, connection by connection.
        public var exchanges: [Exchange] { connections.flatMap(\.exchanges) }
    }
}
