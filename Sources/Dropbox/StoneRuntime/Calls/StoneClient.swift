// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestSDK
public import RestTransport

/// Calls the routes of an API through a client; generated code adds a property for each namespace.
///
/// ```swift
/// let box = StoneClient(client)
/// let page = try await box.files.listFolder(path: "").value
/// ```
public struct StoneClient: Sendable {
    /// What the specs leave to the API.
    public struct Settings: Sendable {
        /// The header field of an argument that is not the body.
        public var argumentField = "Dropbox-API-Arg"
        /// The header field of a result that is not the body.
        public var resultField = "Dropbox-API-Result"
        /// Header fields of every call that is made for somebody, such as the path root or the member on whose behalf
        /// it is made; routes of `noauth` go without them.
        public var fields: HTTPFields = [:]
        /// What calls carry that an app makes for itself: a whole `Authorization` field, such as `Basic …`.
        public var appAuthorization: Secret?
        /// Whether the client has somebody's token; without one it calls only routes that an app may call for itself.
        public var hasToken = true
        /// How long content may take that is read as it arrives; `nil` takes the time limit of the call.
        ///
        /// With a value, the limit of the call is that of the answer's head alone.
        public var streamTimeout: Duration?
        /// Changes the request of a route when it is made, such as its service or its time limit; a limit that the
        /// caller sets wins.
        public var prepare: (@Sendable (inout RestRequest, RouteInfo) -> Void)?

        /// The defaults.
        public init() {}
    }

    /// What sends the calls.
    ///
    /// `RestClient.Configuration.services` names the hosts of the routes (`api`, `content`, …), with the path before
    /// every route.
    public let client: RestClient
    /// What the specs leave to the API.
    public var settings: Settings

    /// Makes a client.
    public init(_ client: RestClient, settings: Settings = Settings()) {
        self.client = client
        self.settings = settings
    }

    /// A call of a route whose argument and result are the bodies.
    public func call<Argument, Output, Failure>(
        _ route: Route<RPC, Argument, Output, Failure>, _ argument: Argument
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings))
    }

    /// A call of a route that takes content.
    public func call<Argument, Output, Failure>(
        _ route: Route<Upload, Argument, Output, Failure>, _ argument: Argument, body: HTTPBody
    ) -> RouteCall<Output, Failure> {
        RouteCall(client, RouteEndpoint(route, argument, settings, body: body))
    }

    /// A call of a route that gives content.
    public func call<Argument, Output, Failure>(
        _ route: Route<Download, Argument, Output, Failure>, _ argument: Argument
    ) -> DownloadCall<Output, Failure> {
        DownloadCall(client: client, request: DownloadEndpoint(RouteEndpoint(route, argument, settings)))
    }
}

/// The routes of one namespace; generated code extends it with them.
public struct RouteGroup<Namespace>: Sendable {
    /// What calls them.
    public let client: StoneClient

    /// Makes the group of a client.
    public init(_ client: StoneClient) {
        self.client = client
    }
}

/// Calls that are sent by other means than their client, such as in the background by the system.
///
/// The request can be made in one launch of an app and the answer read in the next: make the same call again for it.
extension DownloadCall {
    /// The request with the token that is good now; a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// What an answer to such a request means, whose content went elsewhere.
    ///
    /// - Throws: `CallError`, as when the call is sent.
    public func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.route.value(in: answer)
    }
}

extension RouteCall {
    /// The request with the token that is good now; a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// What an answer to such a request means.
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
    /// - Throws: `CallError`: the route's own failure, or the `RestError` that every call can have.
    public var value: Output {
        get async throws(CallError<Failure>) { try await client.send(request) }
    }

    /// The same call with another time limit.
    public func timeout(_ timeout: Duration) -> RouteCall {
        var copy = self
        copy.request.timeout = timeout
        return copy
    }

    /// The same call with a function that is told how far the bodies have come; see
    /// `RestRequest.reportingProgress(to:)`.
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
