// SPDX-License-Identifier: Apache-2.0

/// One HTTP request as the transport sends it: absolute URL, header fields, body.
public struct HTTPRequest: Sendable, Hashable {
    /// The request method.
    public var method: HTTPMethod
    /// The absolute address; percent-encoded already.
    public var url: HTTPURL
    /// The header fields; a transport adds `Host`, what frames the body and `Accept-Encoding`.
    ///
    /// `CurlTransport` adds nothing else; URLSession cannot be kept from naming itself (docs/urlsession.md).
    public var fields: HTTPFields
    /// What is sent after the header.
    public var body: HTTPBody

    /// Makes a request; without a body unless one is given.
    public init(method: HTTPMethod = .get, url: HTTPURL, fields: HTTPFields = [:], body: HTTPBody = .empty) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// A request body; all but a stream can be sent again from their start, so that a replay is possible.
public enum HTTPBody: Sendable, Hashable {
    /// No body at all.
    case empty
    /// Bytes held in memory.
    case bytes([UInt8])
    /// The content of the file at this path, read while it is sent.
    case file(path: String)
    /// Bytes made while they are sent, once.
    case stream(HTTPBodySource)

    /// Whether the body can be sent again from its start.
    public var isReplayable: Bool {
        if case .stream = self { return false }
        return true
    }
}
