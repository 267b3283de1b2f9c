// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// Ends what it stands for when it is told to or let go.
public final class AnyCancellable: Cancellable, Hashable {
    private let action: Once<() -> Void>

    public init(_ cancel: @escaping () -> Void) {
        action = Once(cancel)
    }

    public init(_ canceller: some Cancellable) {
        action = Once { canceller.cancel() }
    }

    deinit { action.take()?() }

    public func cancel() { action.take()?() }

    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value that can be taken once, from any thread.
final class Once<Value> {
    private var value: Value?
    private let lock = NSLock()

    init(_ value: Value) {
        self.value = value
    }

    var isTaken: Bool { lock.withLock { value == nil } }

    func take() -> Value? {
        lock.lock()
        defer {
            value = nil
            lock.unlock()
        }
        return value
    }
}

/// A subscriber whose type is hidden.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    public let combineIdentifier: CombineIdentifier
    private let onSubscription: (any Subscription) -> Void
    private let onValue: (Input) -> Subscribers.Demand
    private let onCompletion: (Subscribers.Completion<Failure>) -> Void

    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        combineIdentifier = subscriber.combineIdentifier
        onSubscription = { subscriber.receive(subscription: $0) }
        onValue = { subscriber.receive($0) }
        onCompletion = { subscriber.receive(completion: $0) }
    }

    public func receive(subscription: any Subscription) { onSubscription(subscription) }
    public func receive(_ value: Input) -> Subscribers.Demand { onValue(value) }
    public func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}

extension Subscribers {
    /// Asks for everything and hands it to closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let receiveValue: (Input) -> Void
        private let receiveCompletion: (Completion<Failure>) -> Void
        private let lock = NSLock()
        private var subscription: (any Subscription)?
        private var isOver = false

        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: any Subscription) {
            let isFirst = lock.withLock {
                guard self.subscription == nil, !isOver else { return false }
                self.subscription = subscription
                return true
            }
            isFirst ? subscription.request(.unlimited) : subscription.cancel()
        }

        public func receive(_ value: Input) -> Demand {
            receiveValue(value)
            return .none
        }

        public func receive(completion: Completion<Failure>) {
            _ = end()
            receiveCompletion(completion)
        }

        public func cancel() { end()?.cancel() }

        private func end() -> (any Subscription)? {
            lock.withLock {
                isOver = true
                defer { subscription = nil }
                return subscription
            }
        }
    }
}

extension Publisher {
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}
