// SPDX-License-Identifier: Apache-2.0

import RestAuth
package import RestJSON
public import RestTransport

/// Why a call did not succeed: one typed error for everything the SDK does.
///
/// ``code`` says what to do next; everything that is known about the failure (status, parsed faults, raw body,
/// underlying error) is kept. No part of it contains a token or another secret.
public struct RestError: Error, Sendable {
    private struct Facts: Sendable {
        var code: Code
        var message: String
        var faults: [APIFault]
        var matchingRecords: [String]
        var request: RestRequest.Summary?
        var response: HTTPResponse.Head?
        var body: [UInt8]
        /// The body as JSON, while the call is under way and others are to read failures out of it.
        var root: JSONValue?
        var outcome: RestError.WriteOutcome?
        var attempts: [Attempt]
        var underlying: (any Error)?
        /// The error that an endpoint threw of its own, reading the answer.
        var ownFailure: (any Error)?
        var queryPosition: QueryPage.Position?
        var changesPosition: RecordChanges.Window.Position?
    }

    // Boxed, so that throwing costs one pointer in every async frame on the way out. What fills the box is never
    // inlined, for the same reason.
    private final class Details: Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }
    }

    /// The longest raw body that an error keeps when it reaches the caller, in bytes.
    ///
    /// ``Endpoint/routeError(from:)`` and the reading of modelled failures see it whole before.
    public static let maximumBodySize = 65_536

    private let details: Details

    /// Makes an error.
    ///
    /// Interceptors and endpoints may throw their own.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - message: what happened and what to do, without secrets.
    ///   - faults: the server's own errors, parsed.
    ///   - matchingRecords: the addresses of the records that an external id matches, when there are several.
    ///   - request: which request failed.
    ///   - response: the head of the response, if one came.
    ///   - body: the response's raw body; more than ``maximumBodySize`` bytes are cut.
    ///   - outcome: for writes, whether the server applied it.
    ///   - attempts: the attempts before the last one.
    ///   - underlying: the error behind this one.
    @inline(never)
    public init(
        _ code: Code, _ message: String, faults: [APIFault] = [], matchingRecords: [String] = [],
        request: RestRequest.Summary? = nil, response: HTTPResponse.Head? = nil, body: [UInt8] = [],
        outcome: RestError.WriteOutcome? = nil, attempts: [Attempt] = [], underlying: (any Error)? = nil
    ) {
        details = Details(
            Facts(
                code: code, message: message, faults: faults, matchingRecords: matchingRecords, request: request,
                response: response,
                body: body.count > Self.maximumBodySize ? Array(body.prefix(Self.maximumBodySize)) : body,
                outcome: outcome, attempts: attempts, underlying: underlying))
    }

    /// What kind of failure it is.
    public var code: Code { details.facts.code }
    /// What happened and what to do.
    public var message: String { details.facts.message }
    /// The server's own errors, in its order.
    public var faults: [APIFault] { details.facts.faults }
    /// The addresses of the records that an external id matches, when there are several (status 300); else empty.
    ///
    /// Read the one that is meant by its id, or fix the duplicates.
    public var matchingRecords: [String] { details.facts.matchingRecords }
    /// Which request failed.
    public var request: RestRequest.Summary? { details.facts.request }
    /// Status and header fields of the response, if one came.
    public var response: HTTPResponse.Head? { details.facts.response }
    /// The response's raw body, at most ``maximumBodySize`` bytes.
    public var body: [UInt8] { details.facts.body }
    /// For writes: whether the server applied it.
    ///
    /// `nil` for reads.
    public var outcome: RestError.WriteOutcome? { details.facts.outcome }
    /// The error behind this one.
    public var underlying: (any Error)? { details.facts.underlying }

    /// The status code of the response, if one came.
    public var status: Int? { response?.status }

    /// The attempts before the last one, which is this error itself; empty when the call was sent once.
    public var attempts: [Attempt] { details.facts.attempts }
    /// How long the server asked to wait before the call is sent again, if it said: by `Retry-After`, or by
    /// `retry_after` in the body of a 429.
    public var retryAfter: Duration? {
        if let error = underlying as? OAuthError { return error.retryAfter }
        guard let response else { return nil }
        return RetryAfter.delay(in: response.fields) ?? (response.status == 429 ? delayInBody : nil)
    }

    /// The server's id of the request, for its operators; `nil` when it named none.
    public var requestID: String? { response.flatMap(Self.requestID(in:)) }

    /// For a query that failed between two pages: where it stood, so that it can be taken up again.
    ///
    /// See ``RestClient/records(from:batchSize:completingChildren:)``.
    public var queryPosition: QueryPage.Position? { details.facts.queryPosition }

    /// For ``Code/changesForgotten``: the position from which changes can be followed once all records were read again.
    public var changesPosition: RecordChanges.Window.Position? { details.facts.changesPosition }
}

