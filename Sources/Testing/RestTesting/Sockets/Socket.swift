// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A blocking TCP socket on 127.0.0.1 with a bound on every wait; closed when the last reference goes.
///
/// Only its owner's thread uses it, except `interrupt`, which any thread may call to end a blocking call.
package final class Socket: Sendable {
    /// What the system refused.
    package struct Failure: Error {
        /// The call that failed.
        package let call: String
        /// The system's error number.
        package let code: Int32
    }

    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Makes a listening socket on a port that the system chooses.
    ///
    /// - Parameter backlog: how many connections may wait to be accepted.
    /// - Returns: the socket.
    /// - Throws: `Failure` when the system refuses it.
    package static func listening(backlog: Int32 = 1_024) throws(Failure) -> Socket {
        let socket = try make()
        unsafe try socket.withAddress(port: 0) { address, length in unsafe bind(socket.descriptor, address, length) }
        guard listen(socket.descriptor, backlog) == 0 else { throw Failure(call: "listen", code: errno) }
        return socket
    }

    /// A port for a program that is started later: nobody uses it, and the system gives it to nobody meanwhile.
    ///
    /// It lies below the range from which the system takes ports by itself (32,768 on Linux, 49,152 on Darwin).
    package static func portForLater() throws(Failure) -> Int {
        for _ in 0..<1_000 {
            let (port, socket) = (Int.random(in: 10_000..<32_768), try make())
            let isFree: ()? = unsafe try? socket.withAddress(port: port) { address, length in
                unsafe bind(socket.descriptor, address, length)
            }
            if isFree != nil { return port }
        }
        throw Failure(call: "bind", code: EADDRINUSE)
    }

    /// A connection to a port of this machine.
    package static func connected(port: Int) throws(Failure) -> Socket {
        let socket = try make()
        unsafe try socket.withAddress(port: port) { address, length in
            unsafe connect(socket.descriptor, address, length)
        }
        return socket
    }

    /// A socket that has begun to connect to a port of this machine and does not wait for the outcome.
    static func connecting(port: Int) throws(Failure) -> Socket {
        let socket = try make()
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        unsafe try socket.withAddress(port: port) { address, length in
            let result = unsafe connect(socket.descriptor, address, length)
            return result != 0 && errno == EINPROGRESS ? 0 : result
        }
        return socket
    }

    private static func make() throws(Failure) -> Socket {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        let made = Socket(descriptor: descriptor)
        made.prepare()
        return made
    }

    /// The next connection; `nil` when none came within the time.
    ///
    /// - Throws: an error when a connection cannot be accepted, usually for lack of descriptors.
    package func accepted(withinMilliseconds limit: Int32) throws(Failure) -> Socket? {
        guard isReadable(withinMilliseconds: limit) else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw Failure(call: "accept", code: errno) }
        let socket = Socket(descriptor: connection)
        socket.prepare()
        return socket
    }

    /// The port this socket is bound to.
    package var port: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// What arrives next: `nil` on an error or after ten silent seconds, empty when the peer has closed.
    package func receive(upTo count: Int = 65_536) -> [UInt8]? {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe result = recv(descriptor, buffer.baseAddress, count, 0)
            initialized = max(0, result)
        }
        return result < 0 ? nil : bytes
    }

    /// Sends everything; `false` when the peer is gone or takes nothing for ten seconds.
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        var left = ArraySlice(bytes)
        while !left.isEmpty {
            let count = unsafe left.withUnsafeBytes { unsafe sendBytes($0) }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// Says that nothing more will be sent; the peer may go on sending.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends every blocking call on this socket; the peer sees the end of the connection.
    package func interrupt() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Makes the next close a reset, which discards what is still on its way.
    package func resetOnClose() {
        set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// Bounds every wait, keeps a closed peer from ending the process, and the socket from those it starts.
    private func prepare() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let patience = timeval(tv_sec: 10, tv_usec: 0)
        set(SO_RCVTIMEO, to: patience)
        set(SO_SNDTIMEO, to: patience)
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
        #if canImport(Darwin)
        set(SO_NOSIGPIPE, to: Int32(1))
        #endif
    }

    /// Waits until some of the sockets have bytes, have ended or were interrupted; gives for each whether it has.
    static func waitForInput(_ sockets: [Socket]) -> [Bool] {
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&entries, nfds_t(entries.count), -1) < 0, errno == EINTR {}
        return entries.map { $0.revents != 0 }
    }

    private func isReadable(withinMilliseconds limit: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, limit) > 0
    }

    private func sendBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        return unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Glibc)
        return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        return unsafe Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    private func set<Value>(_ option: Int32, to value: Value) {
        setOption(SOL_SOCKET, option, to: value)
    }

    private func setOption<Value>(_ level: Int32, _ option: Int32, to value: Value) {
        unsafe withUnsafeBytes(of: value) { bytes in
            _ = unsafe setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    private func withAddress(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Failure) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "bind or connect", code: errno) }
    }
}
