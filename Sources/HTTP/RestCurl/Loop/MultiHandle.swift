// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

/// Owns a libcurl multi handle: its connections live as long as somebody holds this object.
///
/// Unchecked because libcurl allows `curl_multi_wakeup` from any thread; everything else, the table of
/// connections included, is used by the loop thread only, and the clean-up runs when the last reference goes, hence
/// never during a wake-up.
@safe final class MultiHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer
    /// The connections this handle keeps; they are closed, and leave the table, at the latest in the clean-up.
    let connections = ConnectionTable()
    /// The TLS sessions that new connections may resume.
    let sessions: TLSSessions

    /// Makes a handle; `nil` when memory or descriptors are exhausted.
    init?(configuration: CurlConfiguration) {
        guard CurlLibrary.isReady, let sessions = TLSSessions(), let raw = unsafe curl_multi_init() else { return nil }
        unsafe self.raw = raw
        self.sessions = sessions
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        set(CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
    }

    deinit {
        unsafe curl_multi_cleanup(raw)
    }

    /// Begins the transfer of a handle.
    ///
    /// - Throws: `TransportError` when libcurl does not take it: nothing would ever be heard of it again.
    func add(_ handle: EasyHandle) throws(TransportError) {
        let result = unsafe curl_multi_add_handle(raw, handle.raw)
        guard result != CURLM_OK else { return }
        let words = unsafe String(cString: curl_multi_strerror(result))
        throw TransportError(.other, "libcurl does not begin the transfer: \(words)", mayHaveReachedServer: false)
    }

    /// Ends the transfer of a handle; one that is not complete loses its connection.
    func remove(_ handle: EasyHandle) {
        unsafe curl_multi_remove_handle(raw, handle.raw)
    }

    /// Makes the loop thread return from its sleep; safe from any thread.
    func wakeUp() {
        unsafe curl_multi_wakeup(raw)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        unsafe ccurl_multi_set_long(raw, option, value)
    }
}

/// The library's process-wide state.
enum CurlLibrary {
    /// Initialises libcurl once; `false` when it cannot work at all.
    static let isReady: Bool = {
        // libcurl's TLS is of libcrypto, which must know before that the loop thread uses it until the process is gone.
        Libcrypto.prepare()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}

/// The transfers to one origin: how many of them libcurl has, and those that wait for one of these to end.
///
/// libcurl goes over all of its transfers in every turn, also over those for which it has no connection. It gets as
/// many as it can send at a time, so that a turn costs the same however many wait. Used by the loop thread only.
final class OriginLine {
    /// How many requests libcurl sends at a time over one HTTP/2 connection.
    static let streamsPerConnection = 100

    let origin: Origin
    private let connections: Int
    private var limit: Int
    private var busy = 0
    private var waiting: [Transfer] = []
    /// The place of the first that waits; those before it have gone.
    private var first = 0
    /// How many that may be in the line are over.
    private var ended = 0

    /// Makes an empty line.
    ///
    /// - Parameters:
    ///   - origin: where the transfers lead.
    ///   - connections: how many connections libcurl may have to there; none is no limit.
    init(to origin: Origin, connections: Int) {
        self.origin = origin
        self.connections = connections > 0 ? connections : .max
        limit = self.connections
    }

    /// Whether nobody is in the line or in libcurl's hands.
    var isEmpty: Bool { busy == 0 && first == waiting.count }

    /// Whether a transfer is libcurl's at once; any other waits.
    func enter(_ transfer: Transfer) -> Bool {
        guard busy == limit || first < waiting.count else {
            busy += 1
            return true
        }
        waiting.append(transfer)
        return false
    }

    /// A transfer is not libcurl's any more.
    func leave() {
        busy -= 1
    }

    /// The next transfer for libcurl, first come first served; `nil` when it has enough, or nobody waits.
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

    /// A connection there speaks HTTP/2, so that many requests share it: whether this was news.
    func widen() -> Bool {
        let wide = connections.multipliedReportingOverflow(by: Self.streamsPerConnection)
        let most = wide.overflow ? Int.max : wide.partialValue
        guard limit < most else { return false }
        limit = most
        return true
    }

    /// A transfer that may wait here was cancelled; what is over is let go of when it is half of the line.
    func noteEnd() {
        ended += 1
        guard ended * 2 > waiting.count - first else { return }
        dropGone()
        waiting.removeAll { $0.isOver }
    }

    /// Takes out all that wait and for which this is true.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] {
        dropGone()
        let taken = waiting.filter(isWanted)
        if !taken.isEmpty { waiting.removeAll(where: isWanted) }
        return taken
    }

    /// The earliest deadline of those that wait.
    var firstDeadline: ContinuousClock.Instant? { waiting[first...].lazy.map(\.deadline).min() }

    private func dropGone() {
        waiting.removeFirst(first)
        (first, ended) = (0, 0)
    }
}

/// The lines of all origins.
struct OriginLines {
    /// Lines without anybody are kept until there are so many.
    private static let mostIdle = 64

    private let connections: Int
    private var lines: [Origin: OriginLine] = [:]
    /// The line that was asked for last, which most requests ask for again.
    private var last: OriginLine?

    /// No lines yet.
    ///
    /// - Parameter connections: how many connections libcurl may have to one origin.
    init(connections: Int) {
        self.connections = connections
    }

    /// The line to an origin.
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

    /// Takes out all that wait in any line and for which this is true.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] { lines.values.flatMap { $0.take(where: isWanted) } }

    /// The earliest deadline of all that wait.
    var firstDeadline: ContinuousClock.Instant? { lines.values.compactMap(\.firstDeadline).min() }
}

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
