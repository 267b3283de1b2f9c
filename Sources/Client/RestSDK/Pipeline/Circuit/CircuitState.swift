// SPDX-License-Identifier: Apache-2.0

/// The rules of the circuit breaker: a value without I/O, clocks or locks.
struct CircuitState {
    /// Who may pass.
    enum Phase: Equatable {
        /// Every request passes and is counted.
        case closed
        /// Nobody passes before the instant; the first after it is the probe.
        case open(until: ContinuousClock.Instant)
        /// The probe is under way, and nobody else passes; its end decides.
        case probing
    }

    /// The answer to a request that wants to pass.
    enum Admission: Equatable {
        case pass
        /// Pass, and decide for all.
        case probe
        /// Fail; the server is asked again at the instant, or when the probe is over.
        case refuse(until: ContinuousClock.Instant?)
    }

    /// What a request says about the server.
    enum Ending: Equatable {
        case succeeded
        case failed
        /// Nothing: it was cancelled, or failed on our side.
        case silent
    }

    /// A tenth of the window.
    private struct Slice {
        let number: Int64
        var requests = 0
        var failures = 0
    }

    private let policy: CircuitBreakerPolicy
    private let start: ContinuousClock.Instant
    private(set) var phase = Phase.closed
    private var slices: [Slice] = []

    init(policy: CircuitBreakerPolicy, at now: ContinuousClock.Instant) {
        self.policy = policy.bounded
        start = now
    }

    /// A request wants to pass.
    mutating func admit(at now: ContinuousClock.Instant) -> Admission {
        switch phase {
        case .closed: return .pass
        case .probing: return .refuse(until: nil)
        case .open(let end) where now < end: return .refuse(until: end)
        case .open:
            phase = .probing
            return .probe
        }
    }

    /// A request that passed is over.
    mutating func ended(_ ending: Ending, of admission: Admission, at now: ContinuousClock.Instant) {
        switch (admission, ending) {
        case (.probe, .succeeded):
            phase = .closed
            slices = []
        case (.probe, .failed): phase = .open(until: now + policy.pause)
        case (.probe, .silent): phase = .open(until: now)
        case (.pass, .succeeded), (.pass, .failed): count(ending, at: now)
        case (.pass, .silent), (.refuse, _): break
        }
    }

    /// Counts while the circuit is closed; what began before it opened says nothing new.
    private mutating func count(_ ending: Ending, at now: ContinuousClock.Instant) {
        guard phase == .closed else { return }
        let number = Int64((now - start) / (policy.window / 10))
        slices.removeAll { $0.number <= number - 10 }
        if slices.last?.number != number { slices.append(Slice(number: number)) }
        slices[slices.count - 1].requests += 1
        if ending == .failed { slices[slices.count - 1].failures += 1 }
        let requests = slices.reduce(0) { $0 + $1.requests }
        let failures = slices.reduce(0) { $0 + $1.failures }
        guard requests >= policy.minimumRequests, Double(failures) >= policy.failureRatio * Double(requests),
            failures > 0
        else { return }
        phase = .open(until: now + policy.pause)
        slices = []
    }
}
