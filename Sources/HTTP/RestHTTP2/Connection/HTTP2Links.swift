// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCurl
import RestTransport

/// A connection that libcurl has made.
final class CurlLink: HTTP2Link {
    private let connection: CurlConnection

    /// Connects to an origin, until the loop is stopped.
    ///
    /// - Throws: `.notConnected`, or `.notNegotiated` if the server does not offer HTTP/2.
    init(to origin: Origin, configuration: CurlConfiguration, for loop: HTTP2Loop) throws(HTTP2Error) {
        var commands: [HTTP2Loop.Command] = []
        guard !loop.collect(into: &commands) else { throw loop.ending }
        do throws(TransportError) {
            connection = try CurlConnection(to: origin, configuration: configuration)
            try connection.connect(alarm: loop.bellDescriptor) { !loop.fallAsleep() }
        } catch {
            // The alert of servers that reject every offer (RFC 7301 §3.2).
            guard error.message.hasBytes("no application protocol") else { throw HTTP2Error(notConnected: error) }
            throw Self.notNegotiated(origin)
        }
        guard origin.scheme == .http || connection.hasNegotiatedHTTP2 else { throw Self.notNegotiated(origin) }
    }

    var descriptor: Int32 { connection.descriptor }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int? {
        do throws(TransportError) {
            return unsafe try connection.receive(into: buffer)
        } catch {
            throw Self.lost(error)
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> Int {
        do throws(TransportError) { return unsafe try connection.send(bytes) } catch { throw Self.lost(error) }
    }

    private static func notNegotiated(_ origin: Origin) -> HTTP2Error {
        HTTP2Error(.notNegotiated, "\(origin) does not offer HTTP/2; check the port, and proxies that inspect TLS")
    }

    private static func lost(_ error: TransportError) -> HTTP2Error {
        HTTP2Error(.connectionLost, error.message, transport: error)
    }
}

/// A connected socket of this machine, without TLS.
final class SocketLink: HTTP2Link {
    private let socket: Socket

    init(_ socket: Socket) { self.socket = socket }

    /// Ends the connection for the peer, even if another object holds the socket.
    deinit { socket.interrupt() }

    var descriptor: Int32 { socket.descriptor }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int? {
        if let count = unsafe socket.receiveSome(into: buffer) { return count }
        try check()
        return nil
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> Int {
        if let count = unsafe socket.sendSome(bytes, isWaiting: false) { return count }
        try check()
        return 0
    }

    /// Throws the last error of the system, unless the socket is not ready.
    private func check() throws(HTTP2Error) {
        guard errno != EAGAIN, errno != EWOULDBLOCK, errno != EINTR else { return }
        throw HTTP2Error(.connectionLost, "the connection broke (errno \(errno))")
    }
}
