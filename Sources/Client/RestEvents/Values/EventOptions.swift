// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import RestTransport
#else
public import RestTransport
#endif

/// The settings of a subscription.
public struct EventOptions: Sendable {
    /// The handling of a position that the server does not have, or no longer.
    public enum Missing: Sendable, Hashable {
        /// The subscription ends with ``EventError/Code/invalidPosition``.
        case fail
        /// The subscription continues with the earliest event that the server retains, and reports a gap.
        case earliest
        /// The subscription continues with new events, and reports a gap.
        case latest
    }

    /// The protocol of a subscription, and its server.
    ///
    /// Positions of one protocol are invalid in the other.
    public struct Wire: Sendable, Hashable {
        /// The server of the Pub/Sub API, or `nil` for CometD.
        let endpoint: Origin?

        /// CometD with long polling, which has all channels and needs no server other than the org's instance.
        public static let cometD = Wire(endpoint: nil)

        #if !canImport(Darwin)
        /// The Pub/Sub API at `api.pubsub.salesforce.com`, port 7443.
        public static let pubSub = pubSub(
            at: Origin(scheme: .https, host: "api.pubsub.salesforce.com", port: 7_443))

        /// The Pub/Sub API (gRPC over HTTP/2), which has platform events and change events.
        ///
        /// The proxy and the trust are those of the client's `CurlTransport`. The account's token is sent to the
        /// endpoint.
        ///
        /// - Parameter endpoint: the server. Only a loopback address may use `http`.
        /// - Returns: the setting.
        public static func pubSub(at endpoint: Origin) -> Wire { Wire(endpoint: endpoint) }
        #endif
    }

    /// The protocol.
    ///
    /// The default is CometD on all platforms, because stored positions and PushTopics need the same protocol wherever
    /// an app runs.
    public var wire = Wire.cometD
    /// The handling of a position that the server does not have.
    public var invalidPosition = Missing.fail
    /// The number of events that wait for a slow reader, at least 1.
    ///
    /// If more events wait, the subscription stops to receive until the reader has read half of them.
    public var bufferSize = 1_000
    /// Receives the changes of the connection, on any thread, and must return quickly.
    ///
    /// A gap is reported when the subscription is read as far as the gap: before the next event is returned, and before
    /// its position is stored. All other changes are reported at once.
    public var onStatus: (@Sendable (EventStatus) -> Void)?

    /// Makes the default settings.
    public init() {}
}

/// A change of a subscription's connection, for logs and metrics.
public enum EventStatus: Sendable {
    /// The channels were subscribed to for the first time.
    case connected
    /// The connection was lost with this error, and is opened again after the delay.
    case disconnected(EventError, retryAfter: Duration)
    /// The channels were subscribed to again, from the last positions.
    case resumed
    /// The access token was renewed.
    case tokenRenewed
    /// Events of a channel were missed.
    case gap(EventGap)
    /// All events that the server had retained were received.
    ///
    /// The server says so with its next response without events. Over CometD it is asked at once, unless a subscription
    /// without retained events joins a connection whose request it holds (110 seconds at most). Over the Pub/Sub API
    /// the response can take 270 seconds.
    case caughtUp
}

/// Events that a subscription did not receive.
public struct EventGap: Sendable, Hashable {
    /// The reason of a gap.
    public enum Reason: Sendable, Hashable {
        /// The server did not have the position, so the subscription continued at another.
        case invalidPosition(ReplayID)
        /// The connection was lost before the first event of the channel, so there was no position to resume from.
        case unknownPosition
        /// The server reported changes without their contents: a change event of a type `GAP_…`.
        case reported(String)
    }

    /// The channel.
    public let channel: String
    /// The reason.
    public let reason: Reason
}
