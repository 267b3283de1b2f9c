// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Calls the system's completion handler once for each time it woke the app for a background session.
///
/// The system hands over the handler and the session reports the end of its events, in either order.
struct BackgroundHandOver<Completion> {
    private enum Phase {
        /// The app runs by itself; nobody waits.
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

/// What a background task is for, kept with the task so that a later launch of the app knows it.
struct BackgroundTicket: Codable, Equatable {
    /// The caller's name of the transfer.
    var name: String
    /// Where a download goes; `nil` for an upload.
    var path: String?

    init(name: String, path: String? = nil) {
        self.name = name
        self.path = path
    }

    /// Reads what `text` wrote; `nil` when it is something else.
    init?(text: String?) {
        guard let text, let ticket = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = ticket
    }

    /// The ticket as a task's description.
    var text: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
