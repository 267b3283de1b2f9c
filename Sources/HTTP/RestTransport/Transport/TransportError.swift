// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The error thrown when a request gets no valid response.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, which is an open set whose label is safe as a metric name.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The fixed label of the kind.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The task that waited for the response was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The host name could not be resolved.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// No connection could be established.
        public static let notConnected = Code(rawValue: "notConnected")
        /// The proxy requires a name and password or rejected them, so there was no connection to the server.
        public static let proxyUnauthorized = Code(rawValue: "proxyUnauthorized")
        /// The connection was closed before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// TLS failed because of the certificate, the host name or the protocol version.
        public static let tls = Code(rawValue: "tls")
        /// The response violates HTTP.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The request is invalid, so nothing was sent.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The request body changed, either while a file was sent or between two attempts.
        ///
        /// The server did not receive a complete body.
        public static let bodyChanged = Code(rawValue: "bodyChanged")
        /// The source of a streamed request body threw an error, which is ``TransportError/underlying``.
        ///
        /// The server did not receive a complete body.
        public static let bodySource = Code(rawValue: "bodySource")
        /// The resource has no bytes in the requested range.
        public static let rangeNotSatisfiable = Code(rawValue: "rangeNotSatisfiable")
        /// The response is larger than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A local file could not be read or written.
        public static let file = Code(rawValue: "file")
        /// The transport was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
        /// Any other error, which the message describes.
        public static let other = Code(rawValue: "other")
    }

    private struct Facts: Sendable, Hashable {
        let code: Code
        let message: String
        var mayHaveReachedServer: Bool
        let systemErrors: [TransportError.SystemError]
        var cause: Cause?
    }

    /// An error thrown by the app's code, which is ignored when two transport errors are compared.
    private struct Cause: Sendable, Hashable {
        let error: any Error

        static func == (left: Cause, right: Cause) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Boxed, so that each step of a call stores one pointer while it waits for a response or an error.
    @Boxed private var facts: Facts

    /// The kind of error.
    public var code: Code { facts.code }
    /// A description of the problem and what to do, without secrets, followed by the numbers in `systemErrors`.
    public var message: String { facts.message }
    /// Whether the server may have received the request, where `false` guarantees that no byte of it was sent.
    public var mayHaveReachedServer: Bool { facts.mayHaveReachedServer }
    /// The error numbers of the library and the system, outermost first, or empty for an error that the SDK detected.
    public var systemErrors: [TransportError.SystemError] { facts.systemErrors }
    /// The error that the app's code threw, such as the source of a streamed body, or `nil`.
    public var underlying: (any Error)? { facts.cause?.error }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - message: the problem and what to do, without secrets.
    ///   - mayHaveReachedServer: whether the server may have received the request.
    ///   - systemErrors: the error numbers of the library and the system, outermost first.
    public init(
        _ code: Code, _ message: String, mayHaveReachedServer: Bool, systemErrors: [TransportError.SystemError] = []
    ) {
        let numbers = systemErrors.map(\.description).joined(separator: ", ")
        facts = Facts(
            code: code, message: numbers.isEmpty ? message : "\(message) (\(numbers))",
            mayHaveReachedServer: mayHaveReachedServer, systemErrors: systemErrors)
    }

    /// Creates a copy of an error with another value of `mayHaveReachedServer`.
    package init(_ error: TransportError, mayHaveReachedServer: Bool) {
        self = error
        facts.mayHaveReachedServer = mayHaveReachedServer
    }

    /// Returns the error for a streamed request body whose source threw an error.
    ///
    /// - Parameters:
    ///   - error: the error that the source threw. A `TransportError` is returned unchanged.
    ///   - mayHaveReachedServer: whether the server may have received the request.
    /// - Returns: an error with the code ``Code/bodySource``, whose ``underlying`` is `error`.
    public static func bodySource(_ error: any Error, mayHaveReachedServer: Bool) -> TransportError {
        if let error = error as? TransportError { return error }
        var failure = TransportError(
            .bodySource, "the source of the request body failed: \(error)", mayHaveReachedServer: mayHaveReachedServer)
        failure.facts.cause = Cause(error: error)
        return failure
    }

    /// The label of the code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension TransportError {
    /// The number by which the system or a system library identifies an error.
    public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The source of the number, which is an open set.
        public struct Domain: RawRepresentable, Sendable, Hashable {
            /// The domain's name.
            public let rawValue: String

            /// Wraps a name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The system's error numbers (`errno.h`), such as 111 for a refused connection on Linux.
            public static let errno = Domain(rawValue: "errno")
            /// libcurl's results (`CURLcode`), such as 7 for a failed connection.
            public static let curl = Domain(rawValue: "libcurl")
            /// URLSession's codes (`NSURLErrorDomain`), such as -1004 for a failed connection.
            public static let urlSession = Domain(rawValue: "URLSession")
        }

        /// The source of the number.
        public let domain: Domain
        /// The error number.
        public let number: Int

        /// Creates a value.
        public init(_ domain: Domain, _ number: Int) {
            self.domain = domain
            self.number = number
        }

        /// The system's description of the number, such as `Connection refused`, or `nil` for other domains than
        /// `errno`.
        public var reason: String? {
            guard domain == .errno, let number = Int32(exactly: number), let words = unsafe strerror(number) else {
                return nil
            }
            return unsafe String(cString: words)
        }

        /// The domain, the number and the reason.
        public var description: String {
            "\(domain.rawValue) \(number)" + (reason.map { ": \($0)" } ?? "")
        }
    }
}

extension TransportError.SystemError {
    /// Creates a value for the system's number, or `nil` for 0, which means no error.
    package init?(errno number: some BinaryInteger) {
        guard number != 0 else { return nil }
        self.init(.errno, Int(number))
    }
}
