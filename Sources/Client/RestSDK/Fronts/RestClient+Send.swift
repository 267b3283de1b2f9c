// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import RestBase
public import RestJSON
import RestTransport

/// The calling styles: each sends any ``Endpoint``, such as what a factory of ``RestRequest`` gives.
extension RestClient {
    /// Sends a call and waits for its content.
    ///
    /// A long response is read off the caller's actor, and a call that ends meanwhile does not wait for that.
    ///
    /// - Parameter endpoint: what to ask, and what the response means.
    /// - Returns: the content: of a ``RestRequest`` the response.
    /// - Throws: the endpoint's failure: ``RestError``, or ``CallError`` for endpoints with failures of their own.
    ///   Cancelling the task ends the call with ``RestError/Code/cancelled``, passing its time limit with
    ///   ``RestError/Code/timedOut``.
    public func send<E: Endpoint>(_ endpoint: E) async throws(E.CallFailure) -> E.Content {
        try await content(of: endpoint, Call.Options())
    }

    /// Sends a request and waits for the response.
    ///
    /// It is the same as the other method. A function for this one type lets the compiler understand expressions such
    /// as `try await client.send(.reports).payload.array ?? []`.
    ///
    /// - Parameter request: what to ask.
    /// - Returns: the response.
    /// - Throws: ``RestError``.
    public func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        try await content(of: request, Call.Options())
    }

    /// Sends a call and hands its result to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closure touches.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
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

    /// Sends a call and hands its result to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closure is called.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
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

    /// Sends a call and calls one of two closures on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - success: gets the content.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        success: @escaping (E.Content) -> Void, failure: @escaping (E.CallFailure) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        send(endpoint, priority: priority, isolation: isolation) { $0.call(success, failure) }
    }

    /// Sends a call and calls one of two closures on a queue, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the response means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closures are called.
    ///   - success: gets the content.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, on queue: DispatchQueue,
        success: @escaping @Sendable (E.Content) -> Void, failure: @escaping @Sendable (E.CallFailure) -> Void
    ) -> CallTask<E.Content, E.CallFailure> where E.Content: Sendable {
        send(endpoint, priority: priority, on: queue) { $0.call(success, failure) }
    }
}

/// The same for responses that are decoded.
extension RestClient {
    /// Sends a request and decodes its response; the same as sending ``RestRequest/as(_:options:)``.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: the type that the response is decoded as.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the value.
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` with the path of the first value that does not fit.
    public func send<Value: Decodable & SendableMetatype>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) async throws(RestError) -> Value {
        try await send(request.as(type, options: options))
    }

    /// Sends a request and decodes its response where the caller is, as a type that only its own actor can decode.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: the type that the response is decoded as.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the value.
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` with the path of the first value that does not fit.
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
    /// The content of an endpoint: the one call behind every calling style.
    func content<E: Endpoint>(of endpoint: E, _ options: Call.Options) async throws(E.CallFailure) -> E.Content {
        do throws(RestError) {
            return try await runner.run(endpoint.makeRequest(), options, route: { endpoint.ownError(of: $0) }) {
                (response) throws(RestError) in try endpoint.read(response)
            }
        } catch {
            if let content = endpoint.content(refused: error) { return content }
            throw E.CallFailure(error.trimmed, own: endpoint.ownError(of: error))
        }
    }

    /// The result of an endpoint, off every actor, with its progress.
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
    /// The name of the tasks that send it.
    var taskName: String { (self as? any RequestEndpoint)?.request.name ?? "\(Self.self)" }

    /// The content of a response, after the validators; what the endpoint throws of its own goes along in a failure
    /// with the code ``RestError/Code/api``.
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

    /// The endpoint's own error: the one that it threw reading a response, or the one that a refusal stands for.
    fileprivate func ownError(of error: RestError) -> RouteError? {
        error.ownFailure as? RouteError ?? routeError(from: error)
    }
}

extension Result {
    /// Calls the one of the two that fits.
    func call(_ success: (Success) -> Void, _ failure: (Failure) -> Void) {
        switch self {
        case .success(let value): success(value)
        case .failure(let error): failure(error)
        }
    }
}
