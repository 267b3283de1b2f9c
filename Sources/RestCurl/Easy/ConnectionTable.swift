// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Which socket belongs to which connection, so that a connection can be looked at before a request is sent on it.
///
/// Bytes that wait on an idle HTTP/1.1 connection answer no request: sending the next one there would take them for its
/// answer. libcurl 7.88 does just that. The socket of a connection about to be used is not to be had from libcurl at
/// that moment, only its addresses are; hence this table. Used by the loop thread only.
final class ConnectionTable {
    /// The two ends of a connection.
    struct Ends: Hashable {
        let address: String
        let port: Int32
        let localPort: Int32
    }

    private var sockets: [Ends: curl_socket_t] = [:]
    private var ends: [curl_socket_t: Ends] = [:]

    /// Notes the socket of a new connection: the one of those opened for it that is bound to its local port.
    func add(_ connection: Ends, candidates: [curl_socket_t]) {
        guard let socket = candidates.first(where: { ccurl_local_port($0) == connection.localPort }) else { return }
        sockets[connection] = socket
        ends[socket] = connection
    }

    /// Forgets a socket that is about to be closed.
    func remove(_ socket: curl_socket_t) {
        guard let connection = ends.removeValue(forKey: socket) else { return }
        sockets[connection] = nil
    }

    /// Whether bytes, or the end of the connection, wait to be read; `false` for connections not in the table.
    func hasInput(_ connection: Ends) -> Bool {
        sockets[connection].map { ccurl_has_input($0) != 0 } ?? false
    }
}