extension RestError {
    /// The same error with the request it happened to, where it does not say yet.
    func about(_ request: RestRequest.Summary) -> RestError {
        with { $0.request = $0.request ?? request }
    }

    /// The same error with another head of its response.
    func about(_ response: HTTPResponse.Head?) -> RestError {
        with { $0.response = response }
    }

    /// The same error with the server's answer to the call, for one that says that the session is over.
    func ending(_ refusal: RestError) -> RestError {
        guard code == .refreshFailed else { return self }
        return with { facts in
            (facts.response, facts.faults) = (refusal.response, refusal.faults)
            (facts.body, facts.root) = (refusal.body, refusal.details.facts.root)
        }
    }

    /// Returns a copy of the error with the attempts that came before it.
    func after(_ attempts: [Attempt]) -> RestError {
        attempts.isEmpty && self.attempts.isEmpty ? self : with { $0.attempts = attempts }
    }

    /// The same error with the reason why the call was not sent again: its body was sent and cannot be made anew.
    var withSpentBody: RestError {
        with {
            $0.message += "; not sent again, because the streamed body is made only once: \(HTTPBody.Source.remedy)"
        }
    }

    /// Returns a copy of the error whose outcome is about more of what the call sent.
    ///
    /// The app's own errors may have no outcome, or only that of the last time.
    ///
    /// - Parameter outcome: what is known of the rest; `nil` for reads.
    /// - Returns: the copy.
    func joining(_ outcome: RestError.WriteOutcome?) -> RestError {
        guard let outcome else { return self }
        let joined = self.outcome?.and(outcome) ?? outcome
        return joined == self.outcome ? self : with { $0.outcome = joined }
    }

    /// The same error with the place in a query where it happened.
    func at(_ position: QueryPage.Position) -> RestError {
        with { $0.queryPosition = position }
    }

    /// Returns a copy of the error with the position for a new start.
    func starting(at position: RecordChanges.Window.Position) -> RestError {
        with { $0.changesPosition = position }
    }

    /// The same error with a body of any length, and what it was parsed to, for those who read failures out of it.
    func keeping(_ body: [UInt8], root: JSONValue?) -> RestError {
        with { ($0.body, $0.root) = (body, root) }
    }

    /// The same error with the one that an endpoint threw of its own, for which it stands.
    func carrying(_ failure: any Error) -> RestError {
        with { $0.ownFailure = failure }
    }

    /// The error that an endpoint threw of its own, reading the answer.
    var ownFailure: (any Error)? { details.facts.ownFailure }

    /// Whether the body was read as JSON already.
    var hasParsedBody: Bool { details.facts.root != nil }

    /// The body as JSON; `nil` when it is none.
    package var bodyRoot: JSONValue? { details.facts.root ?? (try? JSONValue(parsing: body)) }

    /// The same error as the caller keeps it: without the end of a body that is too long, and without what it was
    /// parsed to.
    var trimmed: RestError {
        guard body.count > Self.maximumBodySize || hasParsedBody else { return self }
        return with { facts in
            if facts.body.count > Self.maximumBodySize { facts.body = Array(facts.body.prefix(Self.maximumBodySize)) }
            facts.root = nil
        }
    }

    @inline(never)
    private func with(_ change: (inout Facts) -> Void) -> RestError {
        var facts = details.facts
        change(&facts)
        return RestError(details: Details(facts))
    }

    private init(details: Details) {
        self.details = details
    }
}

