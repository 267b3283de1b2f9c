// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Calls the system's completion handler once for each time the system woke the app for a background session.
///
/// The system passes the handler and the session reports the end of its events, in either order.
struct BackgroundHandOver<Completion> {
    private enum Phase {
        /// Neither the handler nor the end of the events is pending.
        case idle
        case waitsForEvents(Completion)
        /// The events have ended, and the system will pass the handler.
        case waitsForHandler
    }

    private var phase = Phase.idle

    /// Receives the system's handler, and returns the handlers to call now.
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

    /// Records that the session has delivered all events, and returns the handler to call now.
    mutating func eventsEnded() -> Completion? {
        guard case .waitsForEvents(let completion) = phase else {
            phase = .waitsForHandler
            return nil
        }
        phase = .idle
        return completion
    }
}

/// The purpose of a background task, stored with the task for later launches of the app.
struct BackgroundTicket: Codable, Equatable {
    /// The caller's name for the transfer.
    var name: String
    /// The destination path of a download, or `nil` for an upload.
    var path: String?

    init(name: String, path: String? = nil) {
        self.name = name
        self.path = path
    }

    /// Parses a value of `text`, or returns `nil` if it is something else.
    init?(text: String?) {
        guard let text, let ticket = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = ticket
    }

    /// The ticket as a task description.
    var text: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
