// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension Publisher {
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(a: self, b: other)
    }
}

extension Publishers {
    /// Pairs the values of two publishers; ends when one has ended and nothing of it is left.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        let a: A
        let b: B

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let pairing = Pairing<A.Output, B.Output, Failure>(AnySubscriber(subscriber))
            subscriber.receive(subscription: pairing)
            a.subscribe(Side(pairing, \.first))
            b.subscribe(Side(pairing, \.second))
        }
    }
}

/// What has come from both sides, and what was asked for.
private final class Pairing<First, Second, Failure: Error>: Subscription {
    struct Half<Value> {
        var values: [Value] = []
        var subscription: (any Subscription)?
        var isFinished = false
    }

    private let lock = NSRecursiveLock()
    private var subscriber: AnySubscriber<(First, Second), Failure>?
    private var demand = Subscribers.Demand.none
    var first = Half<First>()
    var second = Half<Second>()

    init(_ subscriber: AnySubscriber<(First, Second), Failure>) {
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        let sides = lock.withLock {
            self.demand += demand
            return [first.subscription, second.subscription]
        }
        for side in sides { side?.request(demand) }
    }

    func cancel() {
        let sides = lock.withLock {
            subscriber = nil
            defer { (first.subscription, second.subscription) = (nil, nil) }
            return [first.subscription, second.subscription]
        }
        for side in sides { side?.cancel() }
    }

    func attach<Value>(_ half: ReferenceWritableKeyPath<Pairing, Half<Value>>, _ subscription: any Subscription) {
        let demand: Subscribers.Demand? = lock.withLock {
            guard subscriber != nil else { return nil }
            self[keyPath: half].subscription = subscription
            return self.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func take<Value>(_ half: ReferenceWritableKeyPath<Pairing, Half<Value>>, _ value: Value) -> Subscribers.Demand {
        lock.withLock {
            self[keyPath: half].values.append(value)
            guard let subscriber, !first.values.isEmpty, !second.values.isEmpty else { return .none }
            precondition(demand > .none, "a pair that nobody asked for")
            demand -= 1
            let more = subscriber.receive((first.values.removeFirst(), second.values.removeFirst()))
            demand += more
            finishIfDone()
            return more
        }
    }

    func complete<Value>(
        _ half: ReferenceWritableKeyPath<Pairing, Half<Value>>, _ completion: Subscribers.Completion<Failure>
    ) {
        lock.withLock {
            self[keyPath: half].isFinished = true
            self[keyPath: half].subscription = nil
            if case .failure = completion { end(completion) } else { finishIfDone() }
        }
    }

    private func finishIfDone() {
        if first.isFinished && first.values.isEmpty || second.isFinished && second.values.isEmpty { end(.finished) }
    }

    private func end(_ completion: Subscribers.Completion<Failure>) {
        guard let subscriber else { return }
        cancel()
        subscriber.receive(completion: completion)
    }
}

private struct Side<Value, First, Second, Failure: Error>: Subscriber {
    let pairing: Pairing<First, Second, Failure>
    let half: ReferenceWritableKeyPath<Pairing<First, Second, Failure>, Pairing<First, Second, Failure>.Half<Value>>
    let combineIdentifier: CombineIdentifier

    init(
        _ pairing: Pairing<First, Second, Failure>,
        _ half: ReferenceWritableKeyPath<Pairing<First, Second, Failure>, Pairing<First, Second, Failure>.Half<Value>>
    ) {
        self.pairing = pairing
        self.half = half
        combineIdentifier = CombineIdentifier(pairing)
    }

    func receive(subscription: any Subscription) { pairing.attach(half, subscription) }
    func receive(_ value: Value) -> Subscribers.Demand { pairing.take(half, value) }
    func receive(completion: Subscribers.Completion<Failure>) { pairing.complete(half, completion) }
}
