// SPDX-License-Identifier: Apache-2.0

/// A protocol for events, such as CometD, without subscribers: it makes connections, each for a set of channels.
package protocol EventTransport: Sendable {
    /// Opens a connection without channels.
    func open() async throws(WireError) -> any EventTransportConnection
}

/// A live connection, which is lost with its first error.
///
/// Events of a channel arrive in order. The caller sends one `receive` at a time, so a caller that does not receive
/// stops the server. Other methods can run at the same time as `receive`.
package protocol EventTransportConnection: Sendable {
    /// Adds channels, each of which is not yet in the connection.
    ///
    /// - Returns: the errors of rejected channels, and events that arrived with the response.
    func subscribe(_ channels: [ChannelStart]) async throws(WireError) -> WireResponse
    /// Removes channels, whose events may still arrive. Errors are ignored.
    func unsubscribe(_ channels: [String]) async
    /// Waits for events of any channel, and returns no events if the server has none for now.
    ///
    /// A protocol that checks a channel or its position after it was added returns the error here. If `isCatchingUp`,
    /// the caller wants to know when all retained events were received, so a server that can is asked not to wait.
    func receive(isCatchingUp: Bool) async throws(WireError) -> WireResponse
    /// Sends the position of a managed subscription, which `receive` rejects if the server does not store it.
    func commit(_ position: EventPosition) async
    /// Ends the connection at the server, after it has stored the last commit. Errors are ignored.
    func close() async
}

/// A channel and the position at which it begins.
package struct ChannelStart: Sendable, Hashable {
    package let channel: String
    package var start: EventStart
    /// The name of the managed subscription, which begins at the server's position instead.
    package let managed: String?

    package init(_ channel: String, _ start: EventStart, managed: String? = nil) {
        (self.channel, self.start, self.managed) = (channel, start, managed)
    }
}

/// The events of a server, and the errors of the channels that it has rejected.
package struct WireResponse: Sendable {
    package var rejected: [String: WireError] = [:]
    package var events: [ReceivedEvent] = []
    /// The newest positions of channels, which the server may report without an event.
    package var positions: [String: ReplayID] = [:]

    package init(_ events: [ReceivedEvent] = []) { self.events = events }
}

/// The error of a connection or a channel, and its remedy.
package struct WireError: Error, Sendable {
    package enum Remedy: Sendable, Hashable {
        /// A new connection, at once: only the session was lost.
        case reopen
        /// A new connection, after a delay that grows with each failure.
        case retry
        /// Another position of the channel, if the app allows it.
        case position
        /// None: the subscriptions end with the error.
        case none
    }

    package let error: EventError
    package let remedy: Remedy
    /// The minimum delay, as requested by the server.
    package var delay: Duration

    package init(_ error: EventError, _ remedy: Remedy, after delay: Duration = .zero) {
        (self.error, self.remedy, self.delay) = (error, remedy, delay)
    }

    /// Whether the error concerns one channel, and the connection can be used for others.
    var isOfChannel: Bool { (remedy == .position || remedy == .none) && error.channel != nil }
}
