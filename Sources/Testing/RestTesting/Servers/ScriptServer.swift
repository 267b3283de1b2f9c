// SPDX-License-Identifier: Apache-2.0

import RestBase
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

    /// Lets one connection go on whose script holds, now or when it comes so far.
    public func proceed() { watched.update { $0.permits += 1 } }

    /// Closes the listener and every connection.
    ///
    /// - Returns: the complete journal.
    @discardableResult
    public func stop() async -> Journal {
        server.stop()
        return await watched.wait { $0.isStopped }
    }
}

extension ScriptServer {
    /// One thing the server does on a connection.
    public enum Step: Sendable {
        /// Reads one whole request: header and the body its framing announces.
        case readRequest
        /// Reads up to the blank line behind a request's header and leaves the body unread.
        case readHeader
        /// Reads until the peer closes.
        case readToEnd
        /// Sends exactly these bytes.
        case sendBytes([UInt8])
        /// Sends the bytes one by one with a pause after each.
        case drip([UInt8], every: Duration)
        /// Sends these bytes over and over until the peer is gone or the count is reached.
        case flood([UInt8], count: Int)
        /// Does nothing for a while.
        case pause(Duration)
        /// Waits for one ``ScriptServer/proceed()``.
        case hold
        /// Passes everything on to a port of this machine, and back, until one side ends: the tunnel of a proxy.
        case relay(toPort: Int)
        /// Closes the sending side only.
        case finishSending
        /// Closes with a reset, which throws away what is still under way.
        case reset

        /// Sends this text as it is.
        public static func send(_ text: String) -> Step { .sendBytes(Array(text.utf8)) }

        /// Sends a complete answer with a `Content-Length`.
        public static func respond(status: Int = 200, fields: [(String, String)] = [], _ body: String = "") -> Step {
            let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
            return .send("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")
        }
    }

    /// What a connection does from its start; it is closed after the last step.
    public typealias Script = [Step]
}

extension ScriptServer {
    /// What one connection received.
    public struct Connection: Sendable, Hashable {
        /// Every byte in the order received.
        public internal(set) var received: [UInt8] = []
        /// The whole requests that were read, each with its header and the body its framing announced.
        public internal(set) var requests: [String] = []
        /// How many bytes the script has handed to the system to send.
        public internal(set) var sentBytes = 0
        /// Whether the peer closed or reset the connection while the script was reading or sending.
        public internal(set) var isClosedByPeer = false
        /// When the peer closed or reset the connection.
        public internal(set) var closedAt: ContinuousClock.Instant?
        /// Whether the script is over and the connection closed.
        public internal(set) var isOver = false
    }

    /// Everything the server has seen so far; the ground truth of a test.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the server has stopped, so that nothing more will be added.
        public internal(set) var isStopped = false
        /// How many scripts that hold may go on.
        var permits = 0

        /// All requests of all connections, connection by connection.
        public var requests: [String] { connections.flatMap(\.requests) }
    }
}

// Bytes and header fields are not printed: they are long, and they may contain tokens.

extension ScriptServer.Connection: CustomStringConvertible {
    /// The request lines without queries, and how many bytes the connection received and sent.
    public var description: String {
        let lines = requestLines.isEmpty ? "no request" : requestLines.joined(separator: ", ")
        return "\(lines); \(received.count) bytes received, \(sentBytes) sent"
            + (isClosedByPeer ? ", closed by the peer" : isOver ? ", closed" : "")
    }

    /// `GET /path` of each request.
    fileprivate var requestLines: [String] {
        requests.map { request in
            let words = request.prefix(beforeAny: "\r\n").split(byte: " ")
            return words.prefix(2).map { $0.prefix(before: "?") }.joined(separator: " ")
        }
    }
}

extension ScriptServer.Journal: CustomStringConvertible {
    /// The number of connections, and the request lines without queries.
    public var description: String {
        let lines = connections.flatMap(\.requestLines)
        let count = "\(connections.count) connection\(connections.count == 1 ? "" : "s")"
        return "\(count), \(lines.count) request\(lines.count == 1 ? "" : "s")"
            + (lines.isEmpty ? "" : ": " + lines.joined(separator: ", "))
    }
}
