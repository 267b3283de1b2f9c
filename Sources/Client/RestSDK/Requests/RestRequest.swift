// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// One call of the REST API as an immutable value: what to ask, not where or as whom.
///
/// Make it with a factory (`.query(…)`, `.create(…)`) and change a copy where a call needs something special. An
/// argument that cannot be sent is reported by the call, as ``RestError/Code/invalidRequest``, before anything leaves
/// the process.
public struct RestRequest: Sendable, Hashable {
    /// Where the resource is, below the instance.
    public enum Resource: Sendable, Hashable {
        /// Path segments below `/services/data/vXX.X`, not yet percent-encoded.
        case data([String])
        /// A path (and query) on the server as the server itself gave it, percent-encoded: `nextRecordsUrl`,
        /// `attributes.url`.
        ///
        /// A whole URL is accepted if it has the server's own scheme, host and port.
        case serverPath(String)
    }

    /// A name and a value of the URL's query, not yet percent-encoded.
    public struct QueryItem: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes an item.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What the response must be, and which server may give it.
    public enum Expectation: Sendable, Hashable {
        /// JSON, or nothing at all (204), from the server that was asked.
        ///
        /// A redirect to another origin is the error ``RestError/Code/redirected``, except for a download.
        case json
        /// Anything, such as the content of a file. It is returned unchanged.
        ///
        /// A redirect to another origin is followed without credentials, by the rules of `RedirectPolicy`.
        case anything
    }

    /// The largest body of bytes that the platform accepts, in bytes; files may be larger.
    ///
    /// Another service may have another limit: ``RestRequest/Service/Address/maximumBodySize``.
    public static let maximumBodySize = 52_428_800

    /// The kind of call, a fixed label such as `query` or `create`.
    public let name: String
    /// The method.
    public var method: HTTPMethod
    /// Where the resource is.
    public var resource: Resource
    /// The URL's query, in order.
    public var query: [QueryItem]
    /// Which of the account's servers is asked.
    public var service: RestRequest.Service
    /// Header fields beside those the client sets; they win over the client's, and all lines of a repeated name are
    /// sent.
    ///
    /// An `Authorization` of yours is sent in place of the account's token. When the server refuses it, no token is
    /// renewed, for it would not be sent.
    public var fields: HTTPFields
    /// What the platform takes in header fields of its own; parts that are set win over the client's.
    public var options = RestRequest.CallOptions()
    /// The trace that the call is a step of; `nil` for none, or for one of its own where the client makes one.
    public var trace: RestRequest.TraceContext?
    /// The body.
    public var body: HTTPBody
    /// How long the whole call may take; `nil` takes the client's.
    public var timeout: Duration?
    /// How long the body of a streamed answer may take, from sending the request on, where that is longer than the call
    /// may take up to the answer's head; `nil` makes ``timeout`` the limit of both.
    public var streamTimeout: Duration?
    /// Whether the call carries the account's token.
    public var isAuthorized: Bool
    /// What the answer must be.
    public var expectation: Expectation
    /// How often the call is sent; `nil` takes the client's policy.
    public var retryPolicy: RetryPolicy?
    /// Whether the call is sent past the client's own limits, its line and its circuit breaker.
    public var ignoresLimits = false
    /// The first argument that cannot be sent.
    package var problem: InvalidArgument?
    /// Is told how far the bodies have come.
    var progressObserver: ValueObserver<TransferProgress>?
    /// The calls that the request consists of; its body is made of them.
    var parts: RequestParts?
    /// The effect, where it is another than the method's.
    var chosenEffect: Effect?

    /// Makes a call of any resource.
    public init(
        name: String = "custom", method: HTTPMethod = .get, resource: Resource, query: [QueryItem] = [],
        service: RestRequest.Service = .instance, fields: HTTPFields = [:], body: HTTPBody = .empty,
        timeout: Duration? = nil, isAuthorized: Bool = true,
        expectation: Expectation = .json, effect: Effect? = nil
    ) {
        self.name = name
        self.method = method
        self.resource = resource
        self.query = query
        self.service = service
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.isAuthorized = isAuthorized
        self.expectation = expectation
        chosenEffect = effect
    }

    /// The same call with a header field set.
    public func field(_ name: String, _ value: String) -> RestRequest {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// The same call with another timeout.
    public func timeout(_ timeout: Duration) -> RestRequest {
        var copy = self
        copy.timeout = timeout
        return copy
    }
}

/// An argument that cannot be sent, found while the request was made and reported when it is sent.
package struct InvalidArgument: Error, Hashable {
    package let argument: String
    package let reason: String
}
