// SPDX-License-Identifier: Apache-2.0

/// Receives the events of a client: for logs, metrics and traces.
public protocol RestEventSink: Sendable {
    /// Takes one event. Called from any thread, also several at once; must return soon.
    func record(_ event: RestEvent)
}

/// Hands every event to a function as a line of text.
public struct TextEventSink: RestEventSink {
    private let write: @Sendable (String) -> Void

    /// Makes a sink over a function that writes a line.
    public init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes the event's line.
    public func record(_ event: RestEvent) {
        write(event.description)
    }
}
