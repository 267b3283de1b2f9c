// SPDX-License-Identifier: Apache-2.0

// On other platforms than Apple's only a test target compiles this file, against a stand-in of the same name.
#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import Combine
import Dispatch
public import RestTransport
import Synchronization

extension RestClient {
    /// A publisher of an endpoint's content: of a ``RestRequest`` the response.
    ///
    /// Every subscriber has its own call, which is sent when it demands a value. See ``CallPublisher``.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func publisher<E: Endpoint>(
        for endpoint: E, isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<E.Content, E.CallFailure> where E.Content: Sendable {
        CallPublisher(ColdSource(endpoint, of: self), isolation: isolation)
    }
}

/// Publishes the value of a call, the elements of a sequence, or the progress of a transfer and then its value.
///
/// Every subscriber starts the work anew, with its first demand. It gets as many values as it demands. The publisher
/// asks a sequence for an element only when there is demand, so that it fetches no page that the sequence itself would
/// not fetch. The end of a sequence is found when one more element is demanded. A call finishes with its value, and a
/// failure needs no demand.
///
/// Cancelling the subscription, or releasing it, cancels the work. The subscriber then gets nothing, not even a
/// completion.
///
/// A subscriber that was attached on the main queue is called on the main actor, without `receive(on:)`. Any other one
/// is called on the actor on which the publisher was made, or on a thread of the concurrency runtime if it was made on
/// none. The elements of a sequence are read there too.
public struct CallPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let source: ColdSource<Output, Failure>
    let isolation: (any Actor)?

    /// Makes a cold publisher.
    package init(_ source: ColdSource<Output, Failure>, isolation: (any Actor)?) {
        (self.source, self.isolation) = (source, isolation)
    }

    /// Attaches a subscriber; see `Publisher`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        // Combine lets a publisher call a subscriber from any thread, one call at a time. `ColdWork` makes one call
        // after the other, the first of them once the subscription was handed over.
        nonisolated(unsafe) let receiver = AnySubscriber(subscriber)
        let work = ColdWork(source, on: SubscriberPlace.here(or: isolation)) { event in
            switch event {
            case .element(let element): return unsafe receiver.receive(element).max ?? .max
            case .finished: unsafe receiver.receive(completion: .finished)
            case .failed(let error): unsafe receiver.receive(completion: .failure(error))
            }
            return 0
        }
        subscriber.receive(subscription: WorkSubscription(work: work))
        work.attach()
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == RestError {
    /// A publisher of the elements: the records, pages or typed records of a query, or those of any other sequence that
    /// fails with ``RestError``.
    ///
    /// ```swift
    /// let accounts = client.records("SELECT Id, Name FROM Account", as: Account.self).publisher()
    /// ```
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher, see ``CallPublisher``.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> CallPublisher<Element, RestError> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// A publisher of the pages of an endpoint.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher, see ``CallPublisher``.
    public func publisher<RouteError>(
        isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<Element, CallError<RouteError>> where Failure == CallError<RouteError> {
        CallPublisher(ColdSource(self), isolation: isolation)
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

/// A subscription, with which the work ends.
private final class WorkSubscription<Value: Sendable, Failure: Error>: Subscription, Sendable {
    private let work: ColdWork<Value, Failure>

    init(work: ColdWork<Value, Failure>) {
        self.work = work
    }

    deinit { work.cancel() }

    func request(_ demand: Subscribers.Demand) { work.request(demand.max ?? .max) }

    func cancel() { work.cancel() }
}

extension RestClient {
    /// What a publisher of a transfer gives: progress any number of times, then the value.
    public enum TransferEvent<Update: Sendable, Value: Sendable>: Sendable {
        /// How far the transfer is. The newest progress replaces one that was not demanded yet, and the value replaces
        /// both.
        case progress(Update)
        /// The value of the transfer, after which the publisher finishes.
        case finished(Value)
    }

    /// A publisher of a transfer's progress and value, see ``CallPublisher``.
    ///
    /// The transfer starts with the first demand and then does not wait for any.
    public typealias TransferPublisher<Update: Sendable, Value: Sendable, Failure: Error> = CallPublisher<
        TransferEvent<Update, Value>, Failure
    >

    /// A publisher of the progress of an endpoint's bodies, then of its content.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func transferPublisher<E: Endpoint>(
        for endpoint: E, isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, E.Content, E.CallFailure> where E.Content: Sendable {
        TransferPublisher(
            ColdSource(
                progressOf: endpoint, of: self, progress: TransferEvent.progress, value: TransferEvent.finished),
            isolation: isolation)
    }

    /// A publisher of the progress of a download into a file, then of the response's head, see
    /// ``download(_:to:range:)``.
    ///
    /// - Parameters:
    ///   - request: a call that reads, such as ``RestRequest/blob(_:id:field:)``.
    ///   - path: the path of the file, which is replaced if it exists.
    ///   - range: the part of the resource, in bytes, or `nil` for all of it.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func downloadPublisher(
        for request: RestRequest, to path: String, range: HTTPRequest.ByteRange? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, HTTPResponse.Head, RestError> {
        TransferPublisher(isolation: isolation) { (report) async throws(RestError) in
            try await self.download(request, to: path, range: range, progress: report, route: { _ in nil })
        }
    }
}

extension CallPublisher {
    /// Makes a publisher of a task that reports its progress.
    package init<Update: Sendable, Value: Sendable>(
        isolation: (any Actor)?,
        of task: @escaping @Sendable (_ report: @escaping @Sendable (Update) -> Void) async throws(Failure) -> Value
    ) where Output == RestClient.TransferEvent<Update, Value> {
        self.init(
            ColdSource(
                name: "transfer", progress: Output.progress, value: Output.finished, of: task), isolation: isolation)
    }
}
#endif
