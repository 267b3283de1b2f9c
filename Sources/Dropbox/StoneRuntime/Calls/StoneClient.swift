// SPDX-License-Identifier: Apache-2.0

public import RestSDK

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
    /// ``RestClient/Configuration/services`` names the hosts of the routes (`api`, `content`, …), with the path before
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
