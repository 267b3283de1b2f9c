// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// Owns a libcurl multi handle, whose connections live as long as this object.
///
/// Unchecked, because libcurl allows `curl_multi_wakeup` from any thread. Everything else, including the table of
/// connections, is used only by the loop thread. The clean-up runs when the last reference is released, and therefore
/// never during a wake-up.
@safe final class MultiHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer
    /// The open connections of this handle, which are closed and removed from the table by the clean-up at the latest.
    let connections = ConnectionTable()
    let sessions: TLSSessions

    /// Creates a handle, or returns `nil` if there are no memory or descriptors.
    init?(configuration: CurlConfiguration) {
        guard CurlLibrary.isReady, let sessions = TLSSessions(), let raw = unsafe curl_multi_init() else { return nil }
        unsafe self.raw = raw
        self.sessions = sessions
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        set(CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
    }

    deinit { unsafe curl_multi_cleanup(raw) }

    /// Starts the transfer of a handle.
    ///
    /// - Throws: `TransportError` if libcurl rejects the handle, because it would never report its end.
    func add(_ handle: EasyHandle) throws(TransportError) {
        let result = unsafe curl_multi_add_handle(raw, handle.raw)
        guard result != CURLM_OK else { return }
        let words = unsafe String(cString: curl_multi_strerror(result))
        throw TransportError(.other, "libcurl cannot start the transfer: \(words)", mayHaveReachedServer: false)
    }

    /// Ends the transfer of a handle, and closes the connection of an incomplete transfer.
    func remove(_ handle: EasyHandle) { unsafe curl_multi_remove_handle(raw, handle.raw) }

    /// Wakes the loop thread, and is safe to call from any thread.
    func wakeUp() { unsafe curl_multi_wakeup(raw) }

    private func set(_ option: CURLMoption, _ value: Int) {
        unsafe ccurl_multi_set_long(raw, option, value)
    }
}

enum CurlLibrary {
    /// Initializes libcurl once, or is `false` if libcurl cannot work.
    static let isReady: Bool = {
        // libcurl uses libcrypto for TLS. libcrypto must know first that the loop thread may use it during `exit`.
        Libcrypto.prepare()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}

/// The queue of transfers to one origin, with the number of transfers that libcurl currently has.
///
/// In every turn libcurl iterates over all its transfers, even those without a connection. It therefore gets only as
/// many as it can send at once, so that a turn costs the same regardless of the length of the queue. Only the loop
/// thread uses it.
final class OriginLine {
    /// The number of requests that libcurl sends concurrently on an HTTP/2 connection.
    static let streamsPerConnection = 100

    let origin: Origin
    private let connections: Int
    private var limit: Int
    private var busy = 0
    private var waiting: [Transfer] = []
    /// The index of the first waiting transfer, after those that have been removed.
    private var first = 0
    /// The number of transfers in the queue that may be over.
    private var ended = 0

    /// Creates an empty queue, where 0 connections mean no limit.
    init(to origin: Origin, connections: Int) {
        self.origin = origin
        self.connections = connections > 0 ? connections : .max
        limit = self.connections
    }

    var isEmpty: Bool { busy == 0 && first == waiting.count }

    /// Returns `true` if libcurl may have the transfer at once, and otherwise adds it to the queue.
    func enter(_ transfer: Transfer) -> Bool {
        guard busy == limit || first < waiting.count else {
            busy += 1
            return true
        }
        waiting.append(transfer)
        return false
    }

    /// Frees the slot of a transfer that was removed from libcurl.
    func leave() { busy -= 1 }

    /// Removes the next transfer for libcurl, or returns `nil` if the limit is reached or the queue is empty.
    func next() -> Transfer? {
        while busy < limit, first < waiting.count {
            let transfer = waiting[first]
            first += 1
            if first * 2 > waiting.count { dropGone() }
            guard !transfer.isOver else { continue }
            busy += 1
            return transfer
        }
        return nil
    }

    /// Raises the limit because the origin supports HTTP/2, and returns whether it has changed.
    func widen() -> Bool {
        let wide = connections.multipliedReportingOverflow(by: Self.streamsPerConnection)
        let most = wide.overflow ? Int.max : wide.partialValue
        guard limit < most else { return false }
        limit = most
        return true
    }

    /// Counts a cancelled transfer that may be in the queue, and cleans up when half of the queue may be over.
    func noteEnd() {
        ended += 1
        guard ended * 2 > waiting.count - first else { return }
        dropGone()
        waiting.removeAll { $0.isOver }
    }

