// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Dispatch

/// Where and when closures run; of Apple's protocol only what the tests need.
public protocol Scheduler {
    func schedule(_ action: @escaping () -> Void)
}

extension DispatchQueue: Scheduler {
    public func schedule(_ action: @escaping () -> Void) {
        async(execute: DispatchWorkItem(block: action))
    }
}

extension Publisher {
    public func receive<S: Scheduler>(on scheduler: S) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler)
    }
}

extension Publishers {
    /// Gives values and the completion on a scheduler, in their order.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let scheduler: Context

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Rescheduled(subscriber: AnySubscriber(subscriber), scheduler: scheduler))
        }
    }
}

private final class Rescheduled<Input, Failure: Error, Context: Scheduler>: Subscriber, Subscription {
    private let subscriber: Once<AnySubscriber<Input, Failure>>
    private let receiver: AnySubscriber<Input, Failure>
    private let scheduler: Context
    private var upstream: (any Subscription)?

    init(subscriber: AnySubscriber<Input, Failure>, scheduler: Context) {
        self.subscriber = Once(subscriber)
        receiver = subscriber
        self.scheduler = scheduler
    }

    func receive(subscription: any Subscription) {
        upstream = subscription
        receiver.receive(subscription: self)
    }

    func receive(_ value: Input) -> Subscribers.Demand {
        scheduler.schedule { [self] in
            guard !subscriber.isTaken else { return }
            let more = receiver.receive(value)
            if more > .none { upstream?.request(more) }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        scheduler.schedule { [self] in subscriber.take()?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
        _ = subscriber.take()
        upstream?.cancel()
    }
}
