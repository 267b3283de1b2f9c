// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// A transport that returns the given responses in order, and then fails to connect.
final class AnsweringTransport: HTTPTransport {
    private let responses: Mutex<ArraySlice<HTTPResponse>>

    init(_ responses: [HTTPResponse]) {
        self.responses = Mutex(responses[...])
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard let response = responses.withLock({ $0.popFirst() }) else {
            throw TransportError(.notConnected, "no answer is left", mayHaveReachedServer: false)
        }
        return response
    }

    func shutdown() async { responses.withLock { $0 = [] } }
}
