// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

extension TransportError {
    /// What URLSession's error means, by the table below.
    init(sessionError error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        let entry = Self.table.first { $0.session.contains(code) }
        let known = entry?.code ?? Self.code(fromWords: text)
        // TLS stands before the first byte of a request leaves.
        let isUnsent = entry?.isUnsent ?? (known == .tls)
        self.init(known, "\(text) (URLSession \(code.rawValue))", mayHaveReachedServer: !isUnsent)
    }

    private static let table: [(code: Code, isUnsent: Bool, session: Set<URLError.Code>)] = [
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
    private static func code(fromWords text: String) -> Code {
        let table: [(prefix: String, code: Code)] = [
            ("SSL", .tls), ("Out of memory", .tooLarge), ("Received HTTP/0.9", .invalidResponse),
            ("Error while processing content", .invalidResponse), ("Unrecognized content encoding", .invalidResponse),
        ]
        return table.first { text.hasPrefix($0.prefix) }?.code ?? .connectionLost
    }
}