extension RestError {
    /// One attempt of a call that was sent again.
    public struct Attempt: Sendable, Hashable {
        /// How the attempt failed.
        public let code: Code
        /// The status of its response, if one came.
        public let status: Int?
        /// For writes: whether the server applied this attempt.
        public let outcome: RestError.WriteOutcome?
        /// How long the client waited after it.
        public let delay: Duration
    }
}

extension RestError {
    /// Whether a write took effect: the honest answer, which is sometimes that nobody knows.
    public enum WriteOutcome: String, Sendable, Hashable {
        /// The server did not apply the write; sending it again is safe.
        case notApplied
        /// The server applied the write, although the call failed afterwards.
        case applied
        /// The request may or may not have been applied; look before sending it again.
        case unknown
    }
}

extension RestError.WriteOutcome {
    /// What is known of a write that was sent twice, given what is known of both times.
    func and(_ other: RestError.WriteOutcome) -> RestError.WriteOutcome {
        if self == .applied || other == .applied { return .applied }
        return self == .unknown ? .unknown : other
    }
}

extension RestRequest {
    /// Which request an error is about, without header fields, body and query.
    public struct Summary: Sendable, Hashable, CustomStringConvertible {
        /// The request's kind (`query`, `create` …).
        public let name: String
        /// The method.
        public let method: HTTPMethod
        /// The path without its query, which may hold data.
        public let path: String

        /// Makes a summary.
        public init(name: String, method: HTTPMethod, path: String) {
            self.name = name
            self.method = method
            self.path = path
        }

        /// The value as text, for people and logs.
        public var description: String { "\(name) (\(method) \(path))" }
    }
}

extension RestError: CustomStringConvertible {
    /// The value as text, for people and logs.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let request { text += " [\(request)" + (status.map { ", status \($0)" } ?? "") + "]" }
        if let outcome { text += " [write \(outcome.rawValue)]" }
        return text
    }
}

extension RestError {
    /// An argument that cannot be sent.
    static func invalidRequest(_ argument: String, _ reason: String, isWrite: Bool = false) -> RestError {
        RestError(.invalidRequest, "\(argument): \(reason)", outcome: isWrite ? .notApplied : nil)
    }

    /// A transport's failure; for a write it says what is known of the outcome.
    init(_ error: TransportError, isWrite: Bool) {
        let outcome: RestError.WriteOutcome? = isWrite ? (error.mayHaveReachedServer ? .unknown : .notApplied) : nil
        self.init(Self.code(of: error), error.message, outcome: outcome, underlying: error.underlying ?? error)
    }

    /// A failure to get a token.
    ///
    /// No API request was sent with it, so no write was applied.
    ///
    /// - Parameters:
    ///   - error: why there is no token.
    ///   - isWrite: whether the call changes something.
    ///   - isFirstLogin: whether there never was a token, so that a refusal ends no session.
    init(_ error: OAuthError, isWrite: Bool, isFirstLogin: Bool) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .unreachable: error.transport.map(Self.code(of:)) ?? .notConnected
            case .serverUnavailable: .server
            case .noAccount: .noAccount
            default: isFirstLogin ? .loginFailed : .refreshFailed
            }
        let what = code == .loginFailed ? "the login failed" : "no access token"
        self.init(code, "\(what): \(error)", outcome: isWrite ? .notApplied : nil, underlying: error)
    }

    /// The numbers that library and system gave the failure, outermost first: libcurl's or URLSession's, then `errno`.
    ///
    /// Empty when no transport failed. They are in ``message`` too, for people.
    public var systemErrors: [TransportError.SystemError] {
        switch underlying {
        case let error as TransportError: error.systemErrors
        case let error as OAuthError: error.transport?.systemErrors ?? []
        case let error as RestError: error.systemErrors
        default: []
        }
    }

    private static func code(of error: TransportError) -> Code {
        switch error.code {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .hostNotFound, .notConnected: error.mayHaveReachedServer ? .transport : .notConnected
        case .proxyUnauthorized: .proxyUnauthorized
        case .tls: .tls
        case .tooLarge: .tooLarge
        case .invalidRequest: .invalidRequest
        case .file: .file
        case .bodyChanged: .bodyChanged
        case .bodySource: .bodySource
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .shutDown: .shutDown
        default: .transport
        }
    }
}
