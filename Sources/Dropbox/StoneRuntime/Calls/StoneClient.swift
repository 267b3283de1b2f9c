// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestSDK
public import RestTransport

/// A client for the routes of an API, to which generated code adds a property for each namespace.
///
/// ```swift
/// let box = StoneClient(client)
/// let page = try await box.files.listFolder(path: "").value
/// ```
public struct StoneClient: Sendable {
    /// The API's settings that the specs do not define.
    public struct Settings: Sendable {
        /// The request header for an argument that is not the body.
        public var argumentField = "Dropbox-API-Arg"
        /// The response header for a result that is not the body.
        public var resultField = "Dropbox-API-Result"
        /// Headers of every call for a user or a team, such as the path root, except for routes with `noauth`.
        public var fields: HTTPFields = [:]
        /// The complete `Authorization` header for calls by the app itself, such as `Basic …`.
        public var appAuthorization: Secret?
        /// Whether the client has a token, without which it calls only routes that an app may call for itself.
        public var hasToken = true
        /// The timeout for streamed content, or `nil` for the call's timeout.
        ///
        /// With a value, the call's timeout applies only to the response head.
        public var streamTimeout: Duration?
        /// Modifies the request of a route, for example its service or its timeout, unless the caller sets a timeout.
        public var prepare: (@Sendable (inout RestRequest, RouteInfo) -> Void)?

        /// Creates the defaults.
        public init() {}
    }

    /// The client that sends the calls.
    ///
    /// `RestClient.Configuration.services` contains the hosts of the routes (`api`, `content`, …) with their base
    /// paths.
    public let client: RestClient
    /// The API's settings that the specs do not define.
    public var settings: Settings

    /// Creates a client.
    public init(_ client: RestClient, settings: Settings = Settings()) {
        self.client = client
        self.settings = settings
    }

    /// Creates a call of a route whose argument and result are JSON bodies.
    public func call<Argument, Output, Failure>(
        _ route: Route<RPC, Argument, Output, Failure>, _ argument: Argument
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings))
    }

    /// Creates a call of a route that receives content.
    public func call<Argument, Output, Failure>(
        _ route: Route<Upload, Argument, Output, Failure>, _ argument: Argument, body: HTTPBody
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings, body: body))
    }

    /// Creates a call of a route that returns content.
    public func call<Argument, Output, Failure>(
        _ route: Route<Download, Argument, Output, Failure>, _ argument: Argument
    ) -> DownloadCall<Output, Failure> {
        DownloadCall(client: client, request: DownloadEndpoint(RouteEndpoint(route, argument, settings)))
    }
}

/// The routes of one namespace, which generated code adds in extensions.
public struct RouteGroup<Namespace>: Sendable {
    /// The client that calls the routes.
    public let client: StoneClient

    /// Creates the group for a client.
    public init(_ client: StoneClient) {
        self.client = client
    }
}

/// Calls that something other than their client sends, such as a background transfer of the operating system.
///
/// The response can arrive in a later launch of the app. To read it, make the same call again.
extension DownloadCall {
    /// Returns the request with the current token, so treat it as a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// Reads the result from a response whose content was stored elsewhere.
    ///
    /// - Throws: `CallError`, as when the call is sent.
    public func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.route.value(in: answer)
    }
}

extension RouteCall {
    /// Returns the request with the current token, so treat it as a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// Reads the result from a response.
    ///
    /// - Throws: `CallError`, as when the call is sent.
    public func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.value(in: answer)
    }
}

extension RouteEndpoint {
    fileprivate func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        guard (200..<300).contains(answer.head.status) else {
            let error = RestError(refusal: answer, isWrite: !info.isRead)
            throw routeError(from: error).map { .route($0, error) } ?? .rest(error)
        }
        do throws(RestError) {
            return try content(of: answer)
        } catch {
            throw .rest(error)
        }
    }

    private func content(of answer: HTTPResponse) throws(RestError) -> Output {
        if info.style == Download.name { return try content(from: answer.head) }
        do throws(JSONDecodingError) {
            return try decode(answer.body)
        } catch {
            throw RestError(.decoding, "\(error)", response: answer.head, body: answer.body, underlying: error)
        }
    }
}

/// A call of a route, which is sent each time you ask for the result.
public struct RouteCall<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The client that sends the call.
    public let client: RestClient
    /// The call as a value, for every calling style of a client, such as `client.publisher(for: call.request)`.
    public var request: RouteEndpoint<Output, Failure>

    init(_ client: RestClient, _ request: RouteEndpoint<Output, Failure>) {
        self.client = client
        self.request = request
    }

    /// The result.
    ///
    /// - Throws: `CallError`: the route's own error, or the `RestError` that every call can have.
    public var value: Output {
        get async throws(CallError<Failure>) { try await client.send(request) }
    }

    /// Returns a copy of the call with another timeout.
    public func timeout(_ timeout: Duration) -> RouteCall {
        var copy = self
        copy.request.timeout = timeout
        return copy
    }

    /// Returns a copy of the call that reports the progress of its bodies, like `RestRequest.reportingProgress(to:)`.
    public func reportingProgress(to report: @escaping TransferProgress.Handler) -> RouteCall {
        var copy = self
        copy.request.progress = report
        return copy
    }

    /// Sends the call and passes its result to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor.
    ///   - completion: called with the result.
    /// - Returns: the call in flight.
    @discardableResult
    public func response(
        priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<Output, CallError<Failure>>) -> Void
    ) -> CallTask<Output, CallError<Failure>> {
        client.send(request, priority: priority, isolation: isolation, completion: completion)
    }

    /// Sends the call and passes its result to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the closure is called.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - completion: called with the result.
    /// - Returns: the call in flight.
    @discardableResult
    public func response(
        on queue: DispatchQueue, priority: TaskPriority? = nil,
        completion: @escaping @Sendable (Result<Output, CallError<Failure>>) -> Void
    ) -> CallTask<Output, CallError<Failure>> {
        client.send(request, priority: priority, on: queue, completion: completion)
    }

    /// Sends the call and reports its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - delegate: the delegate, which receives exactly one callback and is held weakly.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - isolation: the caller's actor.
    /// - Returns: the call in flight.
    @discardableResult
    public func response<D: EndpointDelegate>(
        to delegate: D, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation
    ) -> CallTask<Output, CallError<Failure>> where D.Target == RouteEndpoint<Output, Failure> {
        client.send(request, delegate: delegate, priority: priority, isolation: isolation)
    }
}
