// SPDX-License-Identifier: Apache-2.0

package import RestBase
import RestCurl
package import RestTransport

/// The bytes of a connection, which only the thread of its loop uses.
package protocol HTTP2Link: AnyObject {
    var descriptor: Int32 { get }
    /// Whether bytes can be written only after others have arrived, as in a TLS handshake.
    var awaitsInput: Bool { get }
    /// Reads bytes without waiting, and returns their number: `nil` if none have arrived, and 0 at the end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int?
    /// Writes bytes without waiting, and returns the number of those that were taken.
    func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Int
}

extension HTTP2Link {
    package var awaitsInput: Bool { false }
}

extension CurlConnection: HTTP2Link {
    /// Connects to an origin, until the loop is stopped.
    ///
    /// - Throws: `.notConnected`, `.timedOut`, or `.notNegotiated` if the server does not offer HTTP/2.
    static func connected(
        to origin: Origin, _ configuration: CurlConfiguration, for loop: HTTP2Loop
    ) throws(HTTP2Error) -> CurlConnection {
        var commands: [HTTP2Loop.Command] = []
        guard !loop.collect(into: &commands) else { throw loop.ending }
        do throws(TransportError) {
            let connection = try CurlConnection(to: origin, configuration: configuration)
            try connection.connect(alarm: loop.bellDescriptor) { !loop.fallAsleep() }
            if origin.scheme == .http || connection.hasNegotiatedHTTP2 { return connection }
        } catch {
            // The alert of servers that reject every offer (RFC 7301 §3.2).
            if !error.message.hasBytes("no application protocol") {
                throw HTTP2Error(error.code == .timedOut ? .timedOut : .notConnected, error.message, transport: error)
            }
        }
        throw HTTP2Error(
            .notNegotiated, "\(origin) does not offer HTTP/2; check the port, and proxies that inspect TLS")
    }
}

/// A connected socket of this machine, without TLS.
package final class SocketLink: HTTP2Link {
    private let socket: Socket

    package init(_ socket: Socket) { self.socket = socket }

    /// Ends the connection for the peer, even if another object holds the socket.
    deinit { socket.interrupt() }

    package var descriptor: Int32 { socket.descriptor }

    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int? {
        let count = unsafe socket.receiveSome(into: buffer)
        if count == nil { try check() }
        return count
    }

    package func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        let count = unsafe socket.sendSome(bytes, isWaiting: false)
        if count == nil { try check() }
        return count ?? 0
    }

    /// Throws the last error of the system, unless the socket is not ready.
    private func check() throws(TransportError) {
        guard errno != EAGAIN, errno != EWOULDBLOCK, errno != EINTR else { return }
        throw TransportError(
            .connectionLost, "the connection broke", mayHaveReachedServer: true,
            systemErrors: [TransportError.SystemError(.errno, Int(errno))])
    }
}
