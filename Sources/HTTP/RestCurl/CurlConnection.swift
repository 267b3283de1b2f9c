// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestBase
package import RestTransport

/// A connection that libcurl makes, for the bytes of a protocol that libcurl does not offer.
///
/// The proxy, the trust, the pins and the client certificate are those of a ``CurlTransport`` with the same
/// configuration. Only one thread uses a connection.
@safe package final class CurlConnection {
    private let multi: MultiHandle
    private let handle: EasyHandle
    /// The connection's socket, after it is established.
    package private(set) var descriptor: Int32 = -1

    /// Prepares a connection to an origin, which offers HTTP/2 over TLS.
    ///
    /// - Throws: `TransportError` if the origin or the configuration is invalid.
    package init(to origin: Origin, configuration: CurlConfiguration) throws(TransportError) {
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest("a connection without TLS may only lead to this machine; use https")
        }
        guard let multi = MultiHandle(configuration: configuration) else {
            throw TransportError(.other, "no memory left for a connection", mayHaveReachedServer: false)
        }
        handle = try EasyHandle(configuration: configuration, buffers: BodyBufferPool(), multi: multi, turn: LoopTurn())
        self.multi = multi
        handle.connectsOnly = true
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        try handle.setURL(HTTPURL(origin: origin, path: "/"))
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        let hasSecureProxy = !origin.isLoopback && configuration.proxy.isSecure
        guard unsafe ccurl_offer_http2(handle.raw, hasSecureProxy ? 1 : 0) == CURLE_OK else {
            throw TransportError(.tls, "libcurl has no TLS library that can offer HTTP/2", mayHaveReachedServer: false)
        }
        try multi.add(handle)
    }

    /// Closes the connection.
    deinit { multi.remove(handle) }

    /// Whether the server has chosen HTTP/2 (ALPN, RFC 7301).
    package var hasNegotiatedHTTP2: Bool { handle.hasNegotiatedHTTP2 }

    /// Connects, and waits for the end of the TLS handshake.
    ///
    /// - Parameters:
    ///   - alarm: a descriptor that becomes readable when `isCancelled` must be asked.
    ///   - isCancelled: whether to give up.
    /// - Throws: `TransportError` if there is no connection, with the code `.cancelled` if it was given up.
    package func connect(alarm: Int32, isCancelled: () -> Bool) throws(TransportError) {
        while true {
            if isCancelled() {
                throw TransportError(.cancelled, "the connection was cancelled", mayHaveReachedServer: false)
            }
            var (running, left): (Int32, Int32) = (0, 0)
            unsafe curl_multi_perform(multi.raw, &running)
            if let message = unsafe curl_multi_info_read(multi.raw, &left), unsafe message.pointee.msg == CURLMSG_DONE {
                let code = unsafe message.pointee.data.result
                guard code == CURLE_OK else {
                    throw TransportError(failureOf: handle, code)
                }
                break
            }
            var entry = curl_waitfd(fd: alarm, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            unsafe curl_multi_poll(multi.raw, &entry, 1, 1_000, nil)
        }
        var socket = curl_socket_t(-1)
        guard unsafe ccurl_get_socket(handle.raw, &socket) == CURLE_OK, socket >= 0 else {
            throw TransportError(.notConnected, "libcurl has no connection", mayHaveReachedServer: false)
        }
        descriptor = socket
    }

    /// Reads bytes without waiting, and returns their number: `nil` if none have arrived, and 0 at the end.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int? {
        var count = 0
        let result = unsafe curl_easy_recv(handle.raw, buffer.baseAddress, buffer.count, &count)
        switch result {
        case CURLE_OK: return count
        case CURLE_AGAIN: return nil
        default: throw TransportError(curlCode: result, detail: "", hasLeft: true)
        }
    }

    /// Writes bytes without waiting, and returns the number of those that were taken.
    ///
    /// If none were taken, the next call must pass the same bytes at the same address.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        var count = 0
        let result = unsafe curl_easy_send(handle.raw, bytes.baseAddress, bytes.count, &count)
        switch result {
        case CURLE_OK: return count
        case CURLE_AGAIN: return 0
        default: throw TransportError(curlCode: result, detail: "", hasLeft: true)
        }
    }
}

extension CurlConfiguration.Proxy {
    /// Whether connections to the proxy use TLS themselves.
    fileprivate var isSecure: Bool {
        switch self {
        case .none: false
        case .server(let url, _, _): url.origin.scheme == .https
        case .environment:
            ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { name in
                guard let value = unsafe getenv(name) else { return false }
                return unsafe String(cString: value).hasBytes(prefix: "https:")
            }
        }
    }
}

extension TransportError {
    /// The error of a handle that could not connect.
    fileprivate init(failureOf handle: EasyHandle, _ code: CURLcode) {
        if case .failure(let error) = handle.outcome(of: code) {
            self = error
        } else {
            self.init(curlCode: code, detail: "", hasLeft: false)
        }
    }
}
