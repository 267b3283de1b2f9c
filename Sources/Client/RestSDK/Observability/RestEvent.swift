// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// An event of a call: its start and end, those of its attempts, its waits, and its progress.
///
/// Events contain no secrets: no query, no body, and no header values except the server's request id and the trace ids.
/// They contain the ids in the path.
public struct RestEvent: Sendable, Hashable {
    /// The kind of an event.
    public enum Kind: Sendable, Hashable {
        /// The caller sent the request.
        case callStarted
        /// An attempt was passed to the transport, with its number from 0.
        case attemptStarted(number: Int)
        /// A response arrived, with the size of its body in bytes and the server's request id, if any.
        case attemptAnswered(number: Int, status: Int, size: Int, duration: Duration, requestID: String?)
        /// An attempt failed without a response.
        case attemptFailed(number: Int, code: RestError.Code, duration: Duration)
        /// The call failed with this code and is retried after a delay.
        case retrying(after: RestError.Code, delay: Duration)
        /// The call waited because of the client's rate limits.
        case waitedForLimits(duration: Duration)
        /// The call waited for an access token and got it: the first token, or a new one after the server rejected the
        /// last.
        case tokenReceived(isRenewal: Bool, duration: Duration)
        /// The call waited for an access token and did not get it.
        case tokenFailed(isRenewal: Bool, duration: Duration)
        /// The progress of an attempt's bodies, reported at most once a second, and never for short attempts.
        case progress(TransferProgress)
        /// A page of a query was returned, with its number from 0 and the number of records so far.
        case pageGiven(number: Int, records: Int, total: Int)
        /// The org's daily API usage, reported again after a change of one percent.
        case allowance(RestClient.APIAllowance)
        /// The call succeeded.
        case callSucceeded(duration: Duration)
        /// The call failed, after all retries.
        case callFailed(code: RestError.Code, attempts: Int, duration: Duration)
    }

    /// The client's ``RestClient/Configuration/name``, or an empty string.
    public let client: String
    /// The number of the call in its client, which all events of the call share.
    public let call: UInt64
    /// The kind of the request (``RestRequest/name``), a label from a limited set.
    public let name: String
    /// The service that the request is sent to.
    public let service: RestRequest.Service
    /// The kind of the event.
    public let kind: Kind
    /// The span of a trace that the call is, or `nil` for none.
    public let trace: RestRequest.TraceContext?
    /// The resource, which is converted to a string on demand.
    private let resource: RestRequest.Resource

    /// Makes an event, for tests of sinks.
    ///
    /// - Parameters:
    ///   - client: the client's name.
    ///   - call: the call's number.
    ///   - request: the request of the call.
    ///   - kind: the kind of the event.
    ///   - trace: the span of a trace that the call is.
    public init(
        client: String = "", call: UInt64, request: RestRequest, kind: Kind, trace: RestRequest.TraceContext? = nil
    ) {
        self.trace = trace
        self.client = client
        self.call = call
        self.kind = kind
        (name, service, resource) = (request.name, request.service, request.resource)
    }

    /// The path of the request without its query: as sent by the server, or relative to the base path of the service.
    public var path: String {
        resource.path { $0.map { "/\(PercentEncoding.pathSegment($0))" }.joined() }
    }
}

extension RestEvent: CustomStringConvertible {
    /// The event in one line, for logs.
    public var description: String {
        "\(client.isEmpty ? "" : "\(client): ")\(name) #\(call) \(kind.description)"
            + (trace.map { " [trace \($0.traceID) \($0.spanID)]" } ?? "")
    }
}

