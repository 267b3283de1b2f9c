// SPDX-License-Identifier: Apache-2.0

extension FaultProxy {
    /// How a connection or an exchange ended.
    public enum End: String, Sendable, Hashable {
        /// The client closed its connection.
        case clientClosed
        /// The server closed its connection, and the proxy did the same to the client.
        case serverClosed
        /// The server reset its connection or could not be reached, and the proxy reset the client's.
        case serverLost
        /// A fault closed both connections.
        case closed
        /// A fault reset the client's connection.
        case reset
        /// The proxy was stopped.
        case stopped
    }

    /// A request and its answer, as the proxy saw them.
    public struct Exchange: Sendable, Hashable {
        /// The first line of the request, such as `GET / HTTP/1.1`.
        public internal(set) var requestLine: String
        /// The fault it had; `nil` if it passed.
        public internal(set) var fault: NetworkFault?
        /// Bytes of the request passed on to the server.
        public internal(set) var requestBytes = 0
        /// Whether every byte of the request was passed on: the server can have done what it asks.
        public internal(set) var isRequestDelivered = false
        /// The status of the server's answer, once its header had come to the proxy.
        public internal(set) var status: Int?
        /// Bytes passed on to the client.
        public internal(set) var answerBytes = 0
        /// Whether a whole answer was passed on to the client.
        public internal(set) var isAnswerDelivered = false
    }

    /// What happened on a connection.
    public struct Connection: Sendable, Hashable {
        /// Its exchanges, in order.
        public internal(set) var exchanges: [Exchange] = []
        /// How it ended; `nil` while it is open.
        public internal(set) var end: End?

        /// Bytes passed on to the server.
        public var requestBytes: Int { exchanges.reduce(0) { $0 + $1.requestBytes } }
        /// Bytes passed on to the client.
        public var answerBytes: Int { exchanges.reduce(0) { $0 + $1.answerBytes } }
    }

    /// Everything that happened so far.
    public struct Journal: Sendable, Hashable {
        /// The connections in the order they were accepted.
        public internal(set) var connections: [Connection] = []
        /// Whether the proxy has stopped, so that nothing more will be added.
        public internal(set) var isStopped = false

        /// All exchanges, connection by connection.
        public var exchanges: [Exchange] { connections.flatMap(\.exchanges) }
    }
}
