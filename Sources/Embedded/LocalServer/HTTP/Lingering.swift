// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Sockets whose clients got their answer while they were still sending.
///
/// A socket that is closed with unread bytes resets the connection, and the reset may overtake the answer (RFC 9112
/// §9.6). So what still comes is read and thrown away for a moment.
struct Lingering: ~Copyable {
    private struct Socket {
        let descriptor: CInt
        let end: ContinuousClock.Instant
    }

    private var sockets: [Socket] = []
    /// More than these are not waited for.
    private static let most = 64
    private static let time: Duration = .seconds(2)
    /// Read from a socket in one turn.
    private static let mostPerTurn = 4 << 20

    var isEmpty: Bool { sockets.isEmpty }

    /// Takes a descriptor over.
    mutating func add(_ descriptor: CInt, at now: ContinuousClock.Instant) {
        if sockets.count >= Self.most { _ = close(sockets.removeFirst().descriptor) }
        sockets.append(Socket(descriptor: descriptor, end: now + Self.time))
    }

    /// Reads what has come, and closes the sockets whose clients have ended or whose time is over.
    mutating func turn(at now: ContinuousClock.Instant) {
        sockets.removeAll { socket in
            let isOver = Self.drain(socket.descriptor) || socket.end <= now
            if isOver { _ = close(socket.descriptor) }
            return isOver
        }
    }

    mutating func closeAll() {
        for socket in sockets { _ = close(socket.descriptor) }
        sockets.removeAll()
    }

    /// Whether the client has ended the connection.
    private static func drain(_ descriptor: CInt) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var total = 0
            while total < mostPerTurn {
                let count = unsafe cmhd_receive(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return count == 0 || (errno != EAGAIN && errno != EINTR) }
                total += count
            }
            return false
        }
    }

    deinit {
        for socket in sockets { _ = close(socket.descriptor) }
    }
}
