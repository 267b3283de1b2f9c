// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension TransportError {
    /// Creates the error for a libcurl result, where `hasLeft` means that the request was passed to a connection.
    ///
    /// `detail` is libcurl's own message or empty, and `errno` is the system's error number or 0.
    init(curlCode: CURLcode, detail: String, hasLeft: Bool, errno: Int = 0) {
        var code = Self.codes[curlCode.rawValue] ?? .other
        // libcurl reports a proxy that rejects a tunnel as a lost connection.
        if code == .connectionLost, !hasLeft { code = .notConnected }
        // An invalid value after the request was sent is part of the response.
        if code == .invalidRequest, hasLeft { code = .invalidResponse }
        let words = detail.isEmpty ? unsafe String(cString: curl_easy_strerror(curlCode)) : detail
        self.init(code, words, mayHaveReachedServer: hasLeft, systemErrors: Self.numbers(curlCode, errno))
    }

    /// libcurl's number for an error, and the system's number if there is one.
    static func numbers(_ curlCode: CURLcode, _ errno: Int) -> [TransportError.SystemError] {
        [TransportError.SystemError(.curl, Int(curlCode.rawValue)), TransportError.SystemError(errno: errno)]
            .compactMap(\.self)
    }

    /// The codes for libcurl's results of HTTP transfers, except those that map to `.other`.
    private static let codes: [UInt32: Code] = Dictionary(
        uniqueKeysWithValues: table.flatMap { entry in entry.curl.map { ($0.rawValue, entry.code) } })

    // Results of versions (8.4, 8.6 and 8.8) newer than the oldest header with which this is built.
    private static let unrecoverablePoll = CURLcode(rawValue: 99)
    private static let tooLarge = CURLcode(rawValue: 100)
    private static let encryptedHelloRequired = CURLcode(rawValue: 101)

    private static let table: [(code: Code, curl: [CURLcode])] = [
        (.hostNotFound, [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]),
        (.notConnected, [CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE]),
        (.timedOut, [CURLE_OPERATION_TIMEDOUT]),
        (
            .connectionLost,
            [
                CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND,
                // Only the callback that rejects a silent repetition aborts without storing a reason.
                CURLE_ABORTED_BY_CALLBACK, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR,
                unrecoverablePoll,
            ]
        ),
        (
            .tls,
            [
                CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
                encryptedHelloRequired,
            ]
        ),
        (
            .invalidResponse,
            [
                // libcurl treats an invalid status line as HTTP/0.9 and reports an unsupported protocol.
                CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING,
                CURLE_WRITE_ERROR,
            ]
        ),
        (.invalidRequest, [CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT]),
        (.tooLarge, [CURLE_FILESIZE_EXCEEDED, tooLarge]),
        (.file, [CURLE_READ_ERROR, CURLE_FILE_COULDNT_READ_FILE]),
    ]
}
