// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import Synchronization

/// Accepts the connections of a port, and passes each to the server of its protocol.
///
/// The first bytes of a connection name its protocol. They stay in the socket for the server. Linux ends the sleep of
/// the thread when the listening socket is interrupted. Other systems do not, and have no HTTP/2 server.
final class Acceptor: Sendable {
    /// The receivers of connections.
    struct Servers: Sendable {
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
        var reading = ConnectionPreface()
    }

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
            for (var entry, isReady) in zip(unsorted, ready) {
                let isOver = entry.deadline <= now
                let isSorted = (isReady || isOver) && sort(&entry, servers, isLast: isOver)
                if !isSorted { waiting.append(entry) }
            }
            unsorted = waiting
            guard !isPaused, ready.last == true else {
                isPaused = false
                continue
            }
            do throws(Socket.Failure) {
                for _ in 0..<Self.mostAccepted {
                    guard let socket = try listening.accepted(withinMilliseconds: 0) else { break }
                    var entry = Unsorted(socket: socket, deadline: now + patience)
                    if !sort(&entry, servers, isLast: false) { unsorted.append(entry) }
                }
            } catch {
                // The process has no descriptors left, or the port is closed.
                isPaused = true
            }
            while unsorted.count > Self.mostUnsorted { pass(unsorted.removeFirst(), to: servers.http1) }
        }
    }

    /// Passes a connection to its server, or returns `false` if more bytes must arrive.
    private func sort(_ entry: inout Unsorted, _ servers: Servers, isLast: Bool) -> Bool {
        switch entry.reading.read(entry.socket.firstBytes(ConnectionPreface.bytes.count)) {
        case .http1: pass(entry, to: servers.http1)
        case .http2: pass(entry, to: servers.http2)
        case nil where isLast: pass(entry, to: servers.http1)
        case nil:
            // Without this, the incomplete preface would wake the thread again and again.
            if entry.reading.isIncomplete { entry.socket.setInputThreshold(ConnectionPreface.bytes.count) }
            return false
        }
        return true
    }

    private func pass(_ entry: Unsorted, to server: (Socket) -> Void) {
        if entry.reading.isIncomplete { entry.socket.setInputThreshold(1) }
        server(entry.socket)
    }

    private static func milliseconds(to deadline: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: max(0, Int((deadline - .now) / .milliseconds(1)) + 1))
    }
}

/// Finds the protocol of a connection in its first bytes.
///
/// A client that knows that the server speaks HTTP/2 begins with a preface (RFC 9113 §3.4). No request of HTTP/1.1
/// begins with it.
struct ConnectionPreface {
    enum Version { case http1, http2 }

    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Whether the bytes so far are a part of the preface.
    private(set) var isIncomplete = false

    /// Returns the protocol, or `nil` if more bytes must arrive.
    ///
    /// After an incomplete preface, the bytes must be the whole preface, because no more will arrive.
    ///
    /// - Parameter first: the first bytes that have arrived: `nil` if there are none, and empty if the peer has closed.
    /// - Returns: the protocol.
    mutating func read(_ first: [UInt8]?) -> Version? {
        guard let first else { return nil }
        guard !first.isEmpty, Self.bytes.starts(with: first) else { return .http1 }
        guard first.count < Self.bytes.count else { return .http2 }
        guard !isIncomplete else { return .http1 }
        isIncomplete = true
        return nil
    }
}

extension Socket {
    /// Returns the first bytes that have arrived, without taking them: `nil` if there are none, empty if the peer has
    /// closed.
    fileprivate func firstBytes(_ count: Int) -> [UInt8]? {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe result = recv(descriptor, buffer.baseAddress, count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            initialized = max(0, result)
        }
        return result < 0 ? nil : bytes
    }

    /// Makes the socket ready only when this number of bytes has arrived, or the peer has closed.
    fileprivate func setInputThreshold(_ count: Int) {
        var count = Int32(clamping: count)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
    }
}
