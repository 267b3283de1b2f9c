// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A server on 127.0.0.1 that plays exact bytes, with pauses, resets and half-closes, and records what it received.
///
/// Each connection plays the next script, and the last script is repeated. Every wait of the server is limited to ten
/// seconds, and it stops when the last reference goes.
public final class ScriptServer: Sendable {
    /// The port the server listens on.
    public var port: Int { server.port }
    private let server: ConnectionServer
    private let watched: Watched<Journal>

    /// Starts a server that plays one script on every connection.
    ///
    /// - Throws: an error when no socket can be opened.
    public convenience init(_ script: Script) throws {
        try self.init(connections: [script])
    }

    /// Starts a server that plays the scripts connection by connection, the last one on all further ones.
    ///
    /// - Throws: an error when no socket can be opened.
    public init(connections scripts: [Script]) throws {
        let watched = Watched(Journal())
        self.watched = watched
        server = try ConnectionServer {
            watched.update { $0.connections.append(Connection()) }
        } onStop: {
            watched.update { $0.isStopped = true }
        } handler: { server, index, socket in
            let script = scripts.isEmpty ? [] : scripts[min(index, scripts.count - 1)]
            ScriptPlayer(journal: watched, server: server, index: index, socket: socket).play(script)
        } onClose: { index in
            watched.update { $0.connections[index].isOver = true }
        }
    }

    deinit {
        server.stop()
    }

    /// The server's address with a path, which may hold a query.
    public func url(_ path: String = "/") -> HTTPURL { .loopback(port: port, path) }

    /// What the server has seen so far.
    public var journal: Journal { watched.value }

    /// Waits until the journal fulfils the condition or the server has stopped.
    ///
    /// - Returns: the journal at that moment.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
        await watched.wait { $0.isStopped || condition($0) }
    }

    /// Closes the listener and every connection.
    ///
    /// - Returns: the complete journal.
    @discardableResult
    public func stop() async -> Journal {
        server.stop()
        return await watched.wait { $0.isStopped }
    }
}
