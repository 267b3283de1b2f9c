// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import RestTransport
import Synchronization

/// A server on 127.0.0.1 that plays exact bytes, with pauses, resets and half-closes, and records what it received.
///
/// Each connection plays the next script, the last one again and again. Every wait of the server is bounded by ten
/// seconds, and it stops when the last reference goes.
public final class ScriptServer: Sendable {
    /// The port the server listens on.
    public let port: Int
    private let core: Core

    /// Starts a server that plays one script on every connection.
    ///
    /// - Throws: an error when no socket can be had.
    public convenience init(_ script: Script) throws {
        try self.init(connections: [script])
    }

    /// Starts a server that plays the scripts connection by connection, the last one on all further ones.
    ///
    /// - Throws: an error when no socket can be had.
    public init(connections scripts: [Script]) throws {
        let listener = try Socket.listening()
        port = listener.port
        core = Core(scripts: scripts)
        let core = core
        DispatchQueue(label: "script-server").async { core.serve(listener) }
    }

    deinit {
        core.stop()
    }

    /// The server's address with a path, which may hold a query.
    public func url(_ path: String = "/") -> HTTPURL {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        return HTTPURL(origin: origin, path: parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil)
    }

    /// What the server has seen so far.
    public var journal: Journal { core.journal }

    /// Waits until the journal fulfils the condition or the server has stopped.
    ///
    /// - Returns: the journal at that moment.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
        await core.wait(until: condition)
    }

    /// Closes the listener and every connection.
    ///
    /// - Returns: the complete journal.
    @discardableResult
    public func stop() async -> Journal {
        core.stop()
        return await core.wait { $0.isStopped }
    }
}
