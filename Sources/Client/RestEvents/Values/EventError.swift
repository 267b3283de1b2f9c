// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error with which a subscription ends.
public struct EventError: Error, Sendable {
    /// The kind of an error.
    ///
    /// New kinds may be added, so a `switch` needs a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A fixed label, suitable for metrics.
        public let description: String

        /// The app cancelled the subscription, its task or all calls of the client.
        public static let cancelled = Code(description: "cancelled")
        /// The client was shut down.
        public static let shutDown = Code(description: "shut-down")
        /// The account was logged out.
        public static let loggedOut = Code(description: "logged-out")
        /// The server does not accept the account's token, and the token cannot be renewed.
        public static let unauthorized = Code(description: "unauthorized")
        /// The user may not read the channel.
        public static let forbidden = Code(description: "forbidden")
        /// The channel does not exist.
        public static let unknownChannel = Code(description: "unknown-channel")
        /// The server does not have the replay id, or no longer, and the app chose ``EventOptions/Missing/fail``.
        public static let invalidPosition = Code(description: "invalid-position")
        /// A limit of the org is used up, such as concurrent clients or daily event deliveries.
        public static let limit = Code(description: "limit")
        /// A request failed with the error ``EventError/rest``, and a retry cannot help.
        public static let request = Code(description: "request")
        /// The connection was lost, or the server is busy, which the subscription retries without end.
        public static let unavailable = Code(description: "unavailable")
        /// The server's messages do not follow the protocol.
        public static let response = Code(description: "answer")
        /// The server rejected the client for another reason.
        public static let rejected = Code(description: "rejected")
        /// Another process, or another subscription of this process, holds the named subscription.
        public static let held = Code(description: "held")
        /// The store of positions failed with the error ``EventError/underlying``.
        public static let store = Code(description: "store")
        /// An argument is invalid.
        public static let argument = Code(description: "argument")
    }

    /// The kind of the error.
    public let code: Code
    /// The problem and what to do, without contents of events.
    public let message: String
    /// The channel that the error concerns, or `nil` if it concerns the whole subscription.
    public internal(set) var channel: String?
    /// The underlying error.
    public let underlying: (any Error)?

    /// The error of the request that failed, or `nil` for other errors.
    public var rest: RestError? { underlying as? RestError }

    package init(_ code: Code, _ message: String, channel: String? = nil, underlying: (any Error)? = nil) {
        (self.code, self.message, self.channel, self.underlying) = (code, message, channel, underlying)
    }
}

extension EventError: LocalizedError {
    /// The recommended action, in one or two sentences for people.
    public var advice: String {
        switch code {
        case .unauthorized: "Log in again, then subscribe again from the last position."
        case .forbidden: "Ask an administrator for the permission to read the object or the event."
        case .unknownChannel: "Check the name of the channel. Change events must be enabled for their object."
        case .invalidPosition:
            "Events were missed. Read the records again and start from .latest, or set EventOptions.invalidPosition."
        case .limit:
            "Use fewer subscribers, with several channels in each subscription, or wait until the limit is renewed."
        case .response: "Check the proxies between this machine and the org, then subscribe again."
        case .held: "Stop the other subscriber, or use another name."
        case .store: "Check the store of positions. EventError.underlying is its error."
        case .argument: "Fix the argument. Nothing was sent."
        default: rest?.advice ?? "Subscribe again from the last position."
        }
    }

    /// The description, as `localizedDescription` returns it.
    public var errorDescription: String? { description }

    /// The recovery suggestion, which is ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension EventError: CustomStringConvertible {
    /// The error as text, for people and logs.
    public var description: String { "\(code): \(message)" + (channel.map { " [channel \($0)]" } ?? "") }
}

extension EventError {
    /// Converts the error of a call, regardless of whether the subscription retries it.
    init(_ error: RestError) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .shutDown: .shutDown
            case .loggedOut: .loggedOut
            case .unauthorized, .refreshFailed, .loginFailed, .noAccount: .unauthorized
            case .forbidden: .forbidden
            case .rateLimited: .limit
            case .notConnected, .transport, .timedOut, .server, .circuitOpen: .unavailable
            case .decoding: .response
            default: .request
            }
        self.init(code, error.message, underlying: error)
    }

    func about(_ channel: String?) -> EventError {
        var copy = self
        copy.channel = copy.channel ?? channel
        return copy
    }

    /// Returns the words of a server, of which at most 1,000 bytes are kept.
    static func said(_ words: String) -> String { "the server said: \(String(Substring(words.utf8.prefix(1_000))))" }

    static func store(_ error: any Error) -> EventError {
        (error as? EventError) ?? EventError(.store, "\(error)", underlying: error)
    }
}
