// SPDX-License-Identifier: Apache-2.0

// The declarations of this file are documented with Apple's module.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A replacement for Apple's module Combine on other operating systems: its protocols and `sink`, with the documented
/// rules.
///
/// * A publisher first sends a subscription, then at most as many values as were requested, then at most one
///   completion. A completion needs no demand. The calls of one subscriber never overlap.
/// * Demand adds up: a value that `receive(_:)` returns counts like a request.
/// * After a cancellation nothing is sent.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Cancellable {
    func cancel()
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

public struct CombineIdentifier: Hashable {
    private let object: ObjectIdentifier

    public init(_ object: AnyObject) {
        self.object = ObjectIdentifier(object)
    }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    /// A requested number of values, or an unlimited number.
    public struct Demand: Equatable, Comparable, Sendable {
        /// The number, or `nil` if it is unlimited.
        public let max: Int?

        public static let unlimited = Demand(max: nil)
        public static let none = Demand(max: 0)

        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand is never negative")
            return Demand(max: value)
        }

        public static func + (left: Demand, right: Demand) -> Demand {
            guard let left = left.max, let right = right.max else { return .unlimited }
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? .unlimited : Demand(max: sum)
        }

        public static func += (left: inout Demand, right: Demand) { left = left + right }

        public static func - (left: Demand, right: Int) -> Demand {
            left.max.map { Demand(max: $0 - right) } ?? .unlimited
        }

        public static func -= (left: inout Demand, right: Int) { left = left - right }

        public static func < (left: Demand, right: Demand) -> Bool {
            guard let left = left.max else { return false }
            return right.max.map { left < $0 } ?? true
        }
    }
}

/// Cancels an operation when `cancel()` is called or the object is released.
public final class AnyCancellable: Cancellable {
    private let canceller: any Cancellable

    public init(_ canceller: some Cancellable) {
        self.canceller = canceller
    }

    deinit { canceller.cancel() }

    public func cancel() { canceller.cancel() }
}

/// A subscriber with an erased type.
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
    /// A subscriber that requests all values and passes them to closures.
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
