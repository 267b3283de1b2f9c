// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
package import RestBase
package import RestTransport

/// A certificate with its key, for TLS connections of HTTP/2 that OpenSSL serves.
///
/// Its context does not change after the initializer, and OpenSSL counts the references to it with atomic operations.
package final class TLSIdentity: Sendable {
    private let context: SendablePointer

    /// Creates the identity, or returns `nil` if OpenSSL does not accept the certificate.
    init?(_ certificate: ServerCertificate) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return nil }
        self.context = unsafe SendablePointer(context)
        guard unsafe Self.prepare(context, certificate) else { return nil }
    }

    deinit { unsafe SSL_CTX_free(context.pointer) }

    private static func prepare(_ context: OpaquePointer, _ certificate: ServerCertificate) -> Bool {
        // RFC 9113 §9.2.
        guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1 else {
            return false
        }
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseHTTP2, nil)
        let (text, key) = (Array(certificate.certificate.utf8), Array(certificate.key.utf8))
        return unsafe text.withUnsafeBytes { text in
            unsafe key.withUnsafeBytes { key in
                guard let textBytes = unsafe BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else {
                    return false
                }
                defer { unsafe BIO_free(textBytes) }
                guard let keyBytes = unsafe BIO_new_mem_buf(key.baseAddress, Int32(clamping: key.count)) else {
                    return false
                }
                defer { unsafe BIO_free(keyBytes) }
                let read = unsafe (
                    PEM_read_bio_X509(textBytes, nil, nil, nil), PEM_read_bio_PrivateKey(keyBytes, nil, nil, nil)
                )
                defer {
                    unsafe X509_free(read.0)
                    unsafe EVP_PKEY_free(read.1)
                }
                return unsafe SSL_CTX_use_certificate(context, read.0) == 1
                    && SSL_CTX_use_PrivateKey(context, read.1) == 1
            }
        }
    }

    /// Returns a new session of a server, or `nil` if there is no memory left.
    fileprivate func session() -> OpaquePointer? { unsafe SSL_new(context.pointer) }
}

/// Chooses HTTP/2 of the protocols that a client offers, each after its length.
private func chooseHTTP2(
    _: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, length: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?, count: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    let offer = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
    var position = 0
    while position + 2 < offer.count {
        let size = unsafe Int(offer[position])
        if size == 2, unsafe offer[position + 1...position + 2].elementsEqual("h2".utf8) {
            unsafe chosen?.pointee = offered.map { unsafe $0 + position + 1 }
            unsafe length?.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        position += 1 + size
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// The server's side of a TLS connection, whose calls do not wait.
///
/// Only one thread uses it. The thread must block SIGPIPE, because OpenSSL writes to the socket itself.
@safe package final class TLSSocket {
    private let socket: Socket
    private let session: OpaquePointer
    /// Whether the last call needs bytes of the client.
    package private(set) var awaitsInput = false
    private var isBroken = false

    /// Begins the handshake with the first call, or returns `nil` if there is no memory left.
    package init?(_ socket: Socket, _ identity: TLSIdentity) {
        guard let session = unsafe identity.session() else { return nil }
        self.socket = socket
        unsafe self.session = unsafe session
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        unsafe SSL_set_accept_state(session)
        guard unsafe SSL_set_fd(session, socket.descriptor) == 1 else { return nil }
    }

    /// Notifies the client of the end of the connection, and ends it even if another object uses the socket.
    deinit {
        if !isBroken { unsafe SSL_shutdown(session) }
        unsafe SSL_free(session)
        socket.interrupt()
    }

    package var descriptor: Int32 { socket.descriptor }

    /// Reads bytes, and returns their number: `nil` if none have arrived, and 0 at the end.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int? {
        var count = 0
        return switch try outcome({ unsafe SSL_read_ex(session, buffer.baseAddress, buffer.count, &count) }) {
        case .done: count
        case .waits: nil
        case .ended: 0
        }
    }

    /// Writes bytes, and returns the number of those that were taken.
    ///
    /// If none were taken, the next call must pass the same bytes at the same address.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        var count = 0
        _ = try outcome { unsafe SSL_write_ex(session, bytes.baseAddress, bytes.count, &count) }
        return count
    }

    private enum Outcome {
        case done, waits, ended
    }

    private func outcome(_ call: () -> Int32) throws(TransportError) -> Outcome {
        // The errors of a thread stay until they are cleared, and would be taken for those of this call.
        ERR_clear_error()
        let result = call()
        let error = result == 1 ? SSL_ERROR_NONE : unsafe SSL_get_error(session, result)
        awaitsInput = error == SSL_ERROR_WANT_READ
        switch error {
        case SSL_ERROR_NONE: return .done
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waits
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            isBroken = true
            throw TransportError(.connectionLost, "the TLS connection broke", mayHaveReachedServer: true)
        }
    }
}
#else

/// On this system, HTTP/2 is not served over TLS.
package final class TLSIdentity: Sendable {
    init?(_ certificate: ServerCertificate) { nil }
}
#endif
