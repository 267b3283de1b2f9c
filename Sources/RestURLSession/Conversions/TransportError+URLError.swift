// SPDX-License-Identifier: Apache-2.0

import Foundation
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
            words?.code ?? entry?.code ?? .connectionLost, "\(text) (URLSession \(session.rawValue))",
            mayHaveReachedServer: timing == .after || (timing == .either && !evidence.isUnsent))
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
