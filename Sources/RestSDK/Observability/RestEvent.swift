// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a call: the beginning and end of the call itself and of every attempt to send it.
///
/// Events carry no header values, no query and no body, so they hold neither secrets nor data.
public struct RestEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The caller sent the request.
        case callStarted
        /// The request goes to the transport; the number counts from 0.
        case attemptStarted(number: Int)
        /// A response came, with this many bytes of body.
        case attemptAnswered(number: Int, status: Int, size: Int, duration: Duration)
        /// No response came.
        case attemptFailed(number: Int, code: RestError.Code, duration: Duration)
        /// The call succeeded.
        case callSucceeded(duration: Duration)
        /// The call failed; a retry that helped is no failure.
        case callFailed(code: RestError.Code, attempts: Int, duration: Duration)
    }

    /// Numbers the calls of a client; all events of one call share it.
    public let call: UInt64
    /// The request's kind (``RestRequest/name``), a bounded label.
    public let name: String
    /// What happened.
    public let kind: Kind

    /// Makes an event.
    public init(call: UInt64, name: String, kind: Kind) {
        self.call = call
        self.name = name
        self.kind = kind
    }
}

extension RestEvent: CustomStringConvertible {
    /// The event as one line for a log.
    public var description: String {
        let what =
            switch kind {
            case .callStarted: "started"
            case .attemptStarted(let number): "attempt \(number) started"
            case .attemptAnswered(let number, let status, let size, let duration):
                "attempt \(number) answered \(status), \(size) bytes, \(duration)"
            case .attemptFailed(let number, let code, let duration):
                "attempt \(number) failed \(code.rawValue), \(duration)"
            case .callSucceeded(let duration): "succeeded, \(duration)"
            case .callFailed(let code, let attempts, let duration):
                "failed \(code.rawValue) after \(attempts) attempts, \(duration)"
            }
        return "\(name) #\(call) \(what)"
    }
}

/// Receives the events of a client: for logs, metrics and traces.
public protocol RestEventSink: Sendable {
    /// Takes one event. Called from any thread, also several at once; must return soon.
    func record(_ event: RestEvent)
}

/// Hands every event to a function as a line of text.
public struct TextEventSink: RestEventSink {
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
