// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestSDK
public import RestTransport

/// Calls the routes of an API, with a property for each namespace in generated code.
///
/// ```swift
/// let box = StoneClient(client)
/// let page = try await box.files.listFolder(path: "").value
/// ```
public struct StoneClient: Sendable {
    /// The properties of an API that its specs do not define.
    public struct Settings: Sendable {
        /// The request header for an argument that is not the body.
        public var argumentField = "Dropbox-API-Arg"
        /// The response header for a result that is not the body.
        public var resultField = "Dropbox-API-Result"
        /// Header fields of every call except `noauth` routes, such as the path root or the team member.
        public var fields: HTTPFields = [:]
        /// The complete `Authorization` field of routes with app authentication, such as `Basic …`.
        public var appAuthorization: Secret?
        /// Whether the client has a token, which routes without app authentication need.
        public var hasToken = true
        /// The time limit of streamed content, or `nil` for the time limit of the call.
        ///
        /// With a value, the time limit of the call applies only to the response's head.
        public var streamTimeout: Duration?
        /// Changes the request of a route, such as its service or its time limit.
        ///
        /// A time limit of the caller has priority.
        public var prepare: (@Sendable (inout RestRequest, RouteInfo) -> Void)?

        /// Makes the default settings.
        public init() {}
    }

    /// The client that sends the calls.
    ///
    /// `RestClient.Configuration.services` has the hosts of the routes (`api`, `content`, …), with the path that
    /// precedes every route.
    public let client: RestClient
    /// The properties of the API that its specs do not define.
    public var settings: Settings

    /// Creates a client.
    public init(_ client: RestClient, settings: Settings = Settings()) {
        self.client = client
        self.settings = settings
    }

    /// Returns a call of a route whose argument and result are the bodies.
    public func call<Argument, Output, Failure>(
        _ route: Route<RPC, Argument, Output, Failure>, _ argument: Argument
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings))
    }

    /// Returns a call of a route that uploads content.
    public func call<Argument, Output, Failure>(
        _ route: Route<Upload, Argument, Output, Failure>, _ argument: Argument, body: HTTPBody
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings, body: body))
    }

    /// Returns a call of a route that downloads content.
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

/// Calls that are not sent by their client, such as background transfers of the system.
///
/// To read the response in another launch of the app, make the same call again.
extension DownloadCall {
    /// Returns the request with a valid token, which makes it a secret.
    ///
    /// - Throws: the `RestError` of sending the call.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// Returns the result in a response whose content was stored separately.
    ///
    /// - Throws: the `CallError` of the call.
    public func value(in response: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.route.value(in: response)
    }
}

extension RouteCall {
    /// Returns the request with a valid token, which makes it a secret.
    ///
    /// - Throws: the `RestError` of sending the call.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// Returns the result in a response.
    ///
    /// - Throws: the `CallError` of the call.
    public func value(in response: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.value(in: response)
    }
}

extension RouteEndpoint {
    fileprivate func value(in response: HTTPResponse) throws(CallError<Failure>) -> Output {
        guard (200..<300).contains(response.head.status) else {
            let error = RestError(rejection: response, isWrite: !info.isRead)
            throw routeError(from: error).map { .route($0, error) } ?? .rest(error)
        }
        do throws(RestError) {
            return try content(of: response)
        } catch {
            throw .rest(error)
        }
    }

    private func content(of response: HTTPResponse) throws(RestError) -> Output {
        if info.style == Download.name { return try content(from: response.head) }
        do throws(JSONDecodingError) {
            return try decode(response.body)
        } catch {
            throw RestError(.decoding, "\(error)", response: response.head, body: response.body, underlying: error)
        }
    }
}

/// A call of a route.
public struct RouteCall<Output: Sendable, Failure: Error & Sendable>: Sendable {
    /// The client that sends the call.
    public let client: RestClient
    /// The call as a value for all calling styles, such as `client.publisher(for: call.request)`.
    public var request: RouteEndpoint<Output, Failure>

    init(_ client: RestClient, _ request: RouteEndpoint<Output, Failure>) {
        self.client = client
        self.request = request
    }

    /// Sends the call and returns its result.
    ///
    /// - Throws: `CallError`, with the route's error or a `RestError`.
    public var value: Output {
        get async throws(CallError<Failure>) { try await client.send(request) }
    }

    /// Returns a copy of the call with another time limit.
    public func timeout(_ timeout: Duration) -> RouteCall {
        var copy = self
        copy.request.timeout = timeout
        return copy
    }

    /// Returns a copy of the call that reports its progress (see `RestRequest.reportingProgress(to:)`).
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
    ///   - completion: receives the result.
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
    ///   - queue: the queue that runs the closure.
    ///   - priority: the priority of the work, or `nil` for the caller's priority.
    ///   - completion: receives the result.
    /// - Returns: the call in flight.
    @discardableResult
    public func response(
        on queue: DispatchQueue, priority: TaskPriority? = nil,
        completion: @escaping @Sendable (Result<Output, CallError<Failure>>) -> Void
    ) -> CallTask<Output, CallError<Failure>> {
        client.send(request, priority: priority, on: queue, completion: completion)
    }

    /// Sends the call and passes its result to a delegate on the caller's actor.
    ///
    /// - Parameters:
    ///   - delegate: receives exactly one callback. It is referenced weakly.
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
