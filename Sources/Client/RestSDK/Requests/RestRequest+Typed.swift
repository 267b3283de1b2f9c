// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestTransport

/// An endpoint that consists of one request, which a copy of it can change.
///
/// The factories give such values: a ``RestRequest``, or a ``RestRequest/Typed`` whose content has a type of its own.
/// ``request`` is the request without its type, for a delegate or a ``Composite``.
public protocol RequestEndpoint: Endpoint where RouteError == Never, CallFailure == RestError {
    /// The request.
    var request: RestRequest { get set }
}

extension RequestEndpoint {
    /// The request.
    public func makeRequest() -> RestRequest { request }

    /// The same call with its request changed.
    func with(_ change: (inout RestRequest) -> Void) -> Self {
        var copy = self
        change(&copy.request)
        return copy
    }

    /// The same call with a header field set.
    public func field(_ name: String, _ value: String) -> Self { with { $0.fields[name] = value } }

    /// The same call with another timeout.
    public func timeout(_ timeout: Duration) -> Self { with { $0.timeout = timeout } }

    /// The same call with other options.
    public func options(_ options: RestRequest.CallOptions) -> Self { with { $0.options = options } }

    /// The same call with another effect, such as a POST that only reads.
    public func effect(_ effect: RestRequest.Effect) -> Self { with { $0.effect = effect } }

    /// The same call with a function that is told how far the bodies have come, in every calling style.
    ///
    /// ```swift
    /// let response = try await client.send(request.reportingProgress { bar.update($0.received) })
    /// ```
    ///
    /// The function is called on a thread of the transport, at most twenty times a second and once at the end of each
    /// attempt, and must return quickly. A call that is sent again starts again from zero. For queries of many pages
    /// see ``QueryRecords/reportingProgress(to:)``.
    ///
    /// - Parameter report: is told the progress; it replaces the one that was there.
    /// - Returns: the call.
    public func reportingProgress(to report: @escaping TransferProgress.Handler) -> Self {
        with { $0.progressObserver = ValueObserver(report) }
    }
}

extension RestRequest: RequestEndpoint {
    /// The request itself.
    public var request: RestRequest {
        get { self }
        set { self = newValue }
    }

    /// The response itself.
    public func content(from response: RestResponse) -> RestResponse { response }
}

extension RestRequest {
    /// A request whose response is read as a value of a type.
    ///
    /// ```swift
    /// let account = try await client.send(.describe("Account"))                   // an ObjectDescription
    /// let request = RestRequest.apex(["orders", "17"]).as(Order.self).timeout(.seconds(5))
    /// ```
    public struct Typed<Content>: RequestEndpoint {
        /// The request.
        public var request: RestRequest
        private let read: @Sendable (RestResponse) throws(RestError) -> Content
        private let readRefused: (@Sendable (RestError) -> Content?)?

        /// Makes a request of a function that reads the response.
        ///
        /// - Parameters:
        ///   - request: what to ask.
        ///   - read: reads a response of status 2xx; what it throws is the call's failure.
        public init(_ request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> Content) {
            self.init(request, refused: nil, read)
        }

        /// Makes a request whose content can be the body of an error response too.
        init(
            _ request: RestRequest, refused: (@Sendable (RestError) -> Content?)?,
            _ read: @escaping @Sendable (RestResponse) throws(RestError) -> Content
        ) {
            (self.request, self.read, readRefused) = (request, read, refused)
        }

        /// The value that the response is read as.
        public func content(from response: RestResponse) throws(RestError) -> Content { try read(response) }

        /// The value that an error response is read as, where the service answers so.
        public func content(refused error: RestError) -> Content? { readRefused?(error) }
    }

    /// A request whose response is read as a value of a type, and whose refusals as failures of a type.
    ///
    /// The status decides: a success that does not decode is never a `RouteError`.
    public struct Modelled<Content, RouteError: Decodable & Error & Sendable>: Endpoint {
        let typed: RestRequest.Typed<Content>

        /// The request.
        public func makeRequest() -> RestRequest { typed.request }

        /// The value that the response is read as.
        public func content(from response: RestResponse) throws(RestError) -> Content {
            try typed.content(from: response)
        }

        /// The failure that the body of a refusal is read as; `nil` for a body that is none.
        public func routeError(from error: RestError) -> RouteError? { error.modelled(as: RouteError.self) }
    }

    /// The same request with its response decoded.
    ///
    /// A long response is decoded off the caller's actor, and a call that ends meanwhile does not wait for that. Ask
    /// for ``RestResponse/Empty`` or an optional type where the response may be empty.
    ///
    /// - Parameters:
    ///   - type: the type that the response is decoded as.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the call, which fails with ``RestError/Code/decoding`` and the path of the first value that does not
    ///   fit.
    public func `as`<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) -> RestRequest.Typed<Value> {
        RestRequest.Typed(self) { (response) throws(RestError) in try response.decode(type, options: options) }
    }

    /// The same request with its response decoded, and the body of a refusal as a failure.
    ///
    /// - Parameters:
    ///   - type: the type that the response is decoded as.
    ///   - errors: the type that the body of a refusal is decoded as.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the call, which fails with ``CallError``: a `RouteError` for a refusal whose body is one, a
    ///   ``RestError`` for everything else.
    public func `as`<Value: Decodable & SendableMetatype, RouteError: Decodable & Error & Sendable>(
        _ type: Value.Type, errors: RouteError.Type, options: JSONDecodingOptions = .foundation()
    ) -> RestRequest.Modelled<Value, RouteError> {
        RestRequest.Modelled(typed: self.as(type, options: options))
    }
}

extension RestError {
    /// The failure that the body of a refusal stands for; a success that does not decode stands for none.
    func modelled<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return try? bodyRoot?.decode(type)
    }
}
