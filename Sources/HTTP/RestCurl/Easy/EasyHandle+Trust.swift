// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension EasyHandle {
    /// Sets whom to trust and how to prove who we are, for servers and, where it applies, for proxies reached by TLS.
    ///
    /// - Throws: `.tls` when libcurl refuses one of it; going on would mean going on without.
    func setTrust(_ tls: CurlConfiguration.TLS) throws(TransportError) {
        let version = Int(tls.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
        try demand(set(CURLOPT_SSLVERSION, version), "the oldest TLS version")
        try demand(set(CURLOPT_PROXY_SSLVERSION, version), "the oldest TLS version for proxies")
        if let file = tls.authoritiesFile {
            try demand(set(CURLOPT_CAINFO, file), "the file of authorities")
            try demand(set(CURLOPT_PROXY_CAINFO, file), "the file of authorities for proxies")
            // The folder of the system's authorities would still be trusted beside the file.
            set(CURLOPT_CAPATH, nil)
            set(CURLOPT_PROXY_CAPATH, nil)
        }
        if let file = tls.revocationListsFile {
            try demand(set(CURLOPT_CRLFILE, file), "the file of revocation lists")
            try demand(set(CURLOPT_PROXY_CRLFILE, file), "the file of revocation lists for proxies")
        }
        if let file = tls.clientCertificateFile { try demand(set(CURLOPT_SSLCERT, file), "the client certificate") }
        if let file = tls.clientKeyFile { try demand(set(CURLOPT_SSLKEY, file), "the client certificate's key") }
        if !tls.pinnedKeyDigests.isEmpty {
            let pins = tls.pinnedKeyDigests.map { "sha256//\($0)" }.joined(separator: ";")
            try demand(set(CURLOPT_PINNEDPUBLICKEY, pins), "the pinned keys")
        }
    }

    private func demand(_ result: CURLcode, _ what: String) throws(TransportError) {
        guard result != CURLE_OK else { return }
        let words = unsafe String(cString: curl_easy_strerror(result))
        throw TransportError(
            .tls, "libcurl refuses \(what): \(words) (libcurl \(result.rawValue))", mayHaveReachedServer: false)
    }
}

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
