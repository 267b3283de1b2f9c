// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension HTTPResponse.Head {
    /// Status and fields of a response; `nil` when it is not of HTTP.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            fields.append("\(name)", "\(value)")
        }
    }

    /// Why the header is refused, if it is; Foundation lets contradictory lengths and headers of any size through.
    func refusal(maximumBytes: Int) -> TransportError? {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size <= maximumBytes else {
            return Self.failure(.tooLarge, "the response header is larger than \(maximumBytes) bytes")
        }
        guard status >= 200 else { return Self.failure(.invalidResponse, "status \(status) without asking for it") }
        // Repeated fields arrive joined by commas.
        let lengths = fields.values(of: "Content-Length").joined(separator: ",").without(" ")
            .split(byte: ",", omittingEmptySubsequences: false)
        guard Set(lengths).count <= 1, lengths.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }) else {
            return Self.failure(.invalidResponse, "a malformed or contradictory Content-Length")
        }
        return nil
    }

    private static func failure(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(code, message, mayHaveReachedServer: true)
    }
}

extension TransportError {
    /// What URLSession's error means, by the table below; that nothing was sent is said on evidence only.
    init(sessionError error: any Error, after evidence: SendEvidence = SendEvidence()) {
        let session = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        let words = LibcurlWords.reading(text)
        let entry = Self.table.first { $0.session.contains(session) }
        var evidence = evidence
        if evidence.hasBegun == nil, words?.isBeforeRequest == true { evidence.hasBegun = false }
        // Words say more than codes: what is no HTTP comes as an unsupported URL.
        let timing = words.map { $0.isBeforeRequest ? .either : .after } ?? entry?.timing ?? .after
        self.init(
            words?.code ?? entry?.code ?? .connectionLost, text,
            mayHaveReachedServer: timing == .after || (timing == .either && !evidence.isUnsent),
            systemErrors: [TransportError.SystemError(.urlSession, session.rawValue)]
                + Self.systemNumbers(behind: error))
    }

    /// The system's number at the end of the chain of errors behind URLSession's.
    private static func systemNumbers(behind error: any Error) -> [TransportError.SystemError] {
        var behind = (error as? URLError)?.errorUserInfo[NSUnderlyingErrorKey] as? NSError
        for _ in 0..<4 {
            guard let error = behind else { break }
            if error.domain == NSPOSIXErrorDomain { return [TransportError.SystemError(.errno, error.code)] }
            // CFNetwork gives the number of a socket in this way: domain 1 is that of errno.
            let info = error.userInfo
            if info["_kCFStreamErrorDomainKey"] as? Int == 1, let code = info["_kCFStreamErrorCodeKey"] as? Int {
                return [TransportError.SystemError(.errno, code)]
            }
            behind = info[NSUnderlyingErrorKey] as? NSError
        }
        return []
    }

    /// When an error can come.
    private enum Timing {
        /// Before anything is sent, always.
        case before
        /// While a connection is made, or after the request left: the evidence decides.
        case either
        /// After the request left, for all that is known.
        case after
    }

    private typealias Entry = (code: Code, timing: Timing, session: Set<URLError.Code>)

    private static let table: [Entry] = [
        (.hostNotFound, .either, [.cannotFindHost, .dnsLookupFailed]),
        (
            .notConnected, .either,
            [.cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed]
        ),
        (.timedOut, .after, [.timedOut]),
        (.cancelled, .after, [.cancelled]),
        (
            .tls, .either,
            [
                .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired,
            ]
        ),
        (.connectionLost, .after, [.networkConnectionLost, .badServerResponse, .zeroByteResource]),
        (.invalidResponse, .after, [.cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse]),
        (.tooLarge, .after, [.dataLengthExceedsMaximum]),
        (.invalidRequest, .before, [.badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection]),
        (.invalidRequest, .after, [.requestBodyStreamExhausted]),
        (.file, .after, [.fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile]),
    ]
}

/// What is known of how far a request came when URLSession ends it with an error.
///
/// No code of URLSession proves by itself that nothing was sent: a task can lose its network, or fail on a second
/// connection, after its request left on a first one.
struct SendEvidence: Equatable {
    /// Bytes of the body that were handed to a connection.
    var sentBytes: Int64 = 0
    /// Whether the header of an answer came.
    var hasHead = false
    /// Whether the request was begun on any connection; `nil` where URLSession does not tell.
    var hasBegun: Bool?

    /// Whether it is known that no byte of the request left.
    var isUnsent: Bool { sentBytes == 0 && !hasHead && hasBegun == false }
}

/// What the words of an error mean that libcurl gave inside FoundationNetworking, which reports most failures as
/// unknown.
struct LibcurlWords {
    /// How the words begin.
    let prefix: String
    /// The kind of failure.
    let code: TransportError.Code
    /// Whether libcurl says this only of a connection that does not stand yet, so that nothing was sent on it.
    var isBeforeRequest = false

