// SPDX-License-Identifier: Apache-2.0

/// Who is at work for a call in which the host's own code takes part, as a value: nobody can make that code heed a
/// cancellation or a deadline, so a call that was ended does not wait for it.
struct HostWorkState: Sendable, Hashable {
    /// Who waits for whom.
    enum Phase: Sendable, Hashable {
        /// The host's code is at work, and the call waits for it until somebody ends the call.
        case host
        /// The SDK's own steps are at work for the host's code, and the call waits for them: they let go at once when
        /// it ends.
        case steps
        /// The call was ended; it waits for the SDK's own steps, which know what became of a write, and then for
        /// nobody.
        case ending(CallState.Ending)
        /// The call has gone on, with the outcome of the work or without; nobody waits.
        case over
    }

    private(set) var phase = Phase.host

    /// Whether the task of the work is not needed any more, or is to let go of the SDK's own steps.
    ///
    /// The steps heed the deadline by themselves, and say then that it passed.
    var cancelsWork: Bool { phase == .over || phase == .ending(.cancelled) }

    /// The host's code lets the SDK's own steps go on.
    mutating func stepsBegin() {
        if phase == .host { phase = .steps }
    }

    /// The SDK's own steps are over, and the host's code is at work again.
    ///
    /// - Returns: what ended the call, when it is to go on without the host's code.
    mutating func stepsEnd() -> CallState.Ending? {
        switch phase {
        case .steps: phase = .host
        case .ending(let ending):
            phase = .over
            return ending
        case .host, .over: break
        }
        return nil
    }

    /// The call is ended from outside; the first who does so decides.
    ///
    /// - Returns: whether the call is to go on at once, without the host's code.
    mutating func end(_ ending: CallState.Ending) -> Bool {
        switch phase {
        case .host:
            phase = .over
            return true
        case .steps: phase = .ending(ending)
        case .ending, .over: break
        }
        return false
    }

    /// The host's code came to its end.
    ///
    /// - Returns: whether the call still waits for what it came to.
    mutating func finish() -> Bool {
        defer { phase = .over }
        return phase != .over
    }
}
