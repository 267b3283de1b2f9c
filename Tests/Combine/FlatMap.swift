// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension Publisher {
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publishers {
    /// Makes a publisher of each value and gives the values of all of them.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let maxPublishers: Subscribers.Demand
        let transform: (Upstream.Output) -> NewPublisher

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let merge = Merge(AnySubscriber(subscriber), self)
            subscriber.receive(subscription: merge)
            upstream.subscribe(merge)
        }
    }
}

/// The publishers under way, and values that nobody asked for yet: at most one of each publisher.
private final class Merge<Inner: Publisher, Upstream: Publisher>: Subscription, Subscriber
where Inner.Failure == Upstream.Failure {
    typealias Failure = Upstream.Failure

    private let lock = NSRecursiveLock()
    private let operation: Publishers.FlatMap<Inner, Upstream>
    private var subscriber: AnySubscriber<Inner.Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var outer: (any Subscription)?
    private var isOuterFinished = false
    private var inner: [Int: (any Subscription)?] = [:]
    private var waiting: [(number: Int, value: Inner.Output)] = []
    private var last = 0

    init(_ subscriber: AnySubscriber<Inner.Output, Failure>, _ operation: Publishers.FlatMap<Inner, Upstream>) {
        self.subscriber = subscriber
        self.operation = operation
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            self.demand += demand
            while self.demand > .none, !waiting.isEmpty, let subscriber {
                let (number, value) = waiting.removeFirst()
                self.demand -= 1
                self.demand += subscriber.receive(value)
                inner[number]??.request(.max(1))
            }
            finishIfDone()
        }
    }

    func cancel() {
        let all = lock.withLock {
            subscriber = nil
            defer { (outer, inner, waiting) = (nil, [:], []) }
            return [outer] + Array(inner.values)
        }
        for subscription in all { subscription?.cancel() }
    }

    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock {
            if subscriber != nil { outer = subscription }
            return subscriber != nil
        }
        isWanted ? subscription.request(operation.maxPublishers) : subscription.cancel()
    }

    func receive(_ value: Upstream.Output) -> Subscribers.Demand {
        let publisher = operation.transform(value)
        let number = lock.withLock {
            last += 1
            inner[last] = .some(nil)
            return last
        }
        publisher.subscribe(InnerSubscriber(merge: self, number: number))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            outer = nil
            isOuterFinished = true
            if case .failure = completion { end(completion) } else { finishIfDone() }
        }
    }

    private func finishIfDone() {
        if isOuterFinished, inner.isEmpty, waiting.isEmpty { end(.finished) }
    }

    private func end(_ completion: Subscribers.Completion<Failure>) {
        guard let subscriber else { return }
        cancel()
        subscriber.receive(completion: completion)
    }

    /// One of the publishers that were made.
    private struct InnerSubscriber: Subscriber {
        let merge: Merge
        let number: Int

        var combineIdentifier: CombineIdentifier { merge.combineIdentifier }

        func receive(subscription: any Subscription) {
            let isWanted = merge.lock.withLock {
                if merge.subscriber != nil { merge.inner[number] = .some(subscription) }
                return merge.subscriber != nil
            }
            isWanted ? subscription.request(.max(1)) : subscription.cancel()
        }

        func receive(_ value: Inner.Output) -> Subscribers.Demand {
            merge.lock.withLock {
                guard let subscriber = merge.subscriber else { return .none }
                guard merge.demand > .none else {
                    merge.waiting.append((number, value))
                    return .none
                }
                merge.demand -= 1
                merge.demand += subscriber.receive(value)
                return .max(1)
            }
        }

        func receive(completion: Subscribers.Completion<Inner.Failure>) {
            merge.lock.withLock {
                merge.inner[number] = nil
                if case .failure = completion { return merge.end(completion) }
                if merge.operation.maxPublishers != .unlimited { merge.outer?.request(.max(1)) }
                merge.finishIfDone()
            }
        }
    }
}
