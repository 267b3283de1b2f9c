// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SessionRouter: URLSessionDataDelegate {
    /// The header of the answer is complete.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // Linux goes on receiving whatever the disposition is; a refusal cancels the task itself.
        call(session, dataTask)?.receive(response)
        completionHandler(.allow)
    }

    /// A piece of the body is there.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call(session, dataTask)?.receive(data)
    }

    /// A piece of the request body has left.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        call(session, task)?.noteSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// The server redirects: that is the answer; following is up to the pipeline.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// The server asks for credentials, or for trust.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer = answer(challenge, of: call(session, task))
        completionHandler(answer.disposition, answer.credential)
    }

    /// The task has ended; this is its last callback.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(session, task, error)
    }
}
