// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
import RestTransport

extension EasyHandle {
    /// Sets the TLS version, the trust and the client certificate, for servers and for proxies with TLS where they
    /// apply.
    ///
    /// - Throws: `.tls` if libcurl rejects an option, because the transfer would be less secure without it.
    func setTrust(_ tls: CurlConfiguration.TLS) throws(TransportError) {
        let version = Int(tls.minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
        try demand(set(CURLOPT_SSLVERSION, version), "the minimum TLS version")
        try demand(set(CURLOPT_PROXY_SSLVERSION, version), "the minimum TLS version for proxies")
        if let file = tls.authoritiesFile {
            try demand(set(CURLOPT_CAINFO, file), "the file of CAs")
            try demand(set(CURLOPT_PROXY_CAINFO, file), "the file of CAs for proxies")
            // Otherwise the system's CA directory would be trusted in addition to the file.
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
            .tls, "libcurl rejected \(what): \(words) (libcurl \(result.rawValue))", mayHaveReachedServer: false)
    }
}

/// Reads the state of a connection from libcurl's TLS library: decrypted but unread bytes, and the negotiated protocol.
///
/// Only the loop thread may use it, and only in libcurl's callbacks, where a transfer has its connection.
@safe struct TLSLibrary {
    private var functions: ccurl_tls

    init() { functions = ccurl_find_tls() }

    /// Whether the state can be read, which requires that libcurl uses OpenSSL or a library with its interface.
    ///
    /// Otherwise only HTTP/1.1 is offered, and connections are not reused.
    var isKnown: Bool { unsafe functions.holds_input != nil && functions.protocol != nil }

    func isConnected(_ handle: UnsafeMutableRawPointer) -> Bool { unsafe ccurl_tls_session(handle) != nil }

    /// Whether the library holds unread bytes of the handle's connection, or its state cannot be read.
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

/// The TLS sessions that the handles of one loop share, so that new connections can resume them (RFC 8446 §2.2).
///
/// libcurl otherwise stores sessions for each handle. A session implies that the server was verified and that the
/// client's certificate was sent. Sessions therefore belong to one loop, whose handles all have the same trust, pins
/// and client certificate. libcurl uses a session only for its host and port.
///
/// Unchecked without a lock, because only the loop thread uses the sessions through its handles. The last owner frees
/// them.
@safe final class TLSSessions: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    /// Creates an empty store, or returns `nil` if there is no memory.
    init?() {
        guard let raw = unsafe curl_share_init() else { return nil }
        unsafe self.raw = raw
        guard unsafe ccurl_share(raw, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    deinit { unsafe curl_share_cleanup(raw) }
}

/// A parsed URL, whose parts libcurl copies for each transfer instead of parsing and formatting a string.
@safe struct ParsedAddress: ~Copyable {
    let raw: OpaquePointer

    /// Creates an empty URL, or returns `nil` if there is no memory.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit { unsafe curl_url_cleanup(raw) }

    /// Replaces the URL.
    ///
    /// - Throws: `.invalidRequest` if libcurl rejects the URL.
    func parse(_ url: HTTPURL) throws(TransportError) {
        let result = unsafe curl_url_set(raw, CURLUPART_URL, url.description, UInt32(CURLU_PATH_AS_IS))
        guard result != CURLUE_OK else { return }
        let words = unsafe String(cString: curl_url_strerror(result))
        throw .invalidRequest("libcurl rejected the URL: \(words)")
    }
}

/// The hosts that are reached without the proxy, in the format of `no_proxy`.
///
/// An entry may end with a port, to which it is then limited. libcurl does not support such entries, so it gets a list
/// without ports for each origin.
struct ProxyExceptions {
    private let entries: [Substring]

    init(_ entries: [String]) { self.entries = entries.flatMap { $0.split(anyOf: ", \t") } }

    /// The exceptions in the environment, or `nil` if no variable is set.
    static var environment: ProxyExceptions? {
        for name in ["no_proxy", "NO_PROXY"] {
            if let text = unsafe getenv(name) { return ProxyExceptions([unsafe String(cString: text)]) }
        }
        return nil
    }

    /// Returns the hosts that apply to an origin, separated by commas.
    func list(for origin: Origin) -> String {
        entries.compactMap { host(of: $0, at: origin.port) }.joined(separator: ",")
    }

    /// Returns the host of an entry, or `nil` if the entry is for another port.
    private func host(of entry: Substring, at port: Int) -> Substring? {
        guard let colon = entry.lastIndex(byte: ":"), let wanted = Int(outside: entry[colon...].dropFirst(), in: .port)
        else { return entry }
        let host = entry[..<colon]
        // Several colons mean an IPv6 address, whose port follows brackets.
        guard !host.hasBytes(":") || host.hasBytes(prefix: "[") && host.hasBytes(suffix: "]") else { return entry }
        return wanted == port ? host : nil
    }
}
