// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
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

/// The TLS sessions that the handles of one loop share, so that a new connection resumes what any of them has agreed on
/// (RFC 8446 2.2): libcurl keeps them for each handle alone otherwise.
///
/// A session stands for a server that was verified, and for the certificate that was shown to it. So sessions belong to
/// one loop, all of whose handles have the same trust, pins and client certificate, and libcurl gives one out for its
/// host and port alone.
///
/// Unchecked because the loop thread alone uses them, by way of its handles; there is hence no lock. Freed with the
/// last of those who hold them.
@safe final class TLSSessions: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    /// No sessions yet; `nil` when memory is exhausted.
    init?() {
        guard let raw = unsafe curl_share_init() else { return nil }
        unsafe self.raw = raw
        guard unsafe ccurl_share(raw, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    deinit {
        unsafe curl_share_cleanup(raw)
    }
}

/// The address of a request, parsed: libcurl copies the parts for every transfer, while it would parse a text and write
/// it out again, character by character.
@safe struct ParsedAddress: ~Copyable {
    let raw: OpaquePointer

    /// Makes an empty address; `nil` when memory is exhausted.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        unsafe curl_url_cleanup(raw)
    }

    /// Takes another address in place of the last one.
    ///
    /// - Throws: `.invalidRequest` when libcurl does not take it for an address.
    func parse(_ url: HTTPURL) throws(TransportError) {
        let result = unsafe curl_url_set(raw, CURLUPART_URL, url.description, UInt32(CURLU_PATH_AS_IS))
        guard result != CURLUE_OK else { return }
        let words = unsafe String(cString: curl_url_strerror(result))
        throw .invalidRequest("libcurl refuses the address: \(words)")
    }
}

/// The hosts that are reached without the proxy, as `no_proxy` lists them.
///
/// An entry may end with a port and then means that port alone. libcurl knows no such entries, and gets the list
/// without ports, made for the origin at hand.
struct ProxyExceptions {
    private let entries: [Substring]

    init(_ entries: [String]) {
        self.entries = entries.flatMap { $0.split(anyOf: ", \t") }
    }

    /// What the environment excepts; `nil` when it says nothing.
    static var environment: ProxyExceptions? {
        for name in ["no_proxy", "NO_PROXY"] {
            if let text = unsafe getenv(name) { return ProxyExceptions([unsafe String(cString: text)]) }
        }
        return nil
    }

    /// The hosts that hold for an origin, separated by commas.
    func list(for origin: Origin) -> String {
        entries.compactMap { host(of: $0, at: origin.port) }.joined(separator: ",")
    }

    /// The host that an entry names; `nil` when it names another port.
    private func host(of entry: Substring, at port: Int) -> Substring? {
        guard let colon = entry.lastIndex(byte: ":"), let wanted = Int(outside: entry[colon...].dropFirst(), in: .port)
        else { return entry }
        let host = entry[..<colon]
        // More colons are those of an IPv6 address, whose port stands behind brackets.
        guard !host.hasBytes(":") || host.hasBytes(prefix: "[") && host.hasBytes(suffix: "]") else { return entry }
        return wanted == port ? host : nil
    }
}
