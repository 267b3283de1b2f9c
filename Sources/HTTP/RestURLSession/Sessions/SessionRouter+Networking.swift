// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import FoundationNetworking

/// What URLSession is to do about a challenge.
typealias ChallengeAnswer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

extension SessionRouter {
    /// No credentials are ever given; any other answer to a Basic challenge hangs for ever.
    ///
    /// The task then ends with an error, and the response collected so far becomes the result.
    func answer(_ challenge: URLAuthenticationChallenge, of call: SessionCall?) -> ChallengeAnswer {
        call?.noteChallenge(challenge.failureResponse)
        return (.cancelAuthenticationChallenge, nil)
    }
}
#endif
