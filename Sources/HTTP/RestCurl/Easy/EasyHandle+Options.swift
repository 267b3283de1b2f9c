// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension EasyHandle {
    /// The largest body that is handed to libcurl at once, so that it leaves in one packet train with the header.
    private static let inlineBodyBytes = 64 * 1024

    /// Options that hold for every transfer.
    ///
    /// - Throws: `.tls` when libcurl cannot do what was configured.
    func setConstantOptions() throws(TransportError) {
        unsafe ccurl_restrict_protocols(raw)
        unsafe ccurl_abandon_resolver(raw)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROGRESS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_UPLOAD_BUFFERSIZE, 64 * 1024)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        unsafe ccurl_set_address(raw, address.raw)
        setProxyLogin(configuration.proxy)
        try setTrust(configuration.tls)
    }

    /// An empty proxy name switches the proxies of the environment off, NULL leaves them on.
    private func setProxy(for origin: Origin) {
        switch configuration.proxy {
        case .environment where !origin.isLoopback:
            set(CURLOPT_PROXY, nil)
            set(CURLOPT_NOPROXY, ProxyExceptions.environment?.list(for: origin))
        case .server(let proxy, let exceptions, _) where !origin.isLoopback:
            set(CURLOPT_PROXY, proxy.origin.descriptionWithPort)
            set(CURLOPT_NOPROXY, ProxyExceptions(exceptions).list(for: origin))
        case .environment, .none, .server:
            set(CURLOPT_PROXY, "")
        }
    }

    private func setProxyLogin(_ proxy: CurlConfiguration.Proxy) {
        guard case .server(_, _, let login?) = proxy else { return }
        set(CURLOPT_PROXYUSERNAME, login.user)
        set(CURLOPT_PROXYPASSWORD, login.password)
    }

    /// Sets the size of the buffer for the answer.
    func setBufferSize(for transfer: Transfer) {
        let size = ReceiveBufferSize.bytes(for: transfer.destination)
        guard size != applied.bufferSize else { return }
        applied.bufferSize = size
        set(CURLOPT_BUFFERSIZE, size)
    }

    /// Options of one request; what the last transfer left as it must be is not set again.
    func setRequest(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        if request.url != applied.url { try setURL(request.url) }
        let isPlainGet = request.method == .get && request.body == .empty
        if !isPlainGet || !applied.isPlainGet {
            applied.isPlainGet = isPlainGet
            try setMethodAndBody(request, upstream: upstream)
        }
        if fieldLines.take(from: request) {
            unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, fieldLines.list)
        }
    }

    private func setURL(_ url: HTTPURL) throws(TransportError) {
        try address.parse(url)
        if url.origin != applied.url?.origin {
            setVersion(for: url.origin)
            setProxy(for: url.origin)
        }
        applied.url = url
    }

    /// HTTP/2 is for TLS, where it is negotiated; without it no answer makes libcurl believe in HTTP/2.
    private func setVersion(for origin: Origin) {
        let mayBeHTTP2 = origin.scheme == .https && connections.tls.isKnown
        set(CURLOPT_HTTP_VERSION, Int(mayBeHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        set(CURLOPT_PIPEWAIT, mayBeHTTP2 ? 1 : 0)
    }

    private func setMethodAndBody(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        set(CURLOPT_HTTPGET, 1)
        if request.method == .head {
            guard request.body == .empty else { throw .invalidRequest("a HEAD request has no body") }
            set(CURLOPT_NOBODY, 1)
        } else if request.method != .get || request.body != .empty {
            try setBody(request, upstream: upstream)
        }
        set(
            CURLOPT_CUSTOMREQUEST,
            [.get, .head].contains(request.method) && request.body == .empty ? nil : request.method.rawValue)
    }

    /// A body makes it a POST for libcurl; the method's name is set apart.
    private func setBody(_ request: HTTPRequest, upstream: Upstream?) throws(TransportError) {
        sender = try BodySender(request.body, upstream: upstream)
        sentTotal = sender.length
        guard BodyFraming(of: request) != .none else { return }
        set(CURLOPT_POST, 1)
        if case .bytes(let bytes, _) = sender, bytes.count <= Self.inlineBodyBytes {
            sender = .none
            sentBytes = Int64(bytes.count)
            setOffset(CURLOPT_POSTFIELDSIZE_LARGE, sentBytes)
            unsafe bytes.withUnsafeBytes { buffer in
                _ = unsafe ccurl_set_pointer(
                    raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: buffer.baseAddress))
            }
        } else {
            unsafe ccurl_set_pointer(raw, CURLOPT_POSTFIELDS, nil)
            setOffset(CURLOPT_POSTFIELDSIZE_LARGE, sentTotal ?? -1)
        }
        // libcurl never asks for the bytes of a body that has none.
        if sentTotal == 0 { endSending() }
    }

    @discardableResult
    func set(_ option: CURLoption, _ value: Int) -> CURLcode {
        unsafe ccurl_set_long(raw, option, value)
    }

    private func setOffset(_ option: CURLoption, _ value: Int64) {
        unsafe ccurl_set_offset(raw, option, curl_off_t(value))
    }

    @discardableResult
    func set(_ option: CURLoption, _ value: String?) -> CURLcode {
        guard let value else { return unsafe ccurl_set_string(raw, option, nil) }
        return unsafe value.withCString { text in unsafe ccurl_set_string(raw, option, text) }
    }
}

extension Duration {
    /// Whole milliseconds, at least one, within what libcurl takes.
    var milliseconds: Int {
        let parts = components
        let seconds = min(max(parts.seconds, 0), 1_000_000)
        return max(1, Int(seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}
