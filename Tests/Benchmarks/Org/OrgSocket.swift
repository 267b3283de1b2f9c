// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A plain connection to a port of this machine.
struct OrgSocket: ~Copyable {
    private let descriptor: CInt

    /// Connects; `nil` when nobody accepts within five seconds.
    init?(port: Int) {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = CInt(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        var wait = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends the bytes; `false` when the peer has ended the connection.
    func send(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Foundation.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
                == bytes.count
        }
    }

    /// What the peer sends until it ends the connection; `nil` after a fault or five seconds of silence.
    func receiveAll() -> [UInt8]? {
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return count == 0 ? received : nil }
            received += piece[..<count]
        }
    }

    /// Whether the peer has ended the connection; what it sent is thrown away.
    func isEnded() -> Bool {
        var piece = [UInt8](repeating: 0, count: 4 << 10)
        let option = CInt(MSG_DONTWAIT)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, option) }
        return count >= 0 || errno != EAGAIN
    }
}
