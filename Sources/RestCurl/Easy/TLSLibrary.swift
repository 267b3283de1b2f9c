// SPDX-License-Identifier: Apache-2.0

import CCurl

/// What the TLS library below libcurl knows of a connection and libcurl does not tell: bytes that it has decrypted and
/// nobody has read, and the protocol that was negotiated.
///
/// Used by the loop thread only, in libcurl's callbacks: a transfer has its connection there.
@safe struct TLSLibrary {
    private var functions: ccurl_tls

    init() {
        functions = ccurl_find_tls()
    }

    /// Whether connections can be looked into: libcurl uses OpenSSL, or a library with its interface.
    ///
    /// Without that nothing but HTTP/1.1 is offered, and no connection is used twice.
    var isKnown: Bool { unsafe functions.holds_input != nil && functions.protocol != nil }

    /// Whether the handle has a connection over TLS at the moment.
    func isConnected(_ handle: UnsafeMutableRawPointer) -> Bool { unsafe ccurl_tls_session(handle) != nil }

    /// Whether the library holds bytes of the handle's connection that were not read; also when it cannot be asked.
    func holdsInput(_ handle: UnsafeMutableRawPointer) -> Bool {
        guard isKnown, let session = unsafe ccurl_tls_session(handle) else { return true }
        return unsafe withUnsafePointer(to: functions) { unsafe ccurl_tls_holds_input($0, session) != 0 }
    }

    /// Whether HTTP/2 was negotiated for the handle's connection (ALPN, RFC 7301).
    func speaksHTTP2(_ handle: UnsafeMutableRawPointer) -> Bool {
        guard isKnown, let session = unsafe ccurl_tls_session(handle) else { return false }
        return unsafe withUnsafePointer(to: functions) { unsafe ccurl_tls_speaks_http2($0, session) != 0 }
    }
}
