// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestURLSession

@Suite("Errors of URLSession and what they prove")
struct SessionErrorTests {
    private static let connecting: [(URLError.Code, TransportError.Code)] = [
        (.cannotFindHost, .hostNotFound), (.cannotConnectToHost, .notConnected),
        (.notConnectedToInternet, .notConnected), (.dataNotAllowed, .notConnected), (.callIsActive, .notConnected),
        (.internationalRoamingOff, .notConnected), (.secureConnectionFailed, .tls), (.clientCertificateRequired, .tls),
    ]

    private func error(_ code: URLError.Code, words: String = "", _ evidence: SendEvidence) -> TransportError {
        TransportError(
            sessionError: URLError(code, userInfo: words.isEmpty ? [:] : [NSLocalizedDescriptionKey: words]),
            after: evidence)
    }

    @Test("No code alone proves that nothing was sent", arguments: connecting.indices)
    func codes(index: Int) {
        let (session, code) = Self.connecting[index]
        let unsent = error(session, SendEvidence(hasBegun: false))
        #expect(unsent.code == code)
        #expect(!unsent.mayHaveReachedServer)
        for evidence in [
            SendEvidence(), SendEvidence(hasBegun: true), SendEvidence(sentBytes: 1, hasBegun: false),
            SendEvidence(hasHead: true, hasBegun: false),
        ] {
            let error = error(session, evidence)
            #expect(error.code == code)
            #expect(error.mayHaveReachedServer, "\(evidence)")
        }
    }

    @Test("URLSession's number and the system's behind it are kept, in the message too")
    func numbers() {
        let refused = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNREFUSED))
        let network = NSError(domain: "kCFErrorDomainCFNetwork", code: -1004, userInfo: [NSUnderlyingErrorKey: refused])
        let error = TransportError(
            sessionError: URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: network]))
        #expect(
            error.systemErrors == [
                TransportError.SystemError(.urlSession, -1004), TransportError.SystemError(.errno, Int(ECONNREFUSED)),
            ])
        #expect(error.message.hasSuffix("(URLSession -1004, errno \(ECONNREFUSED): Connection refused)"))
        let stream = NSError(
            domain: "kCFErrorDomainCFNetwork", code: -1004,
            userInfo: ["_kCFStreamErrorDomainKey": 1, "_kCFStreamErrorCodeKey": Int(EHOSTUNREACH)])
        let other = TransportError(
            sessionError: URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: stream]))
        #expect(other.systemErrors.last == TransportError.SystemError(.errno, Int(EHOSTUNREACH)))
        #expect(
            TransportError(sessionError: URLError(.badURL)).systemErrors == [
                TransportError.SystemError(.urlSession, -1000)
            ])
    }

    @Test("A lost connection never proves it, a URL that cannot be asked for always does")
    func certain() {
        for code in [URLError.Code.networkConnectionLost, .timedOut, .cancelled, .badServerResponse, .unknown] {
            #expect(error(code, SendEvidence(hasBegun: false)).mayHaveReachedServer)
        }
        for code in [URLError.Code.badURL, .unsupportedURL] {
            #expect(!error(code, SendEvidence()).mayHaveReachedServer)
        }
        let words = "Received HTTP/0.9 when not allowed"
        #expect(error(.unsupportedURL, words: words, SendEvidence()).mayHaveReachedServer)
    }

    @Test(
        "libcurl's words about a connection that does not stand prove it, those about one that does prove nothing",
        arguments: [
            ("Could not resolve host: a.invalid", .hostNotFound, true),
            ("Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server", .notConnected, true),
            ("SSL certificate problem: self-signed certificate", .tls, true),
            ("SSL: no alternative certificate subject name matches target host name 'a'", .tls, true),
            ("OpenSSL SSL_connect: Connection reset by peer in connection to a:443 ", .tls, true),
            ("SSL_write() error: error:0A000126:SSL routines::unexpected eof while reading", .connectionLost, false),
            ("SSL_write() returned SYSCALL, errno = 104", .connectionLost, false),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .connectionLost, false),
            (
                "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required", .connectionLost,
                false
            ),
            ("Recv failure: Connection reset by peer", .connectionLost, false),
        ] as [(String, TransportError.Code, Bool)])
    func words(text: String, code: TransportError.Code, isProof: Bool) {
        let told = error(.unknown, words: text, SendEvidence())
        #expect(told.code == code)
        #expect(told.mayHaveReachedServer == !isProof)
        #expect(error(.unknown, words: text, SendEvidence(sentBytes: 1)).mayHaveReachedServer)
        #expect(error(.unknown, words: text, SendEvidence(hasBegun: true)).mayHaveReachedServer)
    }

    @Test("A key that is not pinned proves it only when no earlier connection had the request")
    func distrust() {
        for (hasBegun, mayHave) in [(false, false), (true, true), (nil, true)] as [(Bool?, Bool)] {
            var state = SessionCall.State(
                collector: ResponseCollector(limits: .init(), destination: .memory, isHeadRequest: false),
                activity: TransferActivity(last: .now), progress: TransferProgress())
            state.distrust = "not pinned"
            state.hasBegun = hasBegun
            let expected = TransportError(.tls, "not pinned", mayHaveReachedServer: mayHave)
            #expect(state.outcome(of: URLError(.cancelled)) == .failure(expected))
        }
    }
}
