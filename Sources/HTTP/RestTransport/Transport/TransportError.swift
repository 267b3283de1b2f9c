// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Why a request got no response.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, an open set whose label is safe as a metric name.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The fixed label of the kind.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The task that waited for the response was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The host name could not be resolved.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// No connection could be made.
        public static let notConnected = Code(rawValue: "notConnected")
        /// The proxy refused the name and password, or asked for them; no connection to the server was made.
        public static let proxyUnauthorized = Code(rawValue: "proxyUnauthorized")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// TLS failed: certificate, host name or protocol version.
        public static let tls = Code(rawValue: "tls")
        /// The peer did not speak HTTP, or broke its rules.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The request cannot be sent as it is; nothing left this process.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The request body is not what it was: a file changed while it was sent, or a file or stream is another one
        /// than at the first attempt.
        ///
        /// The server has not got a whole body.
        public static let bodyChanged = Code(rawValue: "bodyChanged")
        /// The source of a streamed request body threw an error, which is ``TransportError/underlying``.
        ///
        /// The server has not got a whole body.
        public static let bodySource = Code(rawValue: "bodySource")
        /// The resource has no bytes in the range that was asked for.
        public static let rangeNotSatisfiable = Code(rawValue: "rangeNotSatisfiable")
        /// The response is larger than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A local file could not be read or written.
        public static let file = Code(rawValue: "file")
        /// The transport was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
        /// Anything else; the message says what.
        public static let other = Code(rawValue: "other")
    }

    private struct Facts: Sendable, Hashable {
        let code: Code
        let message: String
        var mayHaveReachedServer: Bool
        let systemErrors: [TransportError.SystemError]
        var cause: Cause?
    }

    /// An error of the app's code.
    ///
    /// Two failures that differ in nothing else are equal.
    private struct Cause: Sendable, Hashable {
        let error: any Error

        static func == (left: Cause, right: Cause) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Boxed, so that every step of a call, which waits for an answer or an error, keeps one pointer for it.
    @Boxed private var facts: Facts

    /// The kind of failure.
    public var code: Code { facts.code }
    /// What happened and what to do about it, free of secrets, with the numbers of `systemErrors` at its end.
    public var message: String { facts.message }
    /// Whether the server can have seen the request: `false` proves that no byte of it left this process.
    public var mayHaveReachedServer: Bool { facts.mayHaveReachedServer }
    /// The numbers that library and system gave the failure, outermost first; empty for one that was found here.
    public var systemErrors: [TransportError.SystemError] { facts.systemErrors }
    /// The error that the app's own code threw, such as the source of a streamed body; `nil` for all other failures.
    public var underlying: (any Error)? { facts.cause?.error }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened and what to do, without secrets.
    ///   - mayHaveReachedServer: whether the server can have seen the request.
    ///   - systemErrors: the numbers of library and system, outermost first.
    public init(
        _ code: Code, _ message: String, mayHaveReachedServer: Bool, systemErrors: [TransportError.SystemError] = []
    ) {
        let numbers = systemErrors.map(\.description).joined(separator: ", ")
        facts = Facts(
            code: code, message: numbers.isEmpty ? message : "\(message) (\(numbers))",
            mayHaveReachedServer: mayHaveReachedServer, systemErrors: systemErrors)
    }

    /// The same error with what is known of the sending elsewhere.
    package init(_ error: TransportError, mayHaveReachedServer: Bool) {
        self = error
        facts.mayHaveReachedServer = mayHaveReachedServer
    }

    /// The failure of a streamed request body whose source threw an error.
    ///
    /// - Parameters:
    ///   - error: the error that the source threw. A `TransportError` is returned as it is.
    ///   - mayHaveReachedServer: whether the server can have seen the request.
    /// - Returns: an error with the code ``Code/bodySource``, in which `error` is ``underlying``.
    public static func bodySource(_ error: any Error, mayHaveReachedServer: Bool) -> TransportError {
        if let error = error as? TransportError { return error }
        var failure = TransportError(
            .bodySource, "the source of the request body failed: \(error)", mayHaveReachedServer: mayHaveReachedServer)
        failure.facts.cause = Cause(error: error)
        return failure
    }

    /// The label of the kind and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension TransportError {
    /// The number that the system or a library of it gave a failure.
    public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
        /// Whose number it is, an open set.
        public struct Domain: RawRepresentable, Sendable, Hashable {
            /// The domain's name.
            public let rawValue: String

            /// Wraps a name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The system's own numbers (`errno.h`), such as 111 for a refused connection on Linux.
            public static let errno = Domain(rawValue: "errno")
            /// libcurl's results (`CURLcode`), such as 7 for a connection that could not be made.
            public static let curl = Domain(rawValue: "libcurl")
            /// URLSession's codes (`NSURLErrorDomain`), such as -1004 for a connection that could not be made.
            public static let urlSession = Domain(rawValue: "URLSession")
        }

        /// Whose number it is.
        public let domain: Domain
        /// The number.
        public let number: Int

        /// Makes a value.
        public init(_ domain: Domain, _ number: Int) {
            self.domain = domain
            self.number = number
        }

        /// The system's words for a number of its own, such as `Connection refused`; `nil` for the numbers of others.
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
    /// A number of the system's own; `nil` for 0, which stands for no failure.
    package init?(errno number: some BinaryInteger) {
        guard number != 0 else { return nil }
        self.init(.errno, Int(number))
    }
}
