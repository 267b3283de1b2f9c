// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestText
import RestTransport

extension TransportError {
    /// What URLSession's error means, by the table below; that nothing was sent is said on evidence only.
    init(sessionError error: any Error, after evidence: SendEvidence = SendEvidence()) {
        let session = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        let words = LibcurlWords.reading(text)
        let entry = Self.table.first { $0.session.contains(session) }
        var evidence = evidence
        if evidence.hasBegun == nil, words?.isBeforeRequest == true { evidence.hasBegun = false }
        // Words say more than codes: what is no HTTP comes as an unsupported URL.
        let timing = words.map { $0.isBeforeRequest ? .either : .after } ?? entry?.timing ?? .after
        self.init(
            words?.code ?? entry?.code ?? .connectionLost, text,
            mayHaveReachedServer: timing == .after || (timing == .either && !evidence.isUnsent),
            systemErrors: [TransportError.SystemError(.urlSession, session.rawValue)]
                + Self.systemNumbers(behind: error))
    }

    /// The system's number at the end of the chain of errors behind URLSession's.
    private static func systemNumbers(behind error: any Error) -> [TransportError.SystemError] {
        var behind = (error as? URLError)?.errorUserInfo[NSUnderlyingErrorKey] as? NSError
        for _ in 0..<4 {
            guard let error = behind else { break }
            if error.domain == NSPOSIXErrorDomain { return [TransportError.SystemError(.errno, error.code)] }
            // CFNetwork gives the number of a socket in this way: domain 1 is that of errno.
            let info = error.userInfo
            if info["_kCFStreamErrorDomainKey"] as? Int == 1, let code = info["_kCFStreamErrorCodeKey"] as? Int {
                return [TransportError.SystemError(.errno, code)]
            }
            behind = info[NSUnderlyingErrorKey] as? NSError
        }
        return []
    }

    /// When an error can come.
    private enum Timing {
        /// Before anything is sent, always.
        case before
        /// While a connection is made, or after the request left: the evidence decides.
        case either
        /// After the request left, for all that is known.
        case after
    }

    private typealias Entry = (code: Code, timing: Timing, session: Set<URLError.Code>)

    private static let table: [Entry] = [
        (.hostNotFound, .either, [.cannotFindHost, .dnsLookupFailed]),
        (
            .notConnected, .either,
            [.cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed]
        ),
        (.timedOut, .after, [.timedOut]),
        (.cancelled, .after, [.cancelled]),
        (
            .tls, .either,
            [
                .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired,
            ]
        ),
        (.connectionLost, .after, [.networkConnectionLost, .badServerResponse, .zeroByteResource]),
        (.invalidResponse, .after, [.cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse]),
        (.tooLarge, .after, [.dataLengthExceedsMaximum]),
        (.invalidRequest, .before, [.badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection]),
        (.invalidRequest, .after, [.requestBodyStreamExhausted]),
        (.file, .after, [.fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile]),
    ]
}

/// What is known of how far a request came when URLSession ends it with an error.
///
/// No code of URLSession proves by itself that nothing was sent: a task can lose its network, or fail on a second
/// connection, after its request left on a first one.
struct SendEvidence: Equatable {
    /// Bytes of the body that were handed to a connection.
    var sentBytes: Int64 = 0
    /// Whether the header of an answer came.
    var hasHead = false
    /// Whether the request was begun on any connection; `nil` where URLSession does not tell.
    var hasBegun: Bool?

    /// Whether it is known that no byte of the request left.
    var isUnsent: Bool { sentBytes == 0 && !hasHead && hasBegun == false }
}

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
    static func reading(_ text: String) -> LibcurlWords? { table.first { text.hasBytes(prefix: $0.prefix) } }

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