extension RestEvent.Kind: CustomStringConvertible {
    /// The kind of the event in a few words.
    public var description: String {
        switch self {
        case .callStarted: "started"
        case .attemptStarted(let number): "attempt \(number) started"
        case .attemptAnswered(let number, let status, let size, let duration, let id):
            "attempt \(number) got status \(status), \(size) bytes, \(duration)" + (id.map { ", request \($0)" } ?? "")
        case .attemptFailed(let number, let code, let duration):
            "attempt \(number) failed \(code.rawValue), \(duration)"
        case .retrying(let code, let delay): "retrying after \(code.rawValue) in \(delay)"
        case .waitedForLimits(let duration): "waited \(duration) because of the client's limits"
        case .tokenReceived(let isRenewal, let duration): "\(isRenewal ? "new " : "")token after \(duration)"
        case .tokenFailed(let isRenewal, let duration): "no \(isRenewal ? "new " : "")token after \(duration)"
        case .progress(let progress): "\(progress.sent) bytes sent, \(progress.received) received"
        case .pageGiven(let number, let records, let total): "page \(number), \(records) of \(total) records"
        case .allowance(let allowance): "\(allowance)"
        case .callSucceeded(let duration): "succeeded, \(duration)"
        case .callFailed(let code, let attempts, let duration):
            "failed \(code.rawValue) after \(attempts) attempts, \(duration)"
        }
    }
}

extension RestEvent {
    /// Receives the events of a client, for logs, metrics and traces.
    public protocol Sink: Sendable {
        /// Receives an event on any thread, even on several threads at once, and must return quickly.
        func record(_ event: RestEvent)
    }
}

extension RestEvent {
    /// A sink that passes each event to a closure as a line of text.
    public struct TextSink: RestEvent.Sink {
        private let write: @Sendable (String) -> Void

        /// Makes a sink from a closure that writes a line.
        public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

        /// Writes the line of the event.
        public func record(_ event: RestEvent) { write(event.description) }
    }
}

extension RestEvent {
    /// A sink with a stream of ``events``, as an alternative to a custom sink.
    ///
    /// Events wait in a buffer of fixed size. If the reader is too slow, the oldest events are dropped.
    public struct Stream: RestEvent.Sink {
        /// The events from now on, for one reader.
        public let events: AsyncStream<RestEvent>
        private let continuation: AsyncStream<RestEvent>.Continuation

        /// Makes a stream.
        ///
        /// - Parameter capacity: the maximum number of events in the buffer.
        public init(capacity: Int = 1_000) {
            (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, capacity)))
        }

        /// Adds the event to the stream.
        public func record(_ event: RestEvent) { continuation.yield(event) }
    }
}

#if canImport(os)
public import os

extension RestEvent {
    /// A sink that writes events to the system's log.
    public struct LoggerSink: RestEvent.Sink {
        private let logger: Logger

        /// Makes a sink from a logger.
        public init(_ logger: Logger) { self.logger = logger }

        /// Logs the event: a failed call as an error, all others as debug messages.
        public func record(_ event: RestEvent) {
            if case .callFailed = event.kind {
                logger.error("\(event.description, privacy: .public)")
            } else {
                logger.debug("\(event.description, privacy: .public)")
            }
        }
    }
}
#endif

extension HTTPRequest {
    /// The request as a `curl` command line without its secrets, for bug reports.
    ///
    /// Credentials in headers and in the URL's query are removed. The whole body is removed too, because it can be a
    /// form with a password.
    public var curlCommand: String {
        var words: [String] = []
        if case .empty = body {} else { words = ["--data-binary", "@BODY"] }
        return curlCommand(body: words) { $0.description.shellQuoted }
    }

    /// Returns the request as a `curl` command line with these words for its body, and one word for each header.
    package func curlCommand(body: [String], header: (HTTPFields.Field) -> String) -> String {
        let head = ["curl", "--request", method.rawValue.shellWord] + fields.flatMap { ["--header", header($0)] }
        return (head + body + [url.redacted.shellQuoted]).joined(separator: " ")
    }
}

extension HTTPURL {
    /// The URL as a string, without the secrets in its query.
    package var redacted: String {
        guard let query else { return description }
        return HTTPURL(origin: origin, path: path, query: Self.redactedForm(query)).description
    }

    /// Returns a form or a URL's query without its secrets.
    package static func redactedForm(_ form: String) -> String {
        form.split(byte: "&", omittingEmptySubsequences: false).map(redacted).joined(separator: "&")
    }

    private static func redacted(_ item: Substring) -> String {
        let sides = item.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // If a name cannot be decoded, its value is removed too.
        let name = try? PercentEncoding.decodeForm(sides[0])
        guard sides.count == 2, name.map(SecretName.isSecret) ?? true else { return String(item) }
        return "\(sides[0])=«redacted»"
    }
}
