// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a call: the beginning and end of the call itself and of every attempt to send it, and how
/// far a long one has come.
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
        /// The bodies of an attempt have come this far; told once a second at most, so that short attempts tell
        /// nothing.
        case progress(TransferProgress)
        /// A page of a query's result was given; the number counts from 0, the records are those given so far.
        case pageGiven(number: Int, records: Int, total: Int)
        /// The org told how much of its daily allowance is used; told again when it changed by one percent.
        case allowance(APIAllowance)
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
            case .progress(let progress): "\(progress.sent) bytes sent, \(progress.received) received"
            case .pageGiven(let number, let records, let total): "page \(number), \(records) of \(total) records"
            case .allowance(let allowance): "\(allowance)"
            case .callSucceeded(let duration): "succeeded, \(duration)"
            case .callFailed(let code, let attempts, let duration):
                "failed \(code.rawValue) after \(attempts) attempts, \(duration)"
            }
        return "\(name) #\(call) \(what)"
    }
}
