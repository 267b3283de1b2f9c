// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// What the words of an error mean that libcurl gave inside FoundationNetworking, which reports most failures as
/// unknown.
struct LibcurlWords {
    /// How the words begin.
    let prefix: String
    /// The kind of failure.
    let code: TransportError.Code
    /// Whether libcurl says this only of a connection that does not stand yet, so that nothing was sent on it.
    var isBeforeRequest = false

    /// The meaning of a text; `nil` when it is not known.
    static func reading(_ text: String) -> LibcurlWords? { table.first { text.hasPrefix($0.prefix) } }

    /// More words before fewer; words about an SSL that reads or writes come when the request may have left.
    private static let table = [
        LibcurlWords(prefix: "Could not resolve host", code: .hostNotFound, isBeforeRequest: true),
        LibcurlWords(prefix: "Could not resolve proxy", code: .hostNotFound, isBeforeRequest: true),
        LibcurlWords(prefix: "Failed to connect to", code: .notConnected, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL certificate problem", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL connect error", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL peer certificate", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL: ", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "OpenSSL SSL_connect", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "TLS connect error", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL_", code: .connectionLost),
        LibcurlWords(prefix: "OpenSSL SSL_", code: .connectionLost),
        LibcurlWords(prefix: "SSL", code: .tls),
        LibcurlWords(prefix: "Out of memory", code: .tooLarge),
        LibcurlWords(prefix: "Received HTTP/0.9", code: .invalidResponse),
        LibcurlWords(prefix: "Error while processing content", code: .invalidResponse),
        LibcurlWords(prefix: "Unrecognized content encoding", code: .invalidResponse),
    ]
}
