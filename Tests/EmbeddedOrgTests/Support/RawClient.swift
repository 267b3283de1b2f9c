// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A blocking HTTP client on a raw socket: sends exactly the bytes it is given and reads answers until the peer closes
/// or the announced body is complete.
///
/// Every wait is bounded by two minutes, which no test waits for unless it fails.
final class RawClient {
    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine; the address is in the machine's byte order.
    init(port: Int, address host: UInt32 = 0x7F00_0001) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = CInt(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var wait = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure.notConnected }
    }

    deinit { close(descriptor) }

    enum Failure: Error, Equatable {
        case notConnected
        /// The peer closed in order, with so many bytes received of the answer.
        case closed(received: Int)
        case reset
        case timeout
    }

    /// An answer.
    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The first value of a field.
        func field(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst()
            where line.lowercased().hasPrefix(name.lowercased() + ":") {
                return line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Failure.reset }
            rest = rest.dropFirst(sent)
        }
    }

    /// Reads one answer; `hasBody` is false after HEAD.
    func receive(hasBody: Bool = true) throws -> Answer {
        var end: Int?
        while end == nil {
            end = buffer.indices.first { buffer[$0...].starts(with: "\r\n\r\n".utf8) }
            if end == nil { try fill() }
        }
        let head = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self)
        buffer.removeFirst((end ?? 0) + 4)
        let parsed = Answer(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: [])
        let length = hasBody ? Int(parsed.field("Content-Length") ?? "0") ?? 0 : 0
        while buffer.count < length { try fill() }
        defer { buffer.removeFirst(length) }
        return Answer(status: parsed.status, head: head, body: Array(buffer[..<length]))
    }

    /// Whether the peer has closed the connection, or does within the time limit.
    func isClosed() -> Bool {
        do { while true { try fill() } } catch { return error as? Failure != .timeout }
    }

    /// Ends this side of the connection, and reads on.
    func endSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Ends the connection with a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the peer resets the connection within the time limit, although nothing is read.
    func isReset() -> Bool {
        var wish = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&wish, 1, 60_000) == 1 && wish.revents & Int16(POLLERR | POLLHUP) != 0
    }

    private func fill() throws {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count != 0 else { throw Failure.closed(received: buffer.count) }
        guard count > 0 else { throw errno == EAGAIN ? Failure.timeout : Failure.reset }
        buffer += piece[..<count]
    }
}
