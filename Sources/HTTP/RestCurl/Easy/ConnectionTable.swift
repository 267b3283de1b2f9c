// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Which socket belongs to which connection, so that a connection can be looked at before a request is sent on it.
///
/// Bytes that wait on an idle HTTP/1.1 connection answer no request: sending the next one there would take them for its
/// answer. libcurl 7.88 does just that. They wait in the socket or, decrypted, in the TLS library. HTTP/2 frames and
/// the tickets behind a TLS handshake may wait at any time. The socket of a connection about to be used is not to be
/// had from libcurl at that moment, only its addresses are; hence this table. Used by the loop thread only.
final class ConnectionTable {
    /// The two ends of a connection.
    struct Ends: Hashable {
        let address: String
        let port: Int32
        let localPort: Int32
    }

    /// A connection and what is known of it.
    final class Connection {
        fileprivate let ends: Ends
        fileprivate let socket: curl_socket_t
        /// Whether nothing but answers comes over it: not so for HTTP/2, nor for TLS before its first answer.
        var isQuiet: Bool
        /// Whether it serves many requests at a time, because HTTP/2 was negotiated for it.
        let isMultiplexed: Bool
        /// The handle whose request was sent last, while it has not been cleared.
        var user: EasyHandle?
        /// How many requests are on their way; bytes are expected then.
        var requests = 0
        /// The last turn in which the look at all idle connections found no bytes waiting here.
        fileprivate var cleanTurn = 0

        fileprivate init(ends: Ends, socket: curl_socket_t, isQuiet: Bool, isMultiplexed: Bool) {
            self.ends = ends
            self.socket = socket
            self.isQuiet = isQuiet
            self.isMultiplexed = isMultiplexed
        }
    }

    /// The most idle connections looked at together for one request: one look costs as much as several descriptors in
    /// it.
    private static let idlePerRequest = 4

    let tls = TLSLibrary()
    private var byEnds: [Ends: Connection] = [:]
    private var bySocket: [curl_socket_t: Connection] = [:]
    private var idle: [Connection] = []
    private var descriptors: [pollfd] = []

    /// Notes the socket of a new connection: the one of those opened for it that is bound to its local port.
    func add(_ ends: Ends, candidates: [curl_socket_t], isQuiet: Bool, isMultiplexed: Bool) {
        guard let socket = candidates.first(where: { ccurl_local_port($0) == ends.localPort }) else { return }
        let connection = Connection(ends: ends, socket: socket, isQuiet: isQuiet, isMultiplexed: isMultiplexed)
        byEnds[ends] = connection
        bySocket[socket] = connection
    }

    /// The connection between two ends; `nil` for one not in the table.
    func connection(between ends: Ends) -> Connection? { byEnds[ends] }

    /// Forgets a socket that is about to be closed.
    func remove(_ socket: curl_socket_t) {
        guard let connection = bySocket.removeValue(forKey: socket) else { return }
        byEnds[connection.ends] = nil
    }

    /// Looks at all idle connections at once, for the requests about to be sent in this turn; a single one looks for
    /// itself.
    func lookAtIdle(for requests: Int, in turn: LoopTurn) {
        guard requests > 1 else { return }
        idle.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
        for connection in bySocket.values where connection.requests == 0 && connection.isQuiet {
            idle.append(connection)
            descriptors.append(pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0))
        }
        guard !idle.isEmpty, idle.count <= requests * Self.idlePerRequest else { return }
        guard unsafe ccurl_poll_now(&descriptors, UInt32(descriptors.count)) >= 0 else { return }
        for (connection, descriptor) in zip(idle, descriptors) where descriptor.revents == 0 {
            connection.cleanTurn = turn.number
        }
    }

    /// Whether bytes, or the end of the connection, wait where nothing should.
    func hasInput(_ connection: Connection, in turn: LoopTurn) -> Bool {
        guard connection.isQuiet else { return false }
        if connection.cleanTurn == turn.number {
            // Whoever takes the connection over within this turn comes after an answer, and looks again.
            connection.cleanTurn = 0
            return false
        }
        return ccurl_has_input(connection.socket) != 0
    }
}
