// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Which socket belongs to which connection, so that a connection can be looked at before a request is sent on it.
///
/// Bytes that wait on an idle HTTP/1.1 connection answer no request: sending the next one there would take them for its
/// answer. libcurl 7.88 does just that. HTTP/2 frames and the tickets behind a TLS handshake may wait at any time. The
/// socket of a connection about to be used is not to be had from libcurl at that moment, only its addresses are; hence
/// this table. Used by the loop thread only.
final class ConnectionTable {
    /// The two ends of a connection.
    struct Ends: Hashable {
        let address: String
        let port: Int32
        let localPort: Int32
    }

    private struct Connection {
        let socket: curl_socket_t
        /// Whether nothing but answers comes over it: not so for HTTP/2, nor for TLS before its first answer.
        var isQuiet: Bool
    }

    private var connections: [Ends: Connection] = [:]
    private var ends: [curl_socket_t: Ends] = [:]

    /// Notes the socket of a new connection: the one of those opened for it that is bound to its local port.
    func add(_ connection: Ends, candidates: [curl_socket_t], isQuiet: Bool) {
        guard let socket = candidates.first(where: { ccurl_local_port($0) == connection.localPort }) else { return }
        connections[connection] = Connection(socket: socket, isQuiet: isQuiet)
        ends[socket] = connection
    }

    /// Notes that an answer came over the connection by HTTP/1: from now on nothing may come unasked.
    func noteAnswer(on connection: Ends) {
        connections[connection]?.isQuiet = true
    }

    /// Forgets a socket that is about to be closed.
    func remove(_ socket: curl_socket_t) {
        guard let connection = ends.removeValue(forKey: socket) else { return }
        connections[connection] = nil
    }

    /// Whether bytes, or the end of the connection, wait where nothing should; `false` for one not in the table.
    func hasInput(_ connection: Ends) -> Bool {
        guard let connection = connections[connection], connection.isQuiet else { return false }
        return ccurl_has_input(connection.socket) != 0
    }
}
