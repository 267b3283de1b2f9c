// SPDX-License-Identifier: Apache-2.0

import RestAuth
package import RestJSON
public import RestTransport

/// The error thrown when a call fails.
///
/// ``code`` is the kind of the error. The error also has the status, the parsed server errors, the raw body and the
/// underlying error. No part of it contains a token or another secret.
public struct RestError: Error, Sendable {
    private struct Facts: Sendable {
        var code: Code
        var message: String
        var faults: [APIFault]
        var matchingRecords: [String]
        var request: RestRequest.Summary?
        var response: HTTPResponse.Head?
        var body: [UInt8]
        /// The body as JSON, kept only until the call has finished.
        var root: JSONValue?
        var outcome: RestError.WriteOutcome?
        var attempts: [Attempt]
        var underlying: (any Error)?
        /// The error that an endpoint threw when it read the response.
        var ownFailure: (any Error)?
        var queryPosition: QueryPage.Position?
        var changesPosition: RecordChanges.Window.Position?
    }

    /// The maximum size of the raw body in bytes, except for ``Endpoint/routeError(from:)``, which gets the whole body.
    public static let maximumBodySize = 65_536

    /// Boxed, so that a throw costs one pointer in each async frame.
    ///
    /// The functions that fill the box are not inlined for the same reason.
    @Boxed private var facts: Facts

    /// Makes an error, for example in an interceptor or an endpoint.
    ///
    /// - Parameters:
    ///   - code: the kind of the error.
    ///   - message: the problem and what to do, without secrets.
    ///   - faults: the parsed server errors.
    ///   - matchingRecords: the URLs of the records, if an external id matches several records.
    ///   - request: the request that failed.
    ///   - response: the response head, or `nil` if there was no response.
    ///   - body: the raw response body. Bytes after ``maximumBodySize`` are dropped.
    ///   - outcome: the outcome of a write, or `nil` for a read.
    ///   - attempts: the attempts before the last one.
    ///   - underlying: the underlying error.
    @inline(never)
    public init(
        _ code: Code, _ message: String, faults: [APIFault] = [], matchingRecords: [String] = [],
        request: RestRequest.Summary? = nil, response: HTTPResponse.Head? = nil, body: [UInt8] = [],
        outcome: RestError.WriteOutcome? = nil, attempts: [Attempt] = [], underlying: (any Error)? = nil
    ) {
        facts = Facts(
            code: code, message: message, faults: faults, matchingRecords: matchingRecords, request: request,
            response: response,
            body: body.count > Self.maximumBodySize ? Array(body.prefix(Self.maximumBodySize)) : body,
            outcome: outcome, attempts: attempts, underlying: underlying)
    }

    /// The kind of the error.
    public var code: Code { facts.code }
    /// The problem and what to do.
    public var message: String { facts.message }
    /// The server errors, in the server's order.
    public var faults: [APIFault] { facts.faults }
    /// The URLs of the records, if an external id matches several records (status 300).
    ///
    /// Read the intended record by its id, or fix the duplicates.
    public var matchingRecords: [String] { facts.matchingRecords }
    /// The request that failed.
    public var request: RestRequest.Summary? { facts.request }
    /// The status and header fields of the response, or `nil` if there was no response.
    public var response: HTTPResponse.Head? { facts.response }
    /// The raw response body, limited to ``maximumBodySize`` bytes.
    public var body: [UInt8] { facts.body }
    /// Whether the server applied the write, or `nil` for a read.
    public var outcome: RestError.WriteOutcome? { facts.outcome }
    /// The underlying error.
    public var underlying: (any Error)? { facts.underlying }

    /// The status code of the response, or `nil` if there was no response.
    public var status: Int? { response?.status }

    /// The attempts before the last one, which is described by this error.
    public var attempts: [Attempt] { facts.attempts }
    /// The delay that the server requested before a retry, from `Retry-After` or from `retry_after` in the body of a
    /// 429.
    public var retryAfter: Duration? {
        if let error = underlying as? OAuthError { return error.retryAfter }
        guard let response else { return nil }
        return RetryAfter.delay(in: response.fields) ?? (response.status == 429 ? delayInBody : nil)
    }

    /// The server's id of the request, for inquiries to its operators.
    public var requestID: String? { response.flatMap(Self.requestID(in:)) }

    /// The position at which a query failed between two pages, so that the query can be resumed.
    ///
    /// See ``RestClient/records(from:batchSize:completingChildren:)``.
    public var queryPosition: QueryPage.Position? { facts.queryPosition }

    /// The position from which to follow changes after all records were read again, for ``Code/changesForgotten``.
    public var changesPosition: RecordChanges.Window.Position? { facts.changesPosition }
}

extension RestError {
    /// Returns a copy with the request, unless the error already has a request.
    func about(_ request: RestRequest.Summary) -> RestError {
        with { $0.request = $0.request ?? request }
    }

    func about(_ response: HTTPResponse.Head?) -> RestError { with { $0.response = response } }

    /// Returns a copy with the response to the call, if the error says that the session has expired.
    func ending(_ rejection: RestError) -> RestError {
        guard code == .refreshFailed else { return self }
        return with { facts in
            (facts.response, facts.faults) = (rejection.response, rejection.faults)
            (facts.body, facts.root) = (rejection.body, rejection.facts.root)
        }
    }

