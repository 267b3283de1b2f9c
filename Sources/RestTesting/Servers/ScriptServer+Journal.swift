// SPDX-License-Identifier: Apache-2.0

extension ScriptServer {
    /// What one connection received.
    public struct Connection: Sendable, Hashable {
        /// Every byte in the order received.
        public internal(set) var received: [UInt8] = []
        /// The whole requests that were read, each with its header and the body its framing announced.
        public internal(set) var requests: [String] = []
        /// How many bytes the script has handed to the system to send.
        public internal(set) var sentBytes = 0
        /// Whether the peer closed or reset the connection while the script was reading or sending.
        public internal(set) var isClosedByPeer = false
        /// When the peer closed or reset the connection.
        public internal(set) var closedAt: ContinuousClock.Instant?
        /// Whether the script is over and the connection closed.
        public internal(set) var isOver = false
    }

    /// Everything the server has seen so far.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the server has stopped, so that nothing more will be added.
        public internal(set) var isStopped = false

        /// All requests of all connections, connection by connection.
        public var requests: [String] { connections.flatMap(\.requests) }
    }
}
