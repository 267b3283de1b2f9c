// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A server on 127.0.0.1 that plays exact bytes, with pauses, resets and half-closes, and records what it received.
///
/// Each connection plays the next script, and the last script is repeated. Every wait of the server is limited to ten
/// seconds. The server stops when its last reference is released.
public final class ScriptServer: Sendable {
    /// The port on which the server listens.
    public var port: Int { server.port }
    private let server: ConnectionServer
    private let watched: Watched<Journal>

    /// Starts a server that plays one script on every connection.
    ///
    /// - Throws: an error if no socket can be opened.
    public convenience init(_ script: Script) throws {
        try self.init(connections: [script])
    }

    /// Starts a server with one script per connection, the last of which is repeated.
    ///
    /// - Throws: an error if no socket can be opened.
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

    /// The server's URL with a path, which can include a query.
    public func url(_ path: String = "/") -> HTTPURL { .loopback(port: port, path) }

    /// The requests and connections so far.
    public var journal: Journal { watched.value }

    /// Waits until the journal fulfils the condition or the server has stopped.
    ///
    /// - Returns: the journal at that time.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Journal) -> Bool) async -> Journal {
        await watched.wait { $0.isStopped || condition($0) }
    }

    /// Continues one connection at a `hold` step, now or when it reaches the step.
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
    /// An action of the server on a connection.
    public enum Step: Sendable {
        /// Reads one whole request: head and body.
        case readRequest
        /// Reads the head of a request and leaves the body unread.
        case readHeader
        /// Reads until the peer closes.
        case readToEnd
        /// Sends exactly these bytes.
        case sendBytes([UInt8])
        /// Sends the bytes one by one with a pause after each.
        case drip([UInt8], every: Duration)
        /// Sends these bytes repeatedly until the peer is gone or the count is reached.
        case flood([UInt8], count: Int)
        /// Waits.
        case pause(Duration)
        /// Waits for one ``ScriptServer/proceed()``.
        case hold
        /// Connects to a port of the local machine and relays bytes until one side ends, like a proxy tunnel.
        case relay(toPort: Int)
        /// Closes only the sending direction.
        case finishSending
        /// Closes with a reset, which discards bytes in flight.
        case reset

        /// Sends this string unchanged.
        public static func send(_ text: String) -> Step { .sendBytes(Array(text.utf8)) }

        /// Sends a complete response with a `Content-Length`.
        public static func respond(status: Int = 200, fields: [(String, String)] = [], _ body: String = "") -> Step {
            let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
            return .send("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")
        }
    }

    /// The steps of a connection, which is closed after the last step.
    public typealias Script = [Step]
}

extension ScriptServer {
    /// The record of one connection.
    public struct Connection: Sendable, Hashable {
        /// All bytes in the order received.
        public internal(set) var received: [UInt8] = []
        /// The requests that were read completely, each with its head and body.
        public internal(set) var requests: [String] = []
        /// The number of bytes that the script has passed to the system for sending.
        public internal(set) var sentBytes = 0
        /// Whether the peer closed or reset the connection while the script was reading or sending.
        public internal(set) var isClosedByPeer = false
        /// The time at which the peer closed or reset the connection.
        public internal(set) var closedAt: ContinuousClock.Instant?
        /// Whether the script has ended and the connection is closed.
        public internal(set) var isOver = false
    }

    /// The record of all connections, against which a test checks its results.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order in which they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the server has stopped, so that the journal is complete.
        public internal(set) var isStopped = false
        /// The number of `hold` steps that may continue.
        var permits = 0

        /// All requests, connection by connection.
        public var requests: [String] { connections.flatMap(\.requests) }
    }
}

// Bytes and headers are not printed, because they are long and may contain tokens.

extension ScriptServer.Connection: CustomStringConvertible {
    /// The request lines without queries, and the numbers of bytes received and sent.
    public var description: String {
        let lines = requestLines.isEmpty ? "no request" : requestLines.joined(separator: ", ")
        return "\(lines); \(received.count) bytes received, \(sentBytes) sent"
            + (isClosedByPeer ? ", closed by the peer" : isOver ? ", closed" : "")
    }

    /// The method and the path of each request: `GET /path`.
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
