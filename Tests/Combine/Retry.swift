// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension Publisher {
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        Publishers.Retry(upstream: self, retries: retries)
    }
}

extension Publishers {
    /// Subscribes again after a failure, a number of times.
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let retries: Int

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let attempts = Attempts(AnySubscriber(subscriber), self)
            subscriber.receive(subscription: attempts)
            upstream.subscribe(attempts)
        }
    }
}

/// The demand that is not met yet, which each attempt gets.
private final class Attempts<Upstream: Publisher>: Subscription, Subscriber {
    private let lock = NSLock()
    private let upstream: Upstream
    private var left: Int
    private var subscriber: AnySubscriber<Upstream.Output, Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var current: (any Subscription)?

    init(_ subscriber: AnySubscriber<Upstream.Output, Upstream.Failure>, _ operation: Publishers.Retry<Upstream>) {
        self.subscriber = subscriber
        upstream = operation.upstream
        left = operation.retries
    }

    func request(_ demand: Subscribers.Demand) {
        let current = lock.withLock {
            self.demand += demand
            return self.current
        }
        current?.request(demand)
    }

    func cancel() {
        let current = lock.withLock {
            subscriber = nil
            defer { self.current = nil }
            return self.current
        }
        current?.cancel()
    }

    func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = lock.withLock {
            guard subscriber != nil else { return nil }
            current = subscription
            return self.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ value: Upstream.Output) -> Subscribers.Demand {
        let subscriber = lock.withLock {
            if self.subscriber != nil { demand -= 1 }
            return self.subscriber
        }
        guard let more = subscriber?.receive(value) else { return .none }
        lock.withLock { demand += more }
        return more
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        let (isOver, subscriber) = lock.withLock {
            current = nil
            if case .failure = completion, left > 0, self.subscriber != nil {
                left -= 1
                return (false, self.subscriber)
            }
            defer { self.subscriber = nil }
            return (true, self.subscriber)
        }
        isOver ? subscriber?.receive(completion: completion) : upstream.subscribe(self)
    }
}
