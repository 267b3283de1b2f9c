// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

extension TransportError {
    /// What URLSession's error means, by the table below.
    init(sessionError error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        let entry = Self.entry(fromWords: text) ?? Self.table.first { $0.session.contains(code) }
        self.init(
            entry?.code ?? .connectionLost, "\(text) (URLSession \(code.rawValue))",
            mayHaveReachedServer: entry?.isUnsent != true)
    }

    private typealias Entry = (code: Code, isUnsent: Bool, session: Set<URLError.Code>)

    private static let table: [Entry] = [
        (.hostNotFound, true, [.cannotFindHost, .dnsLookupFailed]),
        (
            .notConnected, true,
            [.cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed]
        ),
        (.timedOut, false, [.timedOut]),
        (.cancelled, false, [.cancelled]),
        (
            .tls, true,
            [
                .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired,
            ]
        ),
        (.connectionLost, false, [.networkConnectionLost, .badServerResponse, .zeroByteResource]),
        (.invalidResponse, false, [.cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse]),
        (.tooLarge, false, [.dataLengthExceedsMaximum]),
        (.invalidRequest, true, [.badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection]),
        (.invalidRequest, false, [.requestBodyStreamExhausted]),
        (.file, false, [.fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile]),
    ]

    /// FoundationNetworking reports most failures as unknown; libcurl's words are all there is.
    private static func entry(fromWords text: String) -> Entry? {
        let words: [(prefix: String, code: Code)] = [
            ("SSL", .tls), ("Out of memory", .tooLarge), ("Received HTTP/0.9", .invalidResponse),
            ("Error while processing content", .invalidResponse), ("Unrecognized content encoding", .invalidResponse),
        ]
        // TLS stands before the first byte of a request leaves.
        return words.first { text.hasPrefix($0.prefix) }.map { ($0.code, $0.code == .tls, []) }
    }
}
