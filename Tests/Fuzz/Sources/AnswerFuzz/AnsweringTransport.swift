// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// A transport that returns the given responses in order, and then fails to connect.
final class AnsweringTransport: HTTPTransport {
    private let answers: Mutex<ArraySlice<HTTPResponse>>

    init(_ answers: [HTTPResponse]) {
        self.answers = Mutex(answers[...])
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard let answer = answers.withLock({ $0.popFirst() }) else {
            throw TransportError(.notConnected, "no answer is left", mayHaveReachedServer: false)
        }
        return answer
    }

    func shutdown() async { answers.withLock { $0 = [] } }
}
