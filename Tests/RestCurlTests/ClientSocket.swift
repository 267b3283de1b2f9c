// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The socket by which this process is connected to a port of this machine.
struct ClientSocket {
    private let descriptor: Int32

    /// Finds the socket; `nil` when there is none.
    init?(peerPort: Int) {
        let found = (0..<Int32(4_096)).first { Self.peerPort(of: $0) == peerPort }
        guard let found else { return nil }
        descriptor = found
    }

    /// Whether a program that this process starts does not inherit it.
    var isClosedOnExec: Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 }

    /// Whether TCP asks from time to time whether the peer is still there (RFC 9293 §3.8.4).
    var isKeptAlive: Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &value, &size) == 0 && value != 0
    }

    /// Waits until bytes have come that nobody has read; `false` when none come in time.
    func waitForInput() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 8_000) > 0
    }

    private static func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size) == 0
            }
        }
        guard isConnected, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
