// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A TCP socket of this machine that never blocks; closed when the last reference goes.
///
/// One thread uses it.
final class LoopbackSocket: Sendable {
    /// What came of reading or writing.
    enum Transfer: Equatable {
        /// So many bytes.
        case some(Int)
        /// Nothing now; try again when the system says so.
        case later
        /// The peer is gone or has said all.
        case over
    }

    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(descriptor) }

    /// A socket that listens on 127.0.0.1 or ::1, which no other socket shares; `nil` when the port cannot be had.
    ///
    /// A port whose last connections the system still remembers can be had at once (`SO_REUSEADDR`), so that two logins
    /// in a row work on one port. One that somebody listens on cannot, and nobody can take it away: while a socket
    /// listens, the system gives its address to no other, whatever options that one has, unless both have
    /// `SO_REUSEPORT`, which this one never has. Whoever bound it in between makes `listen` fail.
    ///
    /// Port 0 takes a free one.
    static func listening(isIPv6: Bool, port: UInt16) -> LoopbackSocket? {
        #if canImport(Darwin)
        let made = socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #else
        let made = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard made >= 0 else { return nil }
        let listener = LoopbackSocket(made)
        if port != 0 { listener.allowReuse() }
        let isBound = isIPv6 ? listener.bindIPv6(port) : listener.bindIPv4(port)
        // The system must not choose a port with a past, but this one's connections are not to be in the way later.
        if port == 0 { listener.allowReuse() }
        return isBound && listen(made, 16) == 0 ? listener : nil
    }

    private func allowReuse() {
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The port it is bound to.
    var port: UInt16 {
        // Both families keep the port at the same place.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// The next connection that waits; `nil` when none does.
    func accepted() -> LoopbackSocket? {
        let connection = accept(descriptor, nil, nil)
        return connection >= 0 ? LoopbackSocket(connection) : nil
    }

    /// Appends what has arrived.
    func read(into bytes: inout [UInt8]) -> Transfer {
        var result = 0
        let arrived = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
            unsafe result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            count = max(0, result)
        }
        bytes += arrived
        return transfer(result)
    }

    /// Sends what the system takes now.
    func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return unsafe transfer(bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) })
    }

    /// Says that nothing more will be sent.
    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func transfer(_ result: Int) -> Transfer {
        if result > 0 { return .some(result) }
        return result < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .later : .over
    }

    private func bindIPv4(_ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { unsafe bound(to: $0) }
    }

    private func bindIPv6(_ port: UInt16) -> Bool {
        var only: Int32 = 1
        _ = unsafe setsockopt(
            descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return unsafe withUnsafePointer(to: &address) { unsafe bound(to: $0) }
    }

    private func bound<Address>(to address: UnsafePointer<Address>) -> Bool {
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
        }
    }
}
