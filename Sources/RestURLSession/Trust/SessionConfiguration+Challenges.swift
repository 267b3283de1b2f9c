// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

/// What URLSession is to do about a challenge.
typealias ChallengeAnswer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionConfiguration.TLS {
    /// Judges the server's certificate when keys are pinned and shows the client's one; other credentials are never
    /// given, so that the 401 itself is the answer.
    ///
    /// - Parameter onDistrust: told why the server is not trusted, before the task ends for it.
    func answer(_ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void) -> ChallengeAnswer {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            return answerServerTrust(challenge, onDistrust: onDistrust)
        case NSURLAuthenticationMethodClientCertificate:
            guard let clientCredential else { return (.performDefaultHandling, nil) }
            return (.useCredential, clientCredential)
        default:
            return (.rejectProtectionSpace, nil)
        }
    }

    private func answerServerTrust(
        _ challenge: URLAuthenticationChallenge, onDistrust: (String) -> Void
    ) -> ChallengeAnswer {
        let pins = PublicKeyPins(pinnedKeyDigests)
        guard !pins.isEmpty else { return (.performDefaultHandling, nil) }
        guard let trust = challenge.protectionSpace.serverTrust else {
            onDistrust("the server's certificate cannot be judged")
            return (.cancelAuthenticationChallenge, nil)
        }
        if let failure = pins.failure(of: trust) {
            onDistrust(failure)
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
    }
}
#endif
