// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestTransport

/// Rejects requests before they are handled: those that a browser was tricked into (DNS rebinding, cross-site forms),
/// and those beyond the platform's limits.
package struct RequestGuard {
    private let hosts: Set<String>
    private let pages: Set<String>
    private let scheme: String
    private let patterns: [String]

    /// Guards a port whose `pages` other sites may link to.
    ///
    /// The server also responds to the names in the certificate, which no page of another site has.
    package init(port: Int, pages: Set<String>, certificate: ServerCertificate? = nil) {
        scheme = certificate == nil ? "http" : "https"
        patterns = certificate?.names ?? []
        self.pages = pages
        hosts = ["127.0.0.1:\(port)", "[::1]:\(port)", "localhost:\(port)"]
    }

    /// Returns the reason for a rejection, or `nil` if the request may be handled.
    package func rejection(of request: ServerRequest) -> ServerRejection? {
        framingRejection(request) ?? fieldRejection(request) ?? sizeRejection(request) ?? hostRejection(request.fields)
            ?? originRejection(request) ?? formRejection(request)
    }

    private func sizeRejection(_ request: ServerRequest) -> ServerRejection? {
        let size = request.target.utf8.count
        if size > HeadLimits.longest {
            return ServerRejection(414, "URI_TOO_LONG", "URI Too Long")
        }
        if !HeadLimits.allows(request.fields, beside: size) {
            return ServerRejection(431, "FIELDS_TOO_LARGE", "Request Header Fields Too Large")
        }
        return nil
    }

    /// A request that could be read as two different messages is never repaired (RFC 9112 §6, §11.2).
    private func framingRejection(_ request: ServerRequest) -> ServerRejection? {
        let lengths = request.fields.values(of: "Content-Length")
        let codings = request.fields.values(of: "Transfer-Encoding")
        let isDigits = lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let isChunked = codings.allSatisfy { $0.lowercased() == "chunked" } && request.version == "HTTP/1.1"
        guard lengths.count + codings.count <= 1, isDigits, codings.isEmpty || isChunked else {
            return ServerRejection(400, "INVALID_REQUEST", "The length of the request body is ambiguous.")
        }
        if let expectation = request.fields["Expect"], expectation.lowercased() != "100-continue" {
            return ServerRejection(417, "EXPECTATION_FAILED", "The expectation is not supported.")
        }
        return nil
    }

    private func fieldRejection(_ request: ServerRequest) -> ServerRejection? {
        guard HeadLimits.areWellFormed(request.fields) else {
            return ServerRejection(400, "INVALID_HEADER", "A header is not well-formed.")
        }
        guard ["HTTP/1.1", "HTTP/1.0"].contains(request.version) else {
            return ServerRejection(505, "HTTP_VERSION_NOT_SUPPORTED", "This server speaks HTTP/1.1.")
        }
        return nil
    }

    private func hostRejection(_ fields: HTTPFields) -> ServerRejection? {
        let values = fields.values(of: "Host")
        guard values.count == 1, let host = values.first?.lowercased(),
            !host.utf8.contains(where: "@/ \t".utf8.contains)
        else {
            return ServerRejection(400, "INVALID_HEADER", "The request needs exactly one valid Host.")
        }
        guard hosts.contains(host) || isNamed(String(host.prefix(before: ":"))) else {
            return ServerRejection(421, "MISDIRECTED_REQUEST", "This server responds only on its loopback address.")
        }
        return nil
    }

    private func isNamed(_ host: String) -> Bool {
        patterns.contains { pattern in
            guard let domain = pattern.removing(prefix: "*.") else { return pattern == host }
            return host.cut(byte: ".")?.after == domain
        }
    }

    /// The origin must be that of the request, whose host was checked before.
    ///
    /// Any site may link to a page for users, which does nothing without their input.
    private func originRejection(_ request: ServerRequest) -> ServerRejection? {
        let fields = request.fields
        let isForeign = fields["Origin"].map { $0 != "\(scheme)://\((fields["Host"] ?? "").lowercased())" } ?? false
        let isOwn = fields["Sec-Fetch-Site"].map { $0 == "same-origin" || $0 == "none" } ?? true
        let isLink =
            request.method == "GET" && fields["Sec-Fetch-Mode"] == "navigate" && fields["Sec-Fetch-Dest"] == "document"
            && pages.contains(request.path?.folded ?? "")
        guard isForeign || !(isOwn || isLink) else { return nil }
        return ServerRejection(403, "FORBIDDEN", "Requests from other origins are rejected.")
    }

    private func formRejection(_ request: ServerRequest) -> ServerRejection? {
        guard request.target.utf8.first == UInt8(ascii: "/"),
            request.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            return ServerRejection(400, "INVALID_REQUEST", "The request target must be a path, percent-encoded.")
        }
        if request.fields.values(of: "Authorization").count > 1 {
            return ServerRejection(400, "INVALID_AUTH_HEADER", "INVALID_HEADER_TYPE")
        }
        if request.hasBody, let coding = request.fields["Content-Encoding"], coding.lowercased() != "identity" {
            return ServerRejection(415, "UNSUPPORTED_MEDIA_TYPE", "Content-Encoding is not supported.")
        }
        return nil
    }
}

/// The limits for the head of a request, also inside another request.
package enum HeadLimits {
    /// The maximum size of the target alone and of the target with the headers, in bytes, as on Salesforce.
    package static let longest = 16_384
    private static let mostFields = 100

    /// Whether the number and the size of the headers are allowed with a target of this length.
    package static func allows(_ fields: HTTPFields, beside target: Int) -> Bool {
        let size = fields.reduce(target) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return size <= longest && fields.count <= mostFields
    }

    /// Whether names are tokens and values have no control characters except tabs (RFC 9110 §5.5, §5.6.2).
    package static func areWellFormed(_ fields: HTTPFields) -> Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(ASCII.isTokenCharacter)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }
}

/// A rejection by the server itself, for which the application writes the response.
package struct ServerRejection: Sendable, Hashable {
    package let status: Int
    /// The kind, in capitals.
    package let code: String
    /// The reason, as a sentence.
    package let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    package static let tooLarge = ServerRejection(413, "REQUEST_TOO_LARGE", "The request body is too large.")
    static let noRoom = ServerRejection(
        503, "SERVER_UNAVAILABLE", "The server is receiving too many request bodies. Try again.")
}
