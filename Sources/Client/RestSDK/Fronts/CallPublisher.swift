// SPDX-License-Identifier: Apache-2.0

// On other platforms than Apple's only a test target compiles this file, against a stand-in of the same name.
#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import Combine
import Dispatch
public import RestJSON
import Synchronization

extension RestClient {
    /// A publisher of the request's answer.
    ///
    /// It is cold: every subscriber has its own call, sent when it asks for a value. Cancelling the subscription ends
    /// the call, of which nothing is heard then, not even its completion.
    ///
    /// A subscriber that was attached on the main queue hears on the main actor, without `receive(on:)`; any other one
    /// on the actor on which the publisher was made, or on a thread of the concurrency runtime if it was made on none.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func publisher(
        for request: RestRequest, isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<RestResponse, RestError> {
        CallPublisher(sending: sending(request), isolation: isolation)
    }

    /// A publisher of the request's answer as a value of a type, with the same rules as that of the answer itself.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func publisher<Value: Decodable & Sendable>(
        for request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<Value, RestError> {
        CallPublisher(sending: sending(request, as: type, options: options), isolation: isolation)
    }

    /// A publisher of an endpoint's content, with the same rules as that of a request's answer.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func publisher<E: Endpoint>(
        for endpoint: E, isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        CallPublisher(sending: sending(endpoint), isolation: isolation)
    }
}

/// Publishes the value of one call and finishes, or fails with its error.
public struct CallPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let sending: Sending<Output, Failure>
    let isolation: (any Actor)?

    /// Attaches a subscriber; see `Publisher`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        // Combine lets a publisher call a subscriber from any thread, one call at a time. `ColdCall` makes one call
        // after the other, the first of them once the subscription was handed over.
        nonisolated(unsafe) let receiver = AnySubscriber(subscriber)
        let call = ColdCall(sending, on: SubscriberPlace.here(or: isolation)) { event in
            switch event {
            case .value(let response): _ = unsafe receiver.receive(response)
            case .finished: unsafe receiver.receive(completion: .finished)
            case .failed(let error): unsafe receiver.receive(completion: .failure(error))
            }
        }
        subscriber.receive(subscription: CallSubscription(call: call))
        call.attach()
    }
}

/// Where subscribers hear.
private enum SubscriberPlace {
    /// Where a subscriber hears that is attached here and now.
    ///
    /// The closures of `sink` are isolated to the actor on which they are written, and check it when they are called,
    /// but their types do not say so. What runs on the main queue runs on the main actor.
    static func here(or isolation: (any Actor)?) -> (any Actor)? {
        mainQueueMark.withLock { DispatchQueue.getSpecific(key: $0) } == true ? MainActor.shared : isolation
    }

    /// What the main queue is known by; the thread is not, as a program without a run loop drains the queue on any.
    private static let mainQueueMark = Mutex(makeMainQueueMark())

    private static func makeMainQueueMark() -> sending DispatchSpecificKey<Bool> {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }
}

/// A subscriber's hold on its call.
private final class CallSubscription<Value: Sendable, Failure: Error>: Subscription, Sendable {
    private let call: ColdCall<Value, Failure>

    init(call: ColdCall<Value, Failure>) {
        self.call = call
    }

    func request(_ demand: Subscribers.Demand) {
        if demand > .none { call.start() }
    }

    func cancel() {
        call.cancel()
    }
}
#endif
