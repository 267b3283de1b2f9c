// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestBase
public import RestJSON
import RestTransport

/// The calling styles, each of which sends any ``Endpoint``, such as a ``RestRequest`` from a factory.
extension RestClient {
    /// Sends a call and waits for its content.
    ///
    /// A long response is read outside the caller's actor. If the call ends meanwhile, it does not wait for the
    /// reading.
    ///
    /// - Parameter endpoint: the endpoint.
    /// - Returns: the content, which is the response for a ``RestRequest``.
    /// - Throws: ``RestError``, or ``CallError`` if the endpoint has its own errors. If the task is cancelled, the call
    ///   fails with ``RestError/Code/cancelled``. If the timeout is exceeded, it fails with
    ///   ``RestError/Code/timedOut``.
    public func send<E: Endpoint>(_ endpoint: E) async throws(E.CallFailure) -> E.Content {
        try await content(of: endpoint, Call.Options())
    }

    /// Sends a request and waits for the response.
    ///
    /// It behaves like the generic method. The overload lets the compiler infer expressions such as
    /// `try await client.send(.reports).payload.array ?? []`.
    ///
    /// - Parameter request: the request.
    /// - Returns: the response.
    /// - Throws: ``RestError``.
    public func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        try await content(of: request, Call.Options())
    }

    /// Sends a call and passes its result once to a closure on the caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor. Without an actor, the closure is called on a thread of the concurrency
    ///     runtime. Use a queue to have the compiler check the closure.
    ///   - completion: receives the result.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<E.Content, E.CallFailure>) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        let feed = LatestValueFeed<TransferProgress>()
        let task = Task(name: endpoint.taskName, priority: priority) {
            _ = isolation  // the task stays on the caller's actor, and so does the closure
            let result = await result(of: endpoint, telling: feed)
            completion(result)
            return result
        }
        return CallTask(task, feed, priority)
    }

    /// Sends a call and passes its result once to a closure on a queue.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - queue: the queue on which the closure is called.
    ///   - completion: receives the result.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<E.Content, E.CallFailure>) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        let feed = LatestValueFeed<TransferProgress>()
        let task = Task(name: endpoint.taskName, priority: priority) {
            let result = await result(of: endpoint, telling: feed)
            await withCheckedContinuation { delivered in
                queue.async {
                    completion(result)
                    delivered.resume()
                }
            }
            return result
        }
        return CallTask(task, feed, priority)
    }

    /// Sends a call and calls one of two closures once on the caller's actor.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor. Without an actor, the closures are called on a thread of the concurrency
    ///     runtime. Use a queue to have the compiler check the closures.
    ///   - success: receives the content.
    ///   - failure: receives the error, even after a cancellation or a timeout.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        success: @escaping (E.Content) -> Void, failure: @escaping (E.CallFailure) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        send(endpoint, priority: priority, isolation: isolation) { $0.call(success, failure) }
    }

    /// Sends a call and calls one of two closures once on a queue.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - queue: the queue on which the closures are called.
    ///   - success: receives the content.
    ///   - failure: receives the error, even after a cancellation or a timeout.
    /// - Returns: the call in progress.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, on queue: DispatchQueue,
        success: @escaping @Sendable (E.Content) -> Void, failure: @escaping @Sendable (E.CallFailure) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        send(endpoint, priority: priority, on: queue) { $0.call(success, failure) }
    }
}

/// Variants for responses that are decoded.
extension RestClient {
    /// Sends a request and decodes its response, like sending ``RestRequest/as(_:options:)``.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - type: the type of the response.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the value.
    /// - Throws: ``RestError``, with ``RestError/Code/decoding`` and the path of the first value that does not match.
    public func send<Value: Decodable & SendableMetatype>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) async throws(RestError) -> Value {
        try await send(request.as(type, options: options))
    }

    /// Sends a request and decodes its response on the caller's actor, for types that can be decoded only there.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - type: the type of the response.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the value.
    /// - Throws: ``RestError``, with ``RestError/Code/decoding`` and the path of the first value that does not match.
    public func send<Value: Decodable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) async throws(RestError) -> Value {
        let response = try await send(request)
        do throws(RestError) {
            return try response.decode(type, options: options)
        } catch {
            throw await runner.told(error, of: request).trimmed
        }
    }
}

extension RestClient {
    /// Returns the content of an endpoint, for all calling styles.
    func content<E: Endpoint>(of endpoint: E, _ options: Call.Options) async throws(E.CallFailure) -> E.Content {
        do throws(RestError) {
            return try await runner.run(
                addressed(endpoint.makeRequest()), options, route: { endpoint.ownError(of: $0) }
            ) { (response) throws(RestError) in try endpoint.read(response) }
        } catch {
            if let content = endpoint.content(refused: error) { return content }
            throw E.CallFailure(error.trimmed, own: endpoint.ownError(of: error))
        }
    }

    /// Returns the result of an endpoint outside all actors, and reports its progress.
    @concurrent
    private func result<E: Endpoint>(
        of endpoint: E, telling feed: LatestValueFeed<TransferProgress>
    ) async -> Result<E.Content, E.CallFailure> where E.Content: Sendable {
        defer { feed.finish() }
        do throws(E.CallFailure) {
            return .success(try await content(of: endpoint, Call.Options(progress: { feed.report($0) })))
        } catch {
            return .failure(error)
        }
    }
}

extension Endpoint {
    var taskName: String { (self as? any RequestEndpoint)?.request.name ?? "\(Self.self)" }

    /// Validates and reads a response, and attaches an error of the endpoint to a ``RestError/Code/api`` error.
    fileprivate func read(_ response: RestResponse) throws(RestError) -> Content {
        try validate(response)
        do {
            return try content(from: response)
        } catch let error as RestError {
            throw error
        } catch {
            let isOwn = error is RouteError
            let failure = RestError(
                isOwn ? .api : .decoding, "\(error)", response: response.head, body: response.body,
                outcome: response.isWrite ? .applied : nil, underlying: error)
            throw isOwn ? failure.carrying(error) : failure
        }
    }

    /// Returns the endpoint's own error, which it threw when it read a response, or made from an error response.
    fileprivate func ownError(of error: RestError) -> RouteError? {
        error.ownFailure as? RouteError ?? routeError(from: error)
    }
}

extension Result {
    func call(_ success: (Success) -> Void, _ failure: (Failure) -> Void) {
        switch self {
        case .success(let value): success(value)
        case .failure(let error): failure(error)
        }
    }
}
