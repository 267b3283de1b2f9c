// SPDX-License-Identifier: Apache-2.0

// What is declared here is documented with the module that it stands for.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Dispatch
import Foundation

extension Publishers {
    /// A publisher that is made of others.
    public struct Operation<Output, Failure: Error>: Publisher {
        let attach: (AnySubscriber<Output, Failure>) -> Void

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }
    }
}

extension Publisher {
    /// Subscribes again after a failure, a number of times.
    public func retry(_ retries: Int) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { subscriber in
            let stage = Stage(subscriber)
            var left = retries
            func attempt() {
                subscribe(
                    stage.listener {
                        stage.give($0)
                    } onCompletion: { completion in
                        let isOver = stage.locked {
                            guard case .failure = completion, left > 0, stage.isWanted else { return true }
                            left -= 1
                            return false
                        }
                        isOver ? stage.end(completion) : attempt()
                    })
            }
            subscriber.receive(subscription: stage)
            attempt()
        }
    }

    /// Makes a publisher of each value and gives the values of all of them.
    public func flatMap<P: Publisher>(
        _ transform: @escaping (Output) -> P
    ) -> Publishers.Operation<P.Output, Failure> where P.Failure == Failure {
        Publishers.Operation { subscriber in
            let stage = Stage(subscriber)
            var running = 1
            func ended(_ completion: Subscribers.Completion<Failure>) {
                stage.locked {
                    running -= 1
                    if case .finished = completion, running > 0 { return }
                    stage.end(completion)
                }
            }
            subscriber.receive(subscription: stage)
            subscribe(
                stage.listener(asking: .unlimited) { value in
                    stage.locked { running += 1 }
                    transform(value).subscribe(
                        stage.listener {
                            stage.give($0)
                        } onCompletion: {
                            ended($0)
                        })
                    return .none
                } onCompletion: {
                    ended($0)
                })
        }
    }

    /// Pairs the values of two publishers; ends when one has ended and nothing of it is left.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Operation<(Output, P.Output), Failure>
    where P.Failure == Failure {
        Publishers.Operation { subscriber in
            let stage = Stage(subscriber)
            var (first, second): ([Output], [P.Output]) = ([], [])
            var (isFirstOver, isSecondOver) = (false, false)
            func take(_ put: () -> Void) -> Subscribers.Demand {
                stage.locked {
                    put()
                    guard !first.isEmpty, !second.isEmpty else { return .none }
                    let more = stage.give((first.removeFirst(), second.removeFirst()))
                    finish()
                    return more
                }
            }
            func end(_ completion: Subscribers.Completion<Failure>, _ note: () -> Void) {
                stage.locked {
                    note()
                    if case .failure = completion { stage.end(completion) } else { finish() }
                }
            }
            func finish() {
                if isFirstOver && first.isEmpty || isSecondOver && second.isEmpty { stage.end(.finished) }
            }
            subscriber.receive(subscription: stage)
            subscribe(
                stage.listener { value in
                    take { first.append(value) }
                } onCompletion: { completion in
                    end(completion) { isFirstOver = true }
                })
            other.subscribe(
                stage.listener { value in
                    take { second.append(value) }
                } onCompletion: { completion in
                    end(completion) { isSecondOver = true }
                })
        }
    }

    /// Gives values and the completion on a queue, in their order.
    public func receive(on queue: DispatchQueue) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { subscriber in
            let stage = Stage(subscriber)
            subscriber.receive(subscription: stage)
            subscribe(
                stage.listener { value in
                    queue.async(execute: DispatchWorkItem { stage.request(stage.give(value)) })
                    return .none
                } onCompletion: { completion in
                    queue.async(execute: DispatchWorkItem { stage.end(completion) })
                })
        }
    }
}

/// The subscription of an operator's subscriber: the demand, and the subscriptions to the publishers behind it.
///
/// Its lock may be taken again by whoever has it.
private final class Stage<Output, Failure: Error>: Subscription {
    private let lock = NSRecursiveLock()
    private var subscriber: AnySubscriber<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var sources: [any Subscription] = []

    init(_ subscriber: AnySubscriber<Output, Failure>) {
        self.subscriber = subscriber
    }

    /// Whether values are still wanted.
    var isWanted: Bool { locked { subscriber != nil } }

    /// Does work that no other thread disturbs.
    func locked<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let sources = lock.withLock {
            self.demand += demand
            return self.sources
        }
        for source in sources { source.request(demand) }
    }

    func cancel() {
        let sources = lock.withLock {
            subscriber = nil
            defer { self.sources = [] }
            return self.sources
        }
        for source in sources { source.cancel() }
    }

    /// Gives a value, and returns how many more are asked for.
    func give(_ value: Output) -> Subscribers.Demand {
        lock.withLock {
            guard let subscriber else { return .none }
            precondition(demand > .none, "a value that nobody asked for")
            demand -= 1
            let more = subscriber.receive(value)
            demand += more
            return more
        }
    }

    /// Tells the subscriber how it ended, once.
    func end(_ completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            guard let subscriber else { return }
            cancel()
            subscriber.receive(completion: completion)
        }
    }

    /// Hears one of the publishers that the operator is made of, which gets the demand that is not met yet, or another.
    func listener<Input>(
        asking wanted: Subscribers.Demand? = nil, _ onValue: @escaping (Input) -> Subscribers.Demand,
        onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnySubscriber<Input, Failure> {
        AnySubscriber(
            CombineIdentifier(self),
            onSubscription: { [self] source in
                let demand: Subscribers.Demand? = lock.withLock {
                    guard subscriber != nil else { return nil }
                    sources.append(source)
                    return wanted ?? self.demand
                }
                guard let demand else { return source.cancel() }
                if demand > .none { source.request(demand) }
            },
            onValue: onValue, onCompletion: onCompletion)
    }
}
