// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A socket bound to 127.0.0.1 that listens.
///
/// Made here and not by libmicrohttpd, so that a port in use is told apart.
package struct ListeningSocket {
    let descriptor: CInt
    package let port: Int

    /// Binds the port, or a free one for 0.
    package init(port: Int) throws(ServerError) {
        guard let number = UInt16(exactly: port) else {
            throw ServerError(.portRefused, "port \(port) is not between 0 and 65535")
        }
        descriptor = try Self.open()
        do throws(ServerError) {
            try Self.bind(descriptor, to: number)
            self.port = try Self.boundPort(of: descriptor)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    /// Gives the port back; for a socket that no server took over.
    package func close() { closeDescriptor(descriptor) }

    private static func open() throws(ServerError) -> CInt {
        #if canImport(Glibc)
        let made = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
        let made = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard made >= 0 else {
            throw ServerError(.failed, "a socket could not be opened: error \(errno)")
        }
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        _ = fcntl(made, F_SETFL, fcntl(made, F_GETFL) | O_NONBLOCK)
        return made
    }

    private static func bind(_ descriptor: CInt, to port: UInt16) throws(ServerError) {
        var reuse: CInt = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<CInt>.size))
        var address = loopback(port)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #if canImport(Glibc)
                unsafe Glibc.bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                #else
                unsafe Darwin.bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                #endif
            }
        }
        guard bound == 0, listen(descriptor, backlog) == 0 else {
            let code: ServerError.Code = errno == EADDRINUSE ? .portInUse : .portRefused
            let reason = code == .portInUse ? "is in use by another program" : "may not be bound (error \(errno))"
            throw ServerError(code, "port \(port) \(reason)")
        }
    }

    /// Connections that wait to be accepted; the system has a limit of its own, 4,096 on Linux.
    private static let backlog: CInt = 4_096

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// A socket that is connected to a port of this machine.
    static func connect(_ port: UInt16) -> CInt? {
        guard let made = try? open() else { return nil }
        _ = fcntl(made, F_SETFL, fcntl(made, F_GETFL) & ~O_NONBLOCK)
        var address = loopback(port)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #if canImport(Glibc)
                unsafe Glibc.connect(made, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                #else
                unsafe Darwin.connect(made, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                #endif
            }
        }
        if code != 0 { closeDescriptor(made) }
        return code == 0 ? made : nil
    }

    private static func boundPort(of descriptor: CInt) throws(ServerError) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &size)
            }
        }
        guard code == 0 else { throw ServerError(.failed, "the port is unknown: error \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// `close` by a name that the method above does not hide.
private func closeDescriptor(_ descriptor: CInt) {
    #if canImport(Glibc)
    _ = Glibc.close(descriptor)
    #else
    _ = Darwin.close(descriptor)
    #endif
}
