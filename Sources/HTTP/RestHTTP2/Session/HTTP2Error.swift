// SPDX-License-Identifier: Apache-2.0

import CNGHTTP2
package import RestTransport

/// The code in a RST_STREAM or GOAWAY frame (RFC 9113 §7).
package enum HTTP2ErrorCode: UInt32, Sendable, CustomStringConvertible {
    case noError, protocolError, internalError, flowControlError, settingsTimeout, streamClosed, frameSizeError
    case refusedStream, cancel, compressionError, connectError, enhanceYourCalm, inadequateSecurity, http11Required

    /// Creates the code of a number, where an unknown number counts as `internalError`, as RFC 9113 permits.
    init(_ number: UInt32) { self = Self(rawValue: number) ?? .internalError }

    /// The name in RFC 9113.
    package var description: String { unsafe String(cString: nghttp2_http2_strerror(rawValue)) }
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
        case reset(HTTP2ErrorCode)
        /// The peer did not process the request and will not, so it can be sent again on another connection.
        case refused
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
    /// The error of the connection's socket, or `nil`.
    package var transport: TransportError?

    package init(_ code: Code, _ message: String, transport: TransportError? = nil) {
        (self.code, self.message, self.transport) = (code, message, transport)
    }

    /// Whether the peer certainly did not process the request.
    package var isUnprocessed: Bool { [.notConnected, .notNegotiated, .refused].contains(code) }

    package var description: String {
        if case .reset(let reason) = code { "reset by \(reason): \(message)" } else { "\(code): \(message)" }
    }

    static let notProcessed = HTTP2Error(
        .refused, "the peer is closing the connection and did not process the request; send it on a new connection")
    static let cancelled = HTTP2Error(.cancelled, "the task was cancelled")
    static let shutDown = HTTP2Error(.shutDown, "the connection was shut down")
}
