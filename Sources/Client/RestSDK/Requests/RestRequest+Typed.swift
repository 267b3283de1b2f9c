// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestTransport

/// An endpoint that consists of one request, which can be modified in a copy.
///
/// The factories return such endpoints: a ``RestRequest``, or a ``RestRequest/Typed`` whose content has a type.
/// ``request`` is the untyped request, for a delegate or a ``Composite``.
public protocol RequestEndpoint: Endpoint where RouteError == Never, CallFailure == RestError {
    /// The request.
    var request: RestRequest { get set }
}

extension RequestEndpoint {
    /// Returns ``request``.
    public func makeRequest() -> RestRequest { request }

    func with(_ change: (inout RestRequest) -> Void) -> Self {
        var copy = self
        change(&copy.request)
        return copy
    }

    /// Returns a copy with a header.
    public func field(_ name: String, _ value: String) -> Self { with { $0.fields[name] = value } }

    /// Returns a copy with another timeout.
    public func timeout(_ timeout: Duration) -> Self { with { $0.timeout = timeout } }

    /// Returns a copy with other options.
    public func options(_ options: RestRequest.CallOptions) -> Self { with { $0.options = options } }

    /// Returns a copy with another effect, for example for a POST that only reads.
    public func effect(_ effect: RestRequest.Effect) -> Self { with { $0.effect = effect } }

    /// Returns a copy that reports the progress of its request and response bodies, in every calling style.
    ///
    /// ```swift
    /// let response = try await client.send(request.reportingProgress { bar.update($0.received) })
    /// ```
    ///
    /// The closure is called on a thread of the transport, at most twenty times a second and once at the end of each
    /// attempt, and must return quickly. A retry starts from zero. For queries with many pages see
    /// ``QueryRecords/reportingProgress(to:)``.
    ///
    /// - Parameter report: receives the progress. It replaces an earlier closure.
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

    /// Returns the response itself.
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

        /// Makes a typed request with a closure that reads the response.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - read: reads a response of status 2xx. If it throws, the call fails with its error.
        public init(_ request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> Content) {
            self.init(request, refused: nil, read)
        }

        /// Makes a request whose content can also be in the body of an error response.
        init(
            _ request: RestRequest, refused: (@Sendable (RestError) -> Content?)?,
            _ read: @escaping @Sendable (RestResponse) throws(RestError) -> Content
        ) {
            (self.request, self.read, readRefused) = (request, read, refused)
        }

        /// Reads the content of a response.
        public func content(from response: RestResponse) throws(RestError) -> Content { try read(response) }

        /// Reads the content of an error response, if the service sends it in this way.
        public func content(refused error: RestError) -> Content? { readRefused?(error) }
    }

    /// A request whose response and whose error responses are read as typed values.
    ///
    /// Only the status decides: a success that cannot be decoded is never a `RouteError`.
    public struct Modelled<Content, RouteError: Decodable & Error & Sendable>: Endpoint {
        let typed: RestRequest.Typed<Content>

        /// The request.
        public func makeRequest() -> RestRequest { typed.request }

        /// Reads the content of a response.
        public func content(from response: RestResponse) throws(RestError) -> Content {
            try typed.content(from: response)
        }

        /// Reads the error in the body of an error response, or returns `nil` if the body does not contain it.
        public func routeError(from error: RestError) -> RouteError? { error.modelled(as: RouteError.self) }
    }

    /// Returns a copy of the request whose response is decoded.
    ///
    /// A long response is decoded outside the caller's actor. If the call ends meanwhile, it does not wait for the
    /// decoding. If the response may be empty, use ``RestResponse/Empty`` or an optional type.
    ///
    /// - Parameters:
    ///   - type: the type of the response.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the call. It fails with ``RestError/Code/decoding`` and the path of the first value that does not
    ///   match.
    public func `as`<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) -> RestRequest.Typed<Value> {
        RestRequest.Typed(self) { (response) throws(RestError) in try response.decode(type, options: options) }
    }

    /// Returns a copy of the request whose response is decoded, and whose error responses are decoded as typed errors.
    ///
    /// - Parameters:
    ///   - type: the type of the response.
    ///   - errors: the type of the body of an error response.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the call. It throws ``CallError``: a `RouteError` if the body of the error response can be decoded,
    ///   otherwise a ``RestError``.
    public func `as`<Value: Decodable & SendableMetatype, RouteError: Decodable & Error & Sendable>(
        _ type: Value.Type, errors: RouteError.Type, options: JSONDecodingOptions = .foundation()
    ) -> RestRequest.Modelled<Value, RouteError> {
        RestRequest.Modelled(typed: self.as(type, options: options))
    }
}

extension RestError {
    /// Decodes the body of an error response, or returns `nil` for a success that could not be decoded.
    func modelled<Failure: Decodable>(as type: Failure.Type) -> Failure? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return try? bodyRoot?.decode(type)
    }
}
