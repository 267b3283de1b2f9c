// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A call that is sent when somebody first asks for it, and of which nobody hears once it was cancelled: what a Combine
/// subscription does, without Combine.
package final class ColdCall<Value: Sendable, Failure: Error>: Sendable {
    /// What a subscriber hears: a value and the end, or a failure.
    package enum Event: Sendable {
        case value(Value)
        case finished
        case failed(Failure)
    }

    /// The state with what belongs to it until the end.
    private struct Core {
        var state = ColdCallState()
        var task: Task<Void, Never>?
        var receive: (@Sendable (Event) -> Void)?
    }

    private let sending: Sending<Value, Failure>
    private let isolation: (any Actor)?
    private let core: Mutex<Core>

    /// Makes a call that waits to be asked for.
    ///
    /// - Parameters:
    ///   - sending: what is sent.
    ///   - isolation: the actor on which `receive` is called; a thread of the concurrency runtime if it is `nil`.
    ///   - receive: hears of the call.
    package init(
        _ sending: Sending<Value, Failure>, on isolation: (any Actor)? = nil,
        receive: @escaping @Sendable (Event) -> Void
    ) {
        self.sending = sending
        self.isolation = isolation
        core = Mutex(Core(receive: receive))
    }

    /// The subscriber has its subscription; from now on it may hear of the call.
    package func attach() {
        if core.withLock({ $0.state.attach() }) { send() }
    }

    /// Asks for the value; the call is sent the first time.
    package func start() {
        if core.withLock({ $0.state.demand() }) { send() }
    }

    /// Ends the call; nothing is heard of it any more.
    package func cancel() {
        end { $0.cancel() }?.task?.cancel()
    }

    private func send() {
        let task = Task(name: sending.name) {
            let outcome = await sending.outcome(Call.Options())
            await hand(outcome, on: isolation)
        }
        let isWanted = core.withLock { core in
            guard !core.state.isOver else { return false }
            core.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    /// Tells the subscriber, on its actor, where no cancel of its own can come between the question and the call.
    private func hand(
        _ outcome: Result<Value, Failure>, on isolation: isolated (any Actor)?
    ) {
        switch outcome {
        case .success(let response):
            core.withLock { $0.state.arrive() ? $0.receive : nil }?(.value(response))
            end { $0.finish() }?.receive?(.finished)
        case .failure(let error):
            end { $0.fail() }?.receive?(.failed(error))
        }
    }

    /// Ends the call if the transition says so, and gives what belonged to it: it is let go outside of the lock.
    private func end(_ transition: (inout ColdCallState) -> Bool) -> Core? {
        core.withLock { core in
            guard transition(&core.state) else { return nil }
            defer { (core.task, core.receive) = (nil, nil) }
            return core
        }
    }
}

/// How far a cold call has come: what a subscriber may hear next.
struct ColdCallState: Sendable, Equatable {
    private enum Phase: Equatable {
        /// The subscriber is being given its subscription; whether it has asked for the value already.
        case attaching(isWanted: Bool)
        /// Nobody asked yet; nothing was sent.
        case cold
        /// The call is under way.
        case running
        /// The value was handed over, and the end was not.
        case delivered
        /// The subscriber heard the end, or does not want to.
        case over
    }

    private var phase = Phase.attaching(isWanted: false)

    /// Whether nothing more is heard of the call.
    var isOver: Bool { phase == .over }

    /// The subscriber has its subscription.
    ///
    /// - Returns: whether to send the call.
    mutating func attach() -> Bool {
        guard case .attaching(let isWanted) = phase else { return false }
        phase = isWanted ? .running : .cold
        return isWanted
    }

    /// The subscriber asks for a value.
    ///
    /// - Returns: whether to send the call.
    mutating func demand() -> Bool {
        switch phase {
        case .attaching: phase = .attaching(isWanted: true)
        case .cold:
            phase = .running
            return true
        case .running, .delivered, .over: break
        }
        return false
    }

    /// An answer came.
    ///
    /// - Returns: whether to hand it over.
    mutating func arrive() -> Bool { move(from: .running, to: .delivered) }

    /// The answer was handed over.
    ///
    /// - Returns: whether to tell the end.
    mutating func finish() -> Bool { move(from: .delivered, to: .over) }

    /// The call failed.
    ///
    /// - Returns: whether to tell.
    mutating func fail() -> Bool { move(from: .running, to: .over) }

    /// The subscriber wants nothing more.
    ///
    /// - Returns: whether the call was not over yet.
    mutating func cancel() -> Bool {
        defer { phase = .over }
        return phase != .over
    }

    private mutating func move(from old: Phase, to new: Phase) -> Bool {
        guard phase == old else { return false }
        phase = new
        return true
    }
}
