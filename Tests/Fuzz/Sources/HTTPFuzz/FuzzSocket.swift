// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A plain TCP connection to a port of this machine.
struct FuzzSocket: ~Copyable {
    private let descriptor: CInt

    /// Connects, or returns `nil` if the port does not accept connections.
    init?(port: Int) {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
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

    /// Sends all bytes that the peer accepts, and closes the sending side.
    func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Returns the bytes that the peer sends until it closes the connection or is silent because it waits for more.
    func receiveAll() -> [UInt8] {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wish, 1, received.isEmpty ? 100 : 5) == 1 {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            received += chunk[..<count]
        }
        return received
    }
}
