// SPDX-License-Identifier: Apache-2.0

/// A blocking TCP socket of the local machine, which is closed with its last reference.
///
/// Writing to a peer that is gone does not end the process, and no child process inherits the socket. Only its owner's
/// thread uses it, except for `interrupt`, which any thread may call to end a blocking call.
package final class Socket: Sendable {
    /// The error of a system call.
    package struct Failure: Error {
        package let call: String
        package let code: Int32

        package init(call: String, code: Int32) {
            self.call = call
            self.code = code
        }
    }

    /// The system's descriptor of the socket.
    package let descriptor: Int32

    private init(descriptor: Int32, of call: String) throws(Failure) {
        guard descriptor >= 0 else { throw Failure(call: call, code: errno) }
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        set(SO_NOSIGPIPE, to: Int32(1))
        #endif
    }

    deinit { close(descriptor) }

    private static func make(isIPv6: Bool = false) throws(Failure) -> Socket {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        return try Socket(descriptor: socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0), of: "socket")
    }

    /// Listens on 127.0.0.1 or ::1, on a port that no other socket shares.
    ///
    /// With `SO_REUSEADDR`, a port is available although the system retains its closed connections. A port on which
    /// another socket listens stays unavailable, and no other socket can take this one's: two sockets share a port only
    /// if both have `SO_REUSEPORT`, and this socket never has it.
    ///
    /// - Parameters:
    ///   - port: the port, or 0 for a free one.
    ///   - isIPv6: whether the address is ::1.
    ///   - backlog: the maximum number of connections that wait to be accepted.
    /// - Returns: the socket.
    /// - Throws: `Failure` if a system call fails.
    package static func listening(
        port: UInt16 = 0, isIPv6: Bool = false, backlog: Int32 = 1_024
    ) throws(Failure) -> Socket {
        let socket = try make(isIPv6: isIPv6)
        if isIPv6 { socket.set(IPV6_V6ONLY, to: Int32(1), level: Int32(IPPROTO_IPV6)) }
        if port != 0 { socket.set(SO_REUSEADDR, to: Int32(1)) }
        try socket.bind(port: port, isIPv6: isIPv6)
        // Set after binding: the system must not choose a port with retained connections, but a later socket may reuse
        // this one.
        if port == 0 { socket.set(SO_REUSEADDR, to: Int32(1)) }
        // A connection that is gone before it is accepted must not block the owner.
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        guard listen(socket.descriptor, backlog) == 0 else { throw Failure(call: "listen", code: errno) }
        return socket
    }

    /// A free port for a program that starts later.
    ///
    /// The port is below the range from which the system assigns ports (32,768 on Linux, 49,152 on Darwin), so the
    /// system does not assign it to another socket meanwhile.
    package static func portForLater() throws(Failure) -> Int {
        for _ in 0..<1_000 {
            let port = UInt16.random(in: 10_000..<32_768)
            if (try? make().bind(port: port)) != nil { return Int(port) }
        }
        throw Failure(call: "bind", code: EADDRINUSE)
    }

    /// Connects to a port of the local machine.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - isWaiting: whether to wait until the connection is established.
    /// - Returns: the socket.
    /// - Throws: `Failure` if a system call fails.
    package static func connected(port: Int, isWaiting: Bool = true) throws(Failure) -> Socket {
        let socket = try make()
        socket.prepareForBytes()
        if !isWaiting { _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) }
        let result = unsafe withAddress(UInt16(truncatingIfNeeded: port), isIPv6: false) { address, length in
            unsafe connect(socket.descriptor, address, length)
        }
        guard result == 0 || !isWaiting && errno == EINPROGRESS else { throw Failure(call: "connect", code: errno) }
        return socket
    }

    /// Two connected sockets, for communication with another program or another thread.
    package static func pair() throws(Failure) -> (Socket, Socket) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(call: "socketpair", code: errno) }
        return try (Socket(descriptor: ends[0], of: "socketpair"), Socket(descriptor: ends[1], of: "socketpair"))
    }

    /// The next connection, or `nil` if there was none within the time.
    ///
    /// - Throws: `Failure` if a connection cannot be accepted, usually for lack of descriptors.
    package func accepted(withinMilliseconds limit: Int32) throws(Failure) -> Socket? {
        guard Socket.waitForInput([self], milliseconds: limit)[0] else { return nil }
        let socket = try Socket(descriptor: accept(descriptor, nil, nil), of: "accept")
        _ = fcntl(socket.descriptor, F_SETFL, 0)  // some systems hand O_NONBLOCK down
        socket.prepareForBytes()
        return socket
    }

    package var port: Int {
        // The port is at the same offset for IPv4 and IPv6.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    /// The next bytes: `nil` after an error or the time limit, empty if the peer has closed.
    ///
    /// - Parameters:
    ///   - count: the maximum number of bytes.
    ///   - isWaiting: whether to wait for bytes. If not, the result is `nil` until some arrive.
    /// - Returns: the bytes.
    package func receive(upTo count: Int = 65_536, isWaiting: Bool = true) -> [UInt8]? {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe result = recv(descriptor, buffer.baseAddress, count, isWaiting ? 0 : Int32(MSG_DONTWAIT))
            initialized = max(0, result)
        }
        return result < 0 ? nil : bytes
    }

    /// Sends all bytes.
    ///
    /// - Returns: `false` if the peer is gone, or reads nothing for ten seconds.
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        var left = ArraySlice(bytes)
        while !left.isEmpty {
            guard let count = sendSome(left), count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// Sends as many bytes as the system accepts.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - isWaiting: whether to wait until the system accepts some.
    /// - Returns: the number of bytes, or `nil` after an error, which is in `errno`.
    package func sendSome(_ bytes: ArraySlice<UInt8>, isWaiting: Bool = true) -> Int? {
        unsafe bytes.withUnsafeBytes { unsafe sendSome($0, isWaiting: isWaiting) }
    }

    /// Sends as many bytes as the system accepts, as with a slice of an array.
    package func sendSome(_ bytes: UnsafeRawBufferPointer, isWaiting: Bool) -> Int? {
        let flags = isWaiting ? 0 : Int32(MSG_DONTWAIT)
        #if canImport(Darwin)
        let count = unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Glibc)
        let count = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
        #else
        let count = unsafe Musl.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
        #endif
        return count < 0 ? nil : count
    }

    /// Reads the bytes that have arrived into a buffer.
    ///
    /// - Parameter buffer: the buffer, which is not empty.
    /// - Returns: the number of bytes, 0 if the peer has closed, or `nil` after an error, which is in `errno`.
    package func receiveSome(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : count
    }

    /// Closes the sending direction, while the peer can continue to send.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection and every blocking call on this socket.
    package func interrupt() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Makes the next close a reset, which discards bytes in flight.
    package func resetOnClose() {
        set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// Waits until some of the sockets have bytes, have ended or were interrupted.
    ///
    /// - Parameters:
    ///   - sockets: the sockets.
    ///   - milliseconds: the maximum time to wait, or a negative number for no limit.
    /// - Returns: for each socket, whether it is ready.
    package static func waitForInput(_ sockets: [Socket], milliseconds: Int32 = -1) -> [Bool] {
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&entries, nfds_t(entries.count), milliseconds) < 0, errno == EINTR {}
        return entries.map { $0.revents != 0 }
    }

    /// Limits every wait to ten seconds, and sends small chunks at once.
    private func prepareForBytes() {
        let patience = timeval(tv_sec: 10, tv_usec: 0)
        set(SO_RCVTIMEO, to: patience)
        set(SO_SNDTIMEO, to: patience)
        set(TCP_NODELAY, to: Int32(1), level: Int32(IPPROTO_TCP))
    }

    private func set<Value>(_ option: Int32, to value: Value, level: Int32 = SOL_SOCKET) {
        unsafe withUnsafeBytes(of: value) { bytes in
            _ = unsafe setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    private func bind(port: UInt16, isIPv6: Bool = false) throws(Failure) {
        let result = unsafe Self.withAddress(port, isIPv6: isIPv6) { address, length in
            #if canImport(Darwin)
            unsafe Darwin.bind(descriptor, address, length)
            #elseif canImport(Glibc)
            unsafe Glibc.bind(descriptor, address, length)
            #else
            unsafe Musl.bind(descriptor, address, length)
            #endif
        }
        guard result == 0 else { throw Failure(call: "bind", code: errno) }
    }

    private static func withAddress(
        _ port: UInt16, isIPv6: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        func pass<Address>(_ address: Address) -> Int32 {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return pass(address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return pass(address)
    }
}
