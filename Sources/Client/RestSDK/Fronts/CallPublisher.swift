// SPDX-License-Identifier: Apache-2.0

// On platforms without Combine, only a test target compiles this file, with a stand-in for Combine.
#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import Combine
import Dispatch
public import RestTransport
import Synchronization

extension RestClient {
    /// Returns a publisher of an endpoint's content, which is the response for a ``RestRequest``.
    ///
    /// Each subscriber starts its own call, which is sent when the subscriber demands a value. See ``CallPublisher``.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
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
/// Each subscriber starts its own work with its first demand, and gets as many values as it demands. The publisher
/// requests an element of a sequence only if there is demand, so it fetches no additional pages. The end of a sequence
/// is found when another element is demanded. A call finishes with its value. An error needs no demand.
///
/// If the subscription is cancelled or released, the work is cancelled. The subscriber then receives nothing, not even
/// a completion.
///
/// A subscriber that was attached on the main queue is called on the main actor, without `receive(on:)`. Other
/// subscribers are called on the actor on which the publisher was made, or, without an actor, on a thread of the
/// concurrency runtime. The elements of a sequence are read on the same actor or thread.
public struct CallPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let source: ColdSource<Output, Failure>
    let isolation: (any Actor)?

    /// Makes a cold publisher.
    package init(_ source: ColdSource<Output, Failure>, isolation: (any Actor)?) {
        (self.source, self.isolation) = (source, isolation)
    }

    /// Attaches a subscriber, as described in `Publisher`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        // Combine allows calls of a subscriber from any thread, one at a time. `ColdWork` makes its calls one after
        // another, the first one after the subscription was passed on.
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
    /// Returns a publisher of the elements of a query, or of any other sequence that throws ``RestError``.
    ///
    /// ```swift
    /// let accounts = client.records("SELECT Id, Name FROM Account", as: Account.self).publisher()
    /// ```
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher. See ``CallPublisher``.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> CallPublisher<Element, RestError> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a publisher of the pages of an endpoint.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher. See ``CallPublisher``.
    public func publisher<RouteError>(
        isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<Element, CallError<RouteError>> where Failure == CallError<RouteError> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}

/// The actors on which subscribers are called.
private enum SubscriberPlace {
    /// Returns the actor for a subscriber that is attached here and now.
    ///
    /// The closures of `sink` are isolated to the actor on which they are written, and check this when they are called,
    /// but their types do not show it. Code on the main queue runs on the main actor.
    static func here(or isolation: (any Actor)?) -> (any Actor)? {
        mainQueueMark.withLock { DispatchQueue.getSpecific(key: $0) } == true ? MainActor.shared : isolation
    }

    /// Identifies the main queue, which the thread does not, because a program without a run loop runs it on any
    /// thread.
    private static let mainQueueMark = Mutex(makeMainQueueMark())

    private static func makeMainQueueMark() -> sending DispatchSpecificKey<Bool> {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }
}

/// A subscription, which cancels the work when it is released.
private final class WorkSubscription<Value: Sendable, Failure: Error>: Subscription, Sendable {
    private let work: ColdWork<Value, Failure>

    init(work: ColdWork<Value, Failure>) { self.work = work }

    deinit { work.cancel() }

    func request(_ demand: Subscribers.Demand) { work.request(demand.max ?? .max) }

    func cancel() { work.cancel() }
}

extension RestClient {
    /// An event of a transfer: progress any number of times, then the value.
    public enum TransferEvent<Update: Sendable, Value: Sendable>: Sendable {
        /// The progress of the transfer, which later progress or the value replaces if it is not demanded in time.
        case progress(Update)
        /// The value of the transfer, after which the publisher finishes.
        case finished(Value)
    }

    /// A publisher of a transfer's progress and value, which starts with the first demand and then ignores demand.
    ///
    /// See ``CallPublisher``.
    public typealias TransferPublisher<Update: Sendable, Value: Sendable, Failure: Error> = CallPublisher<
        TransferEvent<Update, Value>, Failure
    >

    /// Returns a publisher of the progress of an endpoint's bodies, and then of its content.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
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

    /// Returns a publisher of the progress of a download, and then of the response head.
    ///
    /// See ``download(_:to:range:)``.
    ///
    /// - Parameters:
    ///   - request: a call that reads, such as ``RestRequest/blob(_:id:field:)``.
    ///   - path: the destination path. An existing file is replaced.
    ///   - range: the part of the resource, in bytes, or `nil` for the whole resource.
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
    /// Makes a publisher for a task that reports its progress.
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
