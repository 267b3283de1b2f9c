// SPDX-License-Identifier: Apache-2.0

import RestText
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
