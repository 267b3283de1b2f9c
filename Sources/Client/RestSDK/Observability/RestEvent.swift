// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// Something that happened to a call: the beginning and end of the call itself and of every attempt to send it, what it
/// waited for, and how far a long one has come.
///
/// Events carry no header values but the server's id of the request and the ids of a trace, no query and no body, so
/// they hold no secrets; of data they hold the ids in the path.
public struct RestEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The caller sent the request.
        case callStarted
        /// The request goes to the transport; the number counts from 0.
        case attemptStarted(number: Int)
        /// A response came, with this many bytes of body and the server's id of the request, if it named one.
        case attemptAnswered(number: Int, status: Int, size: Int, duration: Duration, requestID: String?)
        /// No response came.
        case attemptFailed(number: Int, code: RestError.Code, duration: Duration)
        /// The call is sent again after a wait, because it failed with this code.
        case retrying(after: RestError.Code, delay: Duration)
        /// The call waited for a place among those that the client's own limits let start.
        case waitedForLimits(duration: Duration)
        /// The call waited for an access token and got it: its first one, or a new one after the server refused the
        /// last.
        case tokenReceived(isRenewal: Bool, duration: Duration)
        /// The call waited for an access token in vain.
        case tokenFailed(isRenewal: Bool, duration: Duration)
        /// The bodies of an attempt have come this far; told once a second at most, so that short attempts tell
        /// nothing.
        case progress(TransferProgress)
        /// A page of a query's result was given; the number counts from 0, the records are those given so far.
        case pageGiven(number: Int, records: Int, total: Int)
        /// The org told how much of its daily allowance is used; told again when it changed by one percent.
        case allowance(RestClient.APIAllowance)
        /// The call succeeded.
        case callSucceeded(duration: Duration)
        /// The call failed; a retry that helped is no failure.
        case callFailed(code: RestError.Code, attempts: Int, duration: Duration)
    }

    /// The client's name, as in ``RestClient/Configuration/name``; empty when it has none.
    public let client: String
    /// Numbers the calls of a client; all events of one call share it.
    public let call: UInt64
    /// The request's kind (``RestRequest/name``), a bounded label.
    public let name: String
    /// The server that the call asks.
    public let service: RestRequest.Service
    /// What happened.
    public let kind: Kind
    /// The step of a trace that the call is; `nil` for one that is none.
    public let trace: RestRequest.TraceContext?
    /// Where the resource is; made to text when somebody asks.
    private let resource: RestRequest.Resource

    /// Makes an event, for tests of sinks.
    ///
    /// - Parameters:
    ///   - client: the client's name.
    ///   - call: the call's number.
    ///   - request: what the call asks.
    ///   - kind: what happened.
    ///   - trace: the step of a trace that the call is.
    public init(
        client: String = "", call: UInt64, request: RestRequest, kind: Kind, trace: RestRequest.TraceContext? = nil
    ) {
        self.trace = trace
        self.client = client
        self.call = call
        self.kind = kind
        (name, service, resource) = (request.name, request.service, request.resource)
    }

    /// The path of the request without its query: whole as the server gave it, or below the base path of the service.
    public var path: String {
        resource.path { $0.map { "/\(PercentEncoding.pathSegment($0))" }.joined() }
    }
}

extension RestEvent: CustomStringConvertible {
    /// The event as one line for a log.
    public var description: String {
        "\(client.isEmpty ? "" : "\(client): ")\(name) #\(call) \(kind.description)"
            + (trace.map { " [trace \($0.traceID) \($0.spanID)]" } ?? "")
    }
}

extension RestEvent.Kind: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .callStarted: "started"
        case .attemptStarted(let number): "attempt \(number) started"
        case .attemptAnswered(let number, let status, let size, let duration, let id):
            "attempt \(number) answered \(status), \(size) bytes, \(duration)" + (id.map { ", request \($0)" } ?? "")
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
    /// Receives the events of a client: for logs, metrics and traces.
    public protocol Sink: Sendable {
        /// Takes one event. Called from any thread, also several at once; must return soon.
        func record(_ event: RestEvent)
    }
}

extension RestEvent {
    /// Hands every event to a function as a line of text.
    public struct TextSink: RestEvent.Sink {
        private let write: @Sendable (String) -> Void

        /// Makes a sink over a function that writes a line.
        public init(_ write: @escaping @Sendable (String) -> Void) {
            self.write = write
        }

        /// Writes the event's line.
        public func record(_ event: RestEvent) {
            write(event.description)
        }
    }
}

extension RestEvent {
    /// Hands every event to whoever iterates over ``events``, for apps that would rather loop than implement a sink.
    ///
    /// Events wait in a buffer of fixed size; when nobody keeps up, the oldest are dropped.
    public struct Stream: RestEvent.Sink {
        /// The events from now on, for one reader.
        public let events: AsyncStream<RestEvent>
        private let continuation: AsyncStream<RestEvent>.Continuation

        /// Makes a stream.
        ///
        /// - Parameter capacity: how many events wait at most.
        public init(capacity: Int = 1_000) {
            (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, capacity)))
        }

        /// Puts the event into the stream.
        public func record(_ event: RestEvent) {
            continuation.yield(event)
        }
    }
}

#if canImport(os)
public import os

extension RestEvent {
    /// Hands every event to the system's log.
    public struct LoggerSink: RestEvent.Sink {
        private let logger: Logger

        /// Makes a sink over a logger.
        public init(_ logger: Logger) {
            self.logger = logger
        }

        /// Logs the event; failures of calls as errors, everything else for debugging.
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
    /// Credentials in header fields and in the URL's query, and the whole body are left out: a body may be a form with
    /// a password.
    public var curlCommand: String {
        var words: [String] = []
        if case .empty = body {} else { words = ["--data-binary", "@BODY"] }
        return curlCommand(body: words) { $0.description.shellQuoted }
    }

    /// The request as a `curl` command line with these words for its body, and words for each header field.
    package func curlCommand(body: [String], header: (HTTPFields.Field) -> String) -> String {
        let head = ["curl", "--request", method.rawValue.shellWord] + fields.flatMap { ["--header", header($0)] }
        return (head + body + [url.redacted.shellQuoted]).joined(separator: " ")
    }
}

extension HTTPURL {
    /// The URL as text, without the values in its query that are secrets.
    package var redacted: String {
        guard let query else { return description }
        return HTTPURL(origin: origin, path: path, query: Self.redactedForm(query)).description
    }

    /// A form, or the query of a URL, without the values that are secrets.
    package static func redactedForm(_ form: String) -> String {
        form.split(byte: "&", omittingEmptySubsequences: false).map(redacted).joined(separator: "&")
    }

    private static func redacted(_ item: Substring) -> String {
        let sides = item.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // A name that cannot be read hides its value too.
        let name = try? PercentEncoding.decodeForm(sides[0])
        guard sides.count == 2, name.map(SecretName.isSecret) ?? true else { return String(item) }
        return "\(sides[0])=«redacted»"
    }
}
