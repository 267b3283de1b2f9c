// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting

/// What really happened to a scheduled call, and so what its caller may be told.
struct ScheduledTruth {
    /// How often the call was sent, without the requests for tokens.
    private(set) var sends = 0
    /// How often it was sent after it had been ended.
    private(set) var lateSends = 0
    /// How often the server applied it.
    private(set) var applications = 0
    /// What the client can know of a write by what it was answered.
    private(set) var knowledge = RestError.WriteOutcome.notApplied
    /// Where the call was ended from outside, and how.
    private(set) var ending: (place: ScheduledPlace, interruption: ScheduledInterruption)?
    /// What the caller is told if nothing else happens.
    private var last: CallKind?

    /// The call comes to the network.
    mutating func sent() {
        sends += 1
        if ending != nil { lateSends += 1 }
    }

    /// An attempt ended so, as far as the client can know.
    mutating func attemptEnded(isApplied: Bool, knownAs outcome: RestError.WriteOutcome) {
        if isApplied { applications += 1 }
        switch (knowledge, outcome) {
        case (.applied, _), (.unknown, .notApplied): break
        default: knowledge = outcome
        }
    }

    /// The client heard this, which is the call's end unless more happens.
    mutating func heard(_ kind: CallKind) { last = kind }

    /// The call is ended from outside.
    mutating func end(at place: ScheduledPlace, by interruption: ScheduledInterruption) {
        ending = (place, interruption)
        // Before an attempt, nothing but the end can follow; a login that was refused for good stays refused.
        guard interruption == .deadline, place.isBeforeSending, last != .failed(.refreshFailed) else { return }
        last = .timedOut
    }

    /// What the caller may be told.
    func allowed(_ host: ScheduledHost.Parts) -> Set<CallKind> {
        let last = last ?? .failed(.init(rawValue: "nothing"))
        let failures: Set<CallKind> = host.breaksCircuit ? [last, .failed(.circuitOpen)] : [last]
        switch ending?.interruption {
        case .cancel: return [.cancelled]
        case .cancelAnytime: return failures.union([.cancelled])
        // The app's code may be left behind although the answer is there.
        case .shutDown where last == .loaded: return host.hasInterceptor ? [last, .failed(.shutDown)] : [last]
        case .shutDown: return [.failed(.shutDown)]
        case .deadline where last == .loaded: return host.hasInterceptor ? [last, .timedOut] : [last]
        case .deadline: return failures.union([.timedOut])
        case nil: return last == .loaded ? [last] : failures
        }
    }
}

/// Where a scheduled call is when it is ended.
package enum ScheduledPlace: Sendable, Hashable, CaseIterable {
    /// The caller's own task, at any moment.
    case anywhere
    /// Waiting for a token, the first or a new one.
    case token
    /// With the network.
    case flight
    /// In the client's own line.
    case line
    /// In the wait before it is sent again.
    case backOff
    /// In the wait that a handler asked for.
    case handlerWait
    /// In the app's interceptor, before the SDK's own steps and after them.
    case interceptorBefore, interceptorAfter
    /// In the app's handler of errors.
    case handler

    /// Whether an attempt must follow for the call to succeed.
    fileprivate var isBeforeSending: Bool {
        switch self {
        case .token, .line, .backOff, .handlerWait, .interceptorBefore: true
        case .anywhere, .flight, .interceptorAfter, .handler: false
        }
    }
}

/// What ends a scheduled call from outside.
enum ScheduledInterruption: Sendable, CaseIterable {
    case cancel, deadline, shutDown
    /// A cancellation that nothing orders with what the call does.
    case cancelAnytime
}

/// What a caller was told, whatever the style.
enum CallKind: Hashable {
    case loaded, cancelled, timedOut
    case failed(RestError.Code)

    init(_ callback: RecordingDelegate.Callback) {
        switch callback {
        case .loaded: self = .loaded
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .failed(let error): self.init(error)
        }
    }

    init(_ error: RestError) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        default: self = .failed(error.code)
        }
    }
}
