// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// The code in a RST_STREAM or GOAWAY frame (RFC 9113 §7), which is an open set.
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    package static let internalError = HTTP2ErrorCode(rawValue: 2)
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The name in RFC 9113, or the number of an unknown code.
    package var description: String {
        Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "error code \(rawValue)"
    }
}

/// The error thrown when an HTTP/2 stream or its connection fails.
package struct HTTP2Error: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// No connection could be established, for the reason in ``HTTP2Error/transport``.
        case notConnected
        /// The server negotiated another protocol than HTTP/2 (ALPN, RFC 7301).
        case notNegotiated
        /// The connection ended before the stream.
        case connectionLost
        /// The peer violated HTTP/2, which ends the connection.
        case protocolViolation
        /// The peer sent too many frames that carry no data, which ends the connection.
        case flooded
        /// The peer's headers exceed the limit.
        case tooLarge
        /// The peer reset the stream.
        case reset(HTTP2ErrorCode)
        /// The peer did not process the request and will not, so it can be sent again on another connection.
        case refused
        /// The deadline passed.
        case timedOut
        /// The task that used the stream was cancelled.
        case cancelled
        /// The connection was shut down by this side.
        case shutDown
        /// The request or the use of the stream is invalid.
        case invalidUse
    }

    package let code: Code
    /// The problem and what to do, without secrets.
    package let message: String
    /// The error of connecting, or `nil`.
    package var transport: TransportError?

    package init(_ code: Code, _ message: String, transport: TransportError? = nil) {
        (self.code, self.message, self.transport) = (code, message, transport)
    }

    package init(notConnected error: TransportError) {
        self.init(error.code == .timedOut ? .timedOut : .notConnected, error.message, transport: error)
    }

    /// Whether the peer certainly did not process the request.
    package var isUnprocessed: Bool {
        switch code {
        case .notConnected, .notNegotiated, .refused: true
        default: false
        }
    }

    package var description: String {
        if case .reset(let reason) = code { "reset by \(reason): \(message)" } else { "\(code): \(message)" }
    }

    static let notProcessed = HTTP2Error(
        .refused, "the peer is closing the connection and did not process the request; send it on a new connection")
    static let cancelled = HTTP2Error(.cancelled, "the task was cancelled")
    static let shutDown = HTTP2Error(.shutDown, "the connection was shut down")
}
