// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
public import RestTransport
import SOQLStore
import Synchronization

/// The resources below `/services/apexrest`, which the app implements.
///
/// On Salesforce, they are Apex classes. Register a handler before a client calls it:
///
/// ```swift
/// org.apex.handle("/orders/*") { request in
///     ApexResponse(status: 200, body: Array(#"{"path":"\#(request.path)"}"#.utf8))
/// }
/// ```
public final class ApexHandlers: Sendable {
    /// Handles the requests to a path.
    public typealias Handler = @Sendable (ApexRequest) -> ApexResponse

    private struct Entry: Sendable {
        let segments: [String]
        /// Whether the path includes all paths below it.
        let isOpen: Bool
        let handler: Handler
    }

    private let entries = Mutex<[Entry]>([])

    init() {}

    /// Registers a handler for a path, and replaces an earlier one for the same path.
    ///
    /// - Parameters:
    ///   - path: the path below `/services/apexrest`, case-sensitive. A path that ends in `/*` includes all paths below
    ///     it.
    ///   - handler: returns the response, on a thread for slow work.
    public func handle(_ path: String, _ handler: @escaping Handler) {
        var segments = path.split(byte: "/").map(String.init)
        let isOpen = segments.last == "*"
        if isOpen { segments.removeLast() }
        let entry = Entry(segments: segments, isOpen: isOpen, handler: handler)
        entries.withLock { entries in
            entries.removeAll { $0.segments == segments && $0.isOpen == isOpen }
            entries.append(entry)
        }
    }

    /// Returns the response of the handler with the longest matching path.
    func respond(_ request: ServerRequest, _ path: RequestPath) throws(OrgError) -> ServerResponse {
        let segments = Array(path.segments.dropFirst(2))
        let found = entries.withLock { entries in
            entries.filter { $0.isOpen ? segments.starts(with: $0.segments) : segments == $0.segments }
                .max { ($0.segments.count, $1.isOpen ? 1 : 0) < ($1.segments.count, $0.isOpen ? 1 : 0) }
        }
        guard let found else {
            throw .missing(
                "Could not find a match for URL /\(segments.joined(separator: "/").prefix(200))")
        }
        let query = path.query.map { ApexRequest.Parameter(name: $0.name, value: $0.value) }
        let reply = found.handler(
            ApexRequest(
                method: request.method, path: "/" + segments.joined(separator: "/"), query: query,
                fields: request.fields, body: request.body))
        guard (200...599).contains(reply.status) else {
            throw OrgError("APEX_ERROR", "The handler returned the status \(reply.status)")
        }
        var response = ServerResponse(status: reply.status, body: reply.body)
        if !reply.body.isEmpty { response.fields.append(("Content-Type", reply.contentType)) }
        return response
    }
}

/// A request to a path with a handler.
public struct ApexRequest: Sendable {
    /// A query parameter.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The decoded value.
        public let value: String
    }

    /// The HTTP method.
    public let method: String
    /// The decoded path below `/services/apexrest`.
    public let path: String
    /// The query parameters in order.
    public let query: [Parameter]
    /// The headers.
    public let fields: HTTPFields
    /// The body.
    public let body: [UInt8]
}

/// The response of a handler.
public struct ApexResponse: Sendable, Hashable {
    /// The status, from 200 to 599.
    public var status: Int
    /// The body.
    public var body: [UInt8]
    /// The content type.
    public var contentType: String

    /// Creates a response.
    public init(status: Int = 200, body: [UInt8] = [], contentType: String = "application/json;charset=UTF-8") {
        self.status = status
        self.body = body
        self.contentType = contentType
    }
}
