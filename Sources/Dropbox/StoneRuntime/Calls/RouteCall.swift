// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestSDK

/// A call of a route that is sent when somebody asks for its result, as often as somebody does.
public struct RouteCall<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The client that sends it.
    public let client: RestClient
    /// The call as a value, for every front of a client: `client.publisher(for: call.request)`.
    public var request: RouteEndpoint<Output, Failure>

    init(_ client: RestClient, _ request: RouteEndpoint<Output, Failure>) {
        self.client = client
        self.request = request
    }

    /// The result.
    ///
    /// - Throws: ``CallError``: the route's own failure, or the ``RestError`` that every call can have.
    public var value: Output {
        get async throws(CallError<Failure>) { try await client.content(of: request) }
    }

    /// The same call with another time limit.
    public func timeout(_ timeout: Duration) -> RouteCall {
        var copy = self
        copy.request.timeout = timeout
        return copy
    }

    /// The same call with a function that is told how far the bodies have come; see
    /// ``RestRequest/reportingProgress(to:)``.
    public func reportingProgress(to report: @escaping TransferProgress.Handler) -> RouteCall {
        var copy = self
        copy.request.progress = report
        return copy
    }

    /// Sends the call and hands its result to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func response(
        priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<Output, CallError<Failure>>) -> Void
    ) -> CallTask<Output, CallError<Failure>> {
        client.send(request, priority: priority, isolation: isolation, completion: completion)
    }

    /// Sends the call and hands its result to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - queue: where the closure is called.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - completion: gets the result.
    /// - Returns: the call under way.
    @discardableResult
    public func response(
        on queue: DispatchQueue, priority: TaskPriority? = nil,
        completion: @escaping @Sendable (Result<Output, CallError<Failure>>) -> Void
    ) -> CallTask<Output, CallError<Failure>> {
        client.send(request, priority: priority, on: queue, completion: completion)
    }

    /// Sends the call and tells its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - delegate: gets exactly one of its callbacks; held weakly.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor.
    /// - Returns: the call under way.
    @discardableResult
    public func response<D: EndpointDelegate>(
        to delegate: D, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation
    ) -> CallTask<Output, CallError<Failure>> where D.Target == RouteEndpoint<Output, Failure> {
        client.send(request, delegate: delegate, priority: priority, isolation: isolation)
    }
}
