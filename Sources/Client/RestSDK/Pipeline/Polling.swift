// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Growing intervals at which the client asks the org whether work has ended.
package struct Polling: Sendable {
    private let first: Duration
    private let longest: Duration
    private let limit: Duration

    /// Makes a value, by default with intervals from 1 to 30 seconds, each 1.5 times as long as the one before.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(30), limit: Duration) {
        self.first = max(first, .milliseconds(1)).bounded
        self.longest = max(longest.bounded, self.first)
        self.limit = limit.bounded
    }

    /// Calls `look` until it returns a value, and again after temporary errors, whose `Retry-After` it respects.
    ///
    /// - Throws: ``RestError/Code/timedOut`` after the limit, ``RestError/Code/cancelled``, and other errors of `look`.
    package func result<Value>(
        on clock: any MonotonicClock, _ look: () async throws(RestError) -> Value?
    ) async throws(RestError) -> Value {
        let end = clock.now + limit
        var interval = first
        while true {
            var asked: Duration?
            do throws(RestError) {
                if let value = try await look() { return value }
            } catch {
                guard error.mayPass else { throw error }
                asked = error.retryAfter
            }
            let now = clock.now
            guard now < end else {
                throw RestError(.timedOut, "the work did not finish in time; it continues in the org")
            }
            let pause = max(interval * Double.random(in: 0.8..<1.2), asked ?? .zero)
            interval = min(interval * 1.5, longest)
            do {
                try await clock.sleep(until: min(now + pause, end), tolerance: nil)
            } catch {
                throw RestError(.cancelled, "cancelled while waiting; the work continues in the org")
            }
        }
    }
}

extension RestError {
    /// Whether the problem is temporary, so that the request can be retried later.
    package var mayPass: Bool {
        switch code {
        case .notConnected, .transport, .timedOut, .server, .rateLimited, .circuitOpen: true
        default: status == 420
        }
    }
}
