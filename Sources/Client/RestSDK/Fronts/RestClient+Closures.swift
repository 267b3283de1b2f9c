// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension RestClient {
    /// Sends a request and hands its result to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closure touches.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<RestResponse, RestError>) -> Void
    ) -> CallTask<RestResponse, RestError> {
        sending(request).start(priority, isolation: isolation, deliver: completion)
    }

    /// Sends a request and hands its result to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closure is called.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<RestResponse, RestError>) -> Void
    ) -> CallTask<RestResponse, RestError> {
        sending(request).start(priority, on: queue, deliver: completion)
    }

    /// Sends a request and calls one of two closures on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - success: gets the answer.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        success: @escaping (RestResponse) -> Void, failure: @escaping (RestError) -> Void
    ) -> CallTask<RestResponse, RestError> {
        sending(request).start(priority, isolation: isolation) { $0.call(success, failure) }
    }

    /// Sends a request and calls one of two closures on a queue, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closures are called.
    ///   - success: gets the answer.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, on queue: DispatchQueue,
        success: @escaping @Sendable (RestResponse) -> Void, failure: @escaping @Sendable (RestError) -> Void
    ) -> CallTask<RestResponse, RestError> {
        sending(request).start(priority, on: queue) { $0.call(success, failure) }
    }
}

/// The same for endpoints.
extension RestClient {
    /// Sends an endpoint's request and hands its result to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closure touches.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<E.Content, CallError<E.RouteError>>) -> Void
    ) -> CallTask<E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        sending(endpoint).start(priority, isolation: isolation, deliver: completion)
    }

    /// Sends an endpoint's request and hands its result to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closure is called.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<E.Content, CallError<E.RouteError>>) -> Void
    ) -> CallTask<E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        sending(endpoint).start(priority, on: queue, deliver: completion)
    }

    /// Sends an endpoint's request and calls one of two closures on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - success: gets the content.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        success: @escaping (E.Content) -> Void, failure: @escaping (CallError<E.RouteError>) -> Void
    ) -> CallTask<E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        sending(endpoint).start(priority, isolation: isolation) { $0.call(success, failure) }
    }

    /// Sends an endpoint's request and calls one of two closures on a queue, once.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask, and what the answer means.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closures are called.
    ///   - success: gets the content.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E, priority: TaskPriority? = nil, on queue: DispatchQueue,
        success: @escaping @Sendable (E.Content) -> Void, failure: @escaping @Sendable (CallError<E.RouteError>) -> Void
    ) -> CallTask<E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        sending(endpoint).start(priority, on: queue) { $0.call(success, failure) }
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