    /// The meaning of a text; `nil` when it is not known.
    static func reading(_ text: String) -> LibcurlWords? { table.first { text.hasBytes(prefix: $0.prefix) } }

    /// More words before fewer; words about an SSL that reads or writes come when the request may have left.
    private static let table = [
        LibcurlWords(prefix: "Could not resolve host", code: .hostNotFound, isBeforeRequest: true),
        LibcurlWords(prefix: "Could not resolve proxy", code: .hostNotFound, isBeforeRequest: true),
        LibcurlWords(prefix: "Failed to connect to", code: .notConnected, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL certificate problem", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL connect error", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL peer certificate", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL: ", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "OpenSSL SSL_connect", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "TLS connect error", code: .tls, isBeforeRequest: true),
        LibcurlWords(prefix: "SSL_", code: .connectionLost),
        LibcurlWords(prefix: "OpenSSL SSL_", code: .connectionLost),
        LibcurlWords(prefix: "SSL", code: .tls),
        LibcurlWords(prefix: "Out of memory", code: .tooLarge),
        LibcurlWords(prefix: "Received HTTP/0.9", code: .invalidResponse),
        LibcurlWords(prefix: "Error while processing content", code: .invalidResponse),
        LibcurlWords(prefix: "Unrecognized content encoding", code: .invalidResponse),
    ]
}

extension URLRequest {
    /// Time runs out by the call's own clock, long before this, in seconds.
    static let backstop: TimeInterval = 1_000_000

    /// The request as URLSession wants it, without its body.
    ///
    /// - Throws: `.invalidRequest` for what Foundation refuses, `.file` for a body that cannot be read.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        guard request.body == .empty || ![.get, .head].contains(request.method) else {
            throw .invalidRequest("a \(request.method) request has no body")
        }
        // URLSession opens the file anew, a moment later.
        if case .file(let file) = request.body { _ = try FileSource(file) }
        #if canImport(FoundationNetworking)
        guard !request.url.origin.host.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("Foundation on this platform reaches no IPv6 literal; use CurlTransport, or a name")
        }
        #endif
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.backstop)
        httpMethod = request.method.rawValue
        for field in request.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        frame(request)
    }

    #if canImport(FoundationNetworking)
    /// Asks for bodies that are not packed: libcurl inside takes a packed one that was cut for a whole one.
    private mutating func frame(_ request: HTTPRequest) {
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
    #else
    /// Says what a body is and how long, which URLSession would say otherwise.
    private mutating func frame(_ request: HTTPRequest) {
        guard request.body != .empty else { return }
        // What no type means (RFC 9110 8.3); URLSession would call it a form.
        if request.fields["Content-Type"] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // Else a streamed body is sent in chunks.
        if case .stream = request.body, let length = request.body.length {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    }
    #endif
}

extension HTTPRequest {
    /// The request that a `URLRequest` stands for: address with its query, method, header fields and body.
    ///
    /// Fields that frame the body or steer the connection (`Content-Length`, `Host` …) are left out, for they
    /// belong to the transport. The timeout has no place here; give it to the call.
    ///
    /// - Parameter request: the request of Foundation.
    /// - Throws: `.invalidRequest` for a URL that is not one of http or https, and for a body stream, which can be
    ///   read once: give the body as data, or as a file of an `HTTPRequest`.
    public init(_ request: URLRequest) throws(TransportError) {
        guard let text = request.url?.absoluteString, let url = try? HTTPURL(parsing: text) else {
            throw .invalidRequest("the request needs an absolute URL of http or https")
        }
        guard request.httpBodyStream == nil || request.httpBody != nil else {
            throw .invalidRequest("a body stream cannot be taken over; give the body as data")
        }
        self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: url,
            body: request.httpBody.map { .bytes([UInt8]($0)) } ?? .empty)
        let lines = request.allHTTPHeaderFields ?? [:]
        for (name, value) in lines.sorted(by: { $0.key < $1.key }) where !HTTPFields.Field.isOwnedByTransport(name) {
            fields.append(name, value)
        }
        try validate()
    }
}

extension URLRequest {
    /// A `URLRequest` with the address, method, header fields and body of a request.
    ///
    /// Lines of one name become one, joined by commas, as Foundation keeps them (RFC 9110 5.3).
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: the timeout; `nil` leaves Foundation's own, 60 seconds without a byte.
    /// - Throws: `.invalidRequest` for what Foundation refuses, and for a body that is a file or a stream: upload
    ///   those with the methods of `URLSession` that take them.
    public init(copying request: HTTPRequest, timeout: Duration? = nil) throws(TransportError) {
        try request.validate()
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        self.init(url: url)
        switch request.body {
        case .empty: break
        case .bytes(let bytes): httpBody = Data(bytes)
        case .file, .stream: throw .invalidRequest("a body that is a file or a stream has no place in a URLRequest")
        }
        httpMethod = request.method.rawValue
        for field in request.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        if let timeout { timeoutInterval = timeout / .seconds(1) }
    }
}
