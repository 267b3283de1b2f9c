// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
public import Combine

extension RestClient {
    /// A publisher of the request's answer.
    ///
    /// It is cold: every subscriber has its own call, sent when it asks for a value. Cancelling the subscription ends
    /// the call, of which nothing is heard then. Values come on a thread of the concurrency runtime; use `receive(on:)`
    /// to choose.
    public func publisher(for request: RestRequest) -> RestPublisher {
        RestPublisher(client: self, request: request)
    }
}

/// Publishes the answer of one request and finishes, or fails with its ``RestError``.
public struct RestPublisher: Publisher {
    /// What is published.
    public typealias Output = RestResponse
    /// How it can fail.
    public typealias Failure = RestError

    let client: RestClient
    let request: RestRequest

    /// Attaches a subscriber; see `Publisher`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == RestResponse, S.Failure == RestError {
        // Combine lets a publisher call a subscriber from any thread, one call at a time. `ColdCall` delivers once,
        // after the subscription was handed over, so no two calls can overlap.
        nonisolated(unsafe) let receiver = AnySubscriber(subscriber)
        let call = ColdCall(request, through: client) { outcome in
            switch outcome {
            case .success(let response):
                _ = unsafe receiver.receive(response)
                unsafe receiver.receive(completion: .finished)
            case .failure(let error):
                unsafe receiver.receive(completion: .failure(error))
            }
        }
        subscriber.receive(subscription: CallSubscription(call: call))
    }
}

/// A subscriber's hold on its call.
private final class CallSubscription: Subscription, Sendable {
    private let call: ColdCall

    init(call: ColdCall) {
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