    func after(_ attempts: [Attempt]) -> RestError {
        attempts.isEmpty && self.attempts.isEmpty ? self : with { $0.attempts = attempts }
    }

    /// Returns a copy whose message explains that the call was not retried because its body cannot be sent again.
    var withSpentBody: RestError {
        with {
            $0.message +=
                "; not sent again, because the streamed body can be created only once; \(HTTPBody.Source.remedy)"
        }
    }

    /// Returns a copy whose outcome includes that of earlier attempts, which an error thrown by the app may lack.
    func joining(_ outcome: RestError.WriteOutcome?) -> RestError {
        guard let outcome else { return self }
        let joined = self.outcome?.and(outcome) ?? outcome
        return joined == self.outcome ? self : with { $0.outcome = joined }
    }

    func at(_ position: QueryPage.Position) -> RestError {
        with { $0.queryPosition = position }
    }

    func starting(at position: RecordChanges.Window.Position) -> RestError {
        with { $0.changesPosition = position }
    }

    /// Returns a copy with a body of any length and its parsed form, from which endpoints read their errors.
    func keeping(_ body: [UInt8], root: JSONValue?) -> RestError {
        with { ($0.body, $0.root) = (body, root) }
    }

    /// Returns a copy with the error that an endpoint threw.
    func carrying(_ failure: any Error) -> RestError { with { $0.ownFailure = failure } }

    var ownFailure: (any Error)? { facts.ownFailure }

    var hasParsedBody: Bool { facts.root != nil }

    /// The body as JSON, or `nil` if the body is not JSON.
    package var bodyRoot: JSONValue? { facts.root ?? (try? JSONValue(parsing: body)) }

    /// The error for the caller: the body is cut to its maximum size, and its parsed form is dropped.
    var trimmed: RestError {
        guard body.count > Self.maximumBodySize || hasParsedBody else { return self }
        return with { facts in
            if facts.body.count > Self.maximumBodySize { facts.body = Array(facts.body.prefix(Self.maximumBodySize)) }
            facts.root = nil
        }
    }

    @inline(never)
    private func with(_ change: (inout Facts) -> Void) -> RestError {
        var copy = self
        change(&copy.facts)
        return copy
    }
}

extension RestError {
    /// One attempt of a call that was retried.
    public struct Attempt: Sendable, Hashable {
        /// The kind of the attempt's error.
        public let code: Code
        /// The status of the response, or `nil` if there was no response.
        public let status: Int?
        /// Whether the server applied this attempt of a write, or `nil` for a read.
        public let outcome: RestError.WriteOutcome?
        /// The delay after the attempt.
        public let delay: Duration
    }
}

extension RestError {
    /// Whether the server applied a write, which is not always known.
    public enum WriteOutcome: String, Sendable, Hashable {
        /// The server did not apply the write, so it is safe to send it again.
        case notApplied
        /// The server applied the write, but the call failed afterwards.
        case applied
        /// The server may have applied the write, so check before you send it again.
        case unknown
    }
}

extension RestError.WriteOutcome {
    /// Returns the outcome of a write that was sent twice.
    func and(_ other: RestError.WriteOutcome) -> RestError.WriteOutcome {
        if self == .applied || other == .applied { return .applied }
        return self == .unknown ? .unknown : other
    }
}

extension RestRequest {
    /// A summary of a request without header fields, body and query.
    public struct Summary: Sendable, Hashable, CustomStringConvertible {
        /// The name of the request, such as `query` or `create`.
        public let name: String
        /// The HTTP method.
        public let method: HTTPMethod
        /// The path without the query, which may contain data.
        public let path: String

        /// Makes a summary.
        public init(name: String, method: HTTPMethod, path: String) {
            self.name = name
            self.method = method
            self.path = path
        }

        /// The summary as a string, for people and logs.
        public var description: String { "\(name) (\(method) \(path))" }
    }
}

extension RestError: CustomStringConvertible {
    /// The error as a string, for people and logs.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let request { text += " [\(request)" + (status.map { ", status \($0)" } ?? "") + "]" }
        if let outcome { text += " [write \(outcome.rawValue)]" }
        return text
    }
}

extension RestError {
    static func invalidRequest(_ argument: String, _ reason: String, isWrite: Bool = false) -> RestError {
        RestError(.invalidRequest, "\(argument): \(reason)", outcome: isWrite ? .notApplied : nil)
    }

    init(_ error: TransportError, isWrite: Bool) {
        let outcome: RestError.WriteOutcome? = isWrite ? (error.mayHaveReachedServer ? .unknown : .notApplied) : nil
        self.init(Self.code(of: error), error.message, outcome: outcome, underlying: error.underlying ?? error)
    }

    /// Converts an error of getting a token, because of which the request of the call was not sent.
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

    /// The error numbers of the HTTP library and the operating system, outermost first: libcurl's or URLSession's, then
    /// `errno`.
    ///
    /// The array is empty if the error does not come from a transport. ``message`` contains the numbers too.
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
