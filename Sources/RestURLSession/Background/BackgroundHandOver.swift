// SPDX-License-Identifier: Apache-2.0

/// Calls the system's completion handler once for each time it woke the program for a background session.
///
/// The system hands over the handler and the session reports the end of its events, in either order.
struct BackgroundHandOver<Completion> {
    private enum Phase {
        /// The program runs by itself; nobody waits.
        case idle
        /// The system waits for the handler, the handler for the end of the events.
        case waitsForEvents(Completion)
        /// The events have ended; they wait for the handler, which the system is about to hand over.
        case waitsForHandler
    }

    private var phase = Phase.idle

    /// The system hands over its handler; gives those to call now.
    mutating func handOver(_ completion: Completion) -> [Completion] {
        switch phase {
        case .idle:
            phase = .waitsForEvents(completion)
            return []
        case .waitsForEvents(let earlier):
            phase = .waitsForEvents(completion)
            return [earlier]
        case .waitsForHandler:
            phase = .idle
            return [completion]
        }
    }

    /// The session has delivered every event; gives the handler to call now.
    mutating func eventsEnded() -> Completion? {
        guard case .waitsForEvents(let completion) = phase else {
            phase = .waitsForHandler
            return nil
        }
        phase = .idle
        return completion
    }
}
