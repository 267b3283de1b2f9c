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
            words?.code ?? entry?.code ?? .connectionLost, text,
            mayHaveReachedServer: timing == .after || (timing == .either && !evidence.isUnsent),
            systemErrors: [SystemError(.urlSession, session.rawValue)] + Self.systemNumbers(behind: error))
    }

    /// The system's number at the end of the chain of errors behind URLSession's.
    private static func systemNumbers(behind error: any Error) -> [SystemError] {
        var behind = (error as? URLError)?.errorUserInfo[NSUnderlyingErrorKey] as? NSError
        for _ in 0..<4 {
            guard let error = behind else { break }
            if error.domain == NSPOSIXErrorDomain { return [SystemError(.errno, error.code)] }
            // CFNetwork gives the number of a socket in this way: domain 1 is that of errno.
            let info = error.userInfo
            if info["_kCFStreamErrorDomainKey"] as? Int == 1, let code = info["_kCFStreamErrorCodeKey"] as? Int {
                return [SystemError(.errno, code)]
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
