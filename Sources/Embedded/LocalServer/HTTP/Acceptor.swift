// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import Synchronization

/// Accepts the connections of a port, and passes each to the server of its protocol.
///
/// The first bytes of a connection name its protocol: the preface of HTTP/2, or the protocols that a TLS client offers.
/// They stay in the socket for the server. Linux ends the sleep of
/// the thread when the listening socket is interrupted. Other systems do not, and have no HTTP/2 server.
final class Acceptor: Sendable {
    /// The receivers of connections.
    struct Servers: Sendable {
        /// Whether the clients use TLS.
        let isSecure: Bool
        /// Whether the server of HTTP/1.1 can take another connection.
        let hasRoom: @Sendable () -> Bool
        let http1: @Sendable (Socket) -> Void
        let http2: @Sendable (Socket) -> Void
    }

    private let queue = DispatchQueue(label: "LocalServer.accept")
    private let listening: Mutex<Socket?>
    private let isStopped = Atomic(false)

    /// Starts accepting on a thread.
    init(_ socket: Socket, _ servers: Servers, patience: Duration) {
        listening = Mutex(socket)
        queue.async { [self] in run(socket, servers, patience) }
    }

    /// Closes the port and the connections without a server, and returns after the thread has ended.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let socket = listening.withLock { socket in
            defer { socket = nil }
            return socket
        }
        socket?.interrupt()
        queue.sync {}
    }

    /// A connection whose protocol is unknown.
    private struct Unsorted {
        let socket: Socket
        let deadline: ContinuousClock.Instant
        /// The number of bytes to wait for.
        let count: Int
    }

    /// The start of the preface of HTTP/2 (RFC 9113 §3.4), and of no request of HTTP/1.1.
    private static let preface = Array("PRI".utf8)
    /// The maximum number of connections without a server, above which the oldest one goes to HTTP/1.1.
    private static let mostUnsorted = 256
    /// The maximum number of connections that are accepted before others are looked at.
    private static let mostAccepted = 64
    /// The time to wait while no connection can be accepted, in milliseconds.
    private static let pause: Int32 = 10

    private func run(_ listening: Socket, _ servers: Servers, _ patience: Duration) {
        var unsorted: [Unsorted] = []
        var isPaused = false
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            isPaused = isPaused || !servers.hasRoom()
            let limit = isPaused ? Self.pause : unsorted.first.map { Self.milliseconds(to: $0.deadline) } ?? -1
            let ready = Socket.waitForInput(
                unsorted.map(\.socket) + (isPaused ? [] : [listening]), milliseconds: limit)
            let now = ContinuousClock.now
            var waiting: [Unsorted] = []
            for (entry, isReady) in zip(unsorted, ready) {
                let isDue = entry.deadline <= now
                if !isReady && !isDue {
                    waiting.append(entry)
                } else if let rest = pass(entry, servers, isDue: isDue) {
                    waiting.append(rest)
                }
            }
            unsorted = waiting
            guard !isPaused, ready.last == true else {
                isPaused = false
                continue
            }
            do throws(Socket.Failure) {
                for _ in 0..<Self.mostAccepted {
                    guard let socket = try listening.accepted(withinMilliseconds: 0) else { break }
                    let count = servers.isSecure ? ClientHello.headCount : Self.preface.count
                    socket.setInputThreshold(count)
                    unsorted.append(Unsorted(socket: socket, deadline: now + patience, count: count))
                }
            } catch {
                // The process has no descriptors left, or the port is closed.
                isPaused = true
            }
            while unsorted.count > Self.mostUnsorted { _ = pass(unsorted.removeFirst(), servers, isDue: true) }
        }
    }

    /// Passes a connection to its server, or returns it if more bytes must arrive before it is due.
    private func pass(_ entry: Unsorted, _ servers: Servers, isDue: Bool) -> Unsorted? {
        let bytes = entry.socket.firstBytes(entry.count)
        if servers.isSecure, !isDue, entry.count == ClientHello.headCount, let count = ClientHello.size(after: bytes) {
            entry.socket.setInputThreshold(count)
            return Unsorted(socket: entry.socket, deadline: entry.deadline, count: count)
        }
        let isHTTP2 = servers.isSecure ? ClientHello(bytes)?.wantsHTTP2 == true : bytes == Self.preface
        entry.socket.setInputThreshold(1)
        (isHTTP2 ? servers.http2 : servers.http1)(entry.socket)
        return nil
    }

    private static func milliseconds(to deadline: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: max(0, Int((deadline - .now) / .milliseconds(1)) + 1))
    }
}

extension Socket {
    /// Returns the first bytes that have arrived, without taking them.
    fileprivate func firstBytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let result = unsafe recv(descriptor, buffer.baseAddress, count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            initialized = max(0, result)
        }
    }

    /// Makes the socket ready only when this number of bytes has arrived, or the peer has closed.
    fileprivate func setInputThreshold(_ count: Int) {
        var count = Int32(clamping: count)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
    }
}
