// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// The error of an unsuccessful Bayeux message, such as `403::Unknown client`.
struct BayeuxFault: Sendable, Equatable {
    /// The client's message that was rejected.
    enum Message: Equatable {
        case handshake, connect
        case subscribe(String)
    }

    /// The number before the first colon, or 0.
    let code: Int
    let text: String

    /// Reads the error of a message, for which Salesforce's own reason of a denied handshake is preferred.
    init(_ message: JSONValue) {
        let reason = message["ext"]?["sfdc"]?["failureReason"]?.string
        self.init(reason ?? message["error"]?.string ?? "")
    }

    init(_ error: String) {
        let parts = error.split(byte: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let code = Int(outside: parts[0], in: .status) else {
            (self.code, text) = (0, error)
            return
        }
        (self.code, text) = (code, String(parts[2]))
    }

    func error(_ message: Message, _ advice: BayeuxSession.Advice) -> WireError {
        var channel: String?
        if case .subscribe(let name) = message { channel = name }
        let words = text.isEmpty ? "the server gave no reason" : EventError.said(text)
        let made = { (code: EventError.Code, remedy: WireError.Remedy) in
            WireError(
                EventError(code, words, channel: channel), remedy,
                after: remedy == .retry || remedy == .reopen ? advice.interval : .zero)
        }
        let lower = text.lowercased()
        if lower.hasBytes("limit") { return made(.limit, .none) }
        switch (code, message) {
        // The response was too long to be read for the renewal of the token, which the next session needs.
        case (401, _): return made(.unauthorized, .reopen)
        case (400, .subscribe) where lower.hasBytes("replayid"): return made(.invalidPosition, .position)
        case (402, _): return made(.unavailable, .reopen)
        case (403, _) where lower.hasBytes("unknown client") || lower.hasBytes("handshake") && message != .handshake:
            return made(.unavailable, .reopen)
        case (500..., _): return made(.unavailable, .retry)
        case (403, .subscribe): return made(.forbidden, .none)
        case (400, .subscribe), (404, .subscribe): return made(.unknownChannel, .none)
        case _ where lower.hasBytes("busy") || lower.hasBytes("unavailable"): return made(.unavailable, .retry)
        default: break
        }
        guard advice.isGiven else { return made(.rejected, message == .connect ? .retry : .none) }
        switch advice.reconnect {
        case .none: return made(.rejected, .none)
        case .handshake: return made(.unavailable, .reopen)
        case .retry: return channel == nil ? made(.unavailable, .retry) : made(.rejected, .none)
        }
    }
}