    /// Removes and returns the waiting transfers that fulfil the condition.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] {
        dropGone()
        let taken = waiting.filter(isWanted)
        if !taken.isEmpty { waiting.removeAll(where: isWanted) }
        return taken
    }

    var firstDeadline: ContinuousClock.Instant? { waiting[first...].lazy.map(\.deadline).min() }

    private func dropGone() {
        waiting.removeFirst(first)
        (first, ended) = (0, 0)
    }
}

/// The queues of all origins.
struct OriginLines {
    /// The number of queues at which empty ones are removed.
    private static let mostIdle = 64

    private let connections: Int
    private var lines: [Origin: OriginLine] = [:]
    /// The queue that was used last, which most requests use again.
    private var last: OriginLine?

    init(connections: Int) { self.connections = connections }

    mutating func line(to origin: Origin) -> OriginLine {
        if let last, last.origin == origin { return last }
        let line = lines[origin] ?? add(origin)
        last = line
        return line
    }

    private mutating func add(_ origin: Origin) -> OriginLine {
        if lines.count >= Self.mostIdle { lines = lines.filter { !$0.value.isEmpty } }
        let line = OriginLine(to: origin, connections: connections)
        lines[origin] = line
        return line
    }

    /// Removes and returns the waiting transfers of all queues that fulfil the condition.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] { lines.values.flatMap { $0.take(where: isWanted) } }

    var firstDeadline: ContinuousClock.Instant? { lines.values.compactMap(\.firstDeadline).min() }
}

/// The sockets of all connections, so that a connection can be checked before a request is sent on it.
///
/// Unread bytes on an idle HTTP/1.1 connection do not belong to any request. libcurl 7.88 would take them for the
/// response to the next request. They are in the socket or, after decryption, in the TLS library. HTTP/2 frames and the
/// tickets after a TLS handshake may arrive at any time. Before it sends a request, libcurl reports only the addresses
/// of the connection and not its socket, hence this table. Only the loop thread uses it.
final class ConnectionTable {
    struct Ends: Hashable {
        let address: String
        let port: Int32
        let localPort: Int32
    }

    final class Connection {
        fileprivate let ends: Ends
        fileprivate let socket: curl_socket_t
        /// Whether only responses arrive on it, which is false for HTTP/2, and for TLS before the first response.
        var isQuiet: Bool
        /// Whether it negotiated HTTP/2, and therefore serves many requests concurrently.
        let isMultiplexed: Bool
        /// The handle that sent the last request, until the handle is cleared.
        var user: EasyHandle?
        /// The number of requests in flight, during which bytes are expected.
        var requests = 0
        /// The last turn in which the check of all idle connections found no bytes here.
        fileprivate var cleanTurn = 0

        fileprivate init(ends: Ends, socket: curl_socket_t, isQuiet: Bool, isMultiplexed: Bool) {
            self.ends = ends
            self.socket = socket
            self.isQuiet = isQuiet
            self.isMultiplexed = isMultiplexed
        }
    }

    /// The maximum number of idle connections to check together for each request.
    ///
    /// One check costs as much as several descriptors in it.
    private static let idlePerRequest = 4

    let tls = TLSLibrary()
    private var byEnds: [Ends: Connection] = [:]
    private var bySocket: [curl_socket_t: Connection] = [:]
    private var idle: [Connection] = []
    private var descriptors: [pollfd] = []

    /// Adds a new connection, whose socket is the candidate that is bound to its local port.
    func add(_ ends: Ends, candidates: [curl_socket_t], isQuiet: Bool, isMultiplexed: Bool) {
        guard let socket = candidates.first(where: { ccurl_local_port($0) == ends.localPort }) else { return }
        let connection = Connection(ends: ends, socket: socket, isQuiet: isQuiet, isMultiplexed: isMultiplexed)
        byEnds[ends] = connection
        bySocket[socket] = connection
    }

    func connection(between ends: Ends) -> Connection? { byEnds[ends] }

    func remove(_ socket: curl_socket_t) {
        guard let connection = bySocket.removeValue(forKey: socket) else { return }
        byEnds[connection.ends] = nil
    }

    /// Checks all idle connections at once for the requests of this turn, except for a single one, which checks its
    /// own.
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

    /// Whether bytes, or the end of the connection, have arrived unexpectedly.
    func hasInput(_ connection: Connection, in turn: LoopTurn) -> Bool {
        guard connection.isQuiet else { return false }
        if connection.cleanTurn == turn.number {
            // A later request of this turn would follow a response on this connection, and must check again.
            connection.cleanTurn = 0
            return false
        }
        return ccurl_has_input(connection.socket) != 0
    }
}
