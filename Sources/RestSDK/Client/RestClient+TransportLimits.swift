// SPDX-License-Identifier: Apache-2.0

extension RestClient {
    /// How long connections may stay silent, how many there may be, and how much comes over them.
    ///
    /// They belong to the transport that a configuration makes by itself, and all its calls share them. A single call has
    /// ``RestRequest/timeout`` for all of it and ``RetryPolicy/attemptTimeout`` for each time it is sent.
    public struct TransportLimits: Sendable, Hashable {
        /// The longest time for resolving the name, connecting and TLS; the call fails with ``RestError/Code/notConnected``
        /// then.
        ///
        /// URLSession does not tell when a connection stands: on Apple platforms this bound is not kept, and
        /// ``firstByteTimeout`` covers connecting too.
        public var connectTimeout: Duration = .seconds(30)
        /// The longest time from sending a request to the end of the answer's header; `nil` leaves it to the call's
        /// deadline.
        ///
        /// The call fails with ``RestError/Code/timedOut`` then.
        public var firstByteTimeout: Duration?
        /// The longest time without a byte of a body in either direction; `nil` leaves it to the call's deadline.
        ///
        /// The call fails with ``RestError/Code/timedOut`` then.
        public var idleTimeout: Duration? = .seconds(60)
        /// The largest body of an answer that is kept in memory, in bytes after decompression.
        ///
        /// A larger one fails with ``RestError/Code/tooLarge``.
        public var maximumResponseSize = 256 * 1024 * 1024
        /// How many connections are open to one host at a time; more calls wait for one to become free.
        public var maximumConnectionsPerHost = 32
        /// How many connections are open at a time to all hosts together; on Apple platforms the system decides.
        public var maximumConnections = 256

        /// The defaults.
        public init() {}
    }
}

extension RestClient.TransportLimits {
    /// More connections than this count as this many: no process has so many.
    static let mostConnections = 1_000_000

    /// The first limit that no transport can keep.
    var problem: InvalidArgument? {
        let durations = [
            ("connectTimeout", connectTimeout), ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout),
        ]
        if let (name, _) = durations.first(where: { ($0.1 ?? .seconds(1)) <= .zero }) {
            return InvalidArgument(argument: "transportLimits.\(name)", reason: "must be longer than zero")
        }
        let counts = [
            ("maximumResponseSize", maximumResponseSize), ("maximumConnectionsPerHost", maximumConnectionsPerHost),
            ("maximumConnections", maximumConnections),
        ]
        guard let (name, _) = counts.first(where: { $0.1 < 1 }) else { return nil }
        return InvalidArgument(argument: "transportLimits.\(name)", reason: "must be at least 1")
    }
}
