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
    /// Creates a head from the status and headers of a response, or returns `nil` if it is not an HTTP response.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            fields.append("\(name)", "\(value)")
        }
    }

    /// Returns the error for an invalid head, because Foundation allows contradictory lengths and heads of any size.
    func rejection(maximumBytes: Int) -> TransportError? {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size <= maximumBytes else {
            return Self.failure(.tooLarge, "the response head is larger than \(maximumBytes) bytes")
        }
        guard status >= 200 else {
            return Self.failure(.invalidResponse, "the server sent status \(status), which was not requested")
        }
        // Repeated headers are joined by commas.
        let lengths = fields.values(of: "Content-Length").joined(separator: ",").without(" ")
            .split(byte: ",", omittingEmptySubsequences: false)
        guard Set(lengths).count <= 1, lengths.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }) else {
            return Self.failure(.invalidResponse, "the response has a malformed or contradictory Content-Length")
        }
        return nil
    }

    private static func failure(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(code, message, mayHaveReachedServer: true)
    }
}

extension TransportError {
    /// Creates the error for URLSession's error, which needs evidence to show that nothing was sent.
    init(sessionError error: any Error, after evidence: SendEvidence = SendEvidence()) {
        let session = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        let words = LibcurlWords.reading(text)
        let entry = Self.table.first { $0.session.contains(session) }
        var evidence = evidence
        if evidence.hasBegun == nil, words?.isBeforeRequest == true { evidence.hasBegun = false }
        // The message is more specific than the code, which for example is that of an unsupported URL if the response
        // is not HTTP.
        let timing = words.map { $0.isBeforeRequest ? .either : .after } ?? entry?.timing ?? .after
        self.init(
            words?.code ?? entry?.code ?? .connectionLost, text,
            mayHaveReachedServer: timing == .after || (timing == .either && !evidence.isUnsent),
            systemErrors: [TransportError.SystemError(.urlSession, session.rawValue)]
                + Self.systemNumbers(behind: error))
    }

    /// The system's number in the chain of errors underlying URLSession's error.
    private static func systemNumbers(behind error: any Error) -> [TransportError.SystemError] {
        var behind = (error as? URLError)?.errorUserInfo[NSUnderlyingErrorKey] as? NSError
        for _ in 0..<4 {
            guard let error = behind else { break }
            if error.domain == NSPOSIXErrorDomain { return [TransportError.SystemError(.errno, error.code)] }
            // CFNetwork reports a socket's error number in this way, where domain 1 is errno.
            let info = error.userInfo
            if info["_kCFStreamErrorDomainKey"] as? Int == 1, let code = info["_kCFStreamErrorCodeKey"] as? Int {
                return [TransportError.SystemError(.errno, code)]
            }
            behind = info[NSUnderlyingErrorKey] as? NSError
        }
        return []
    }

    /// The phase of a request in which an error can occur.
    private enum Timing {
        /// Only before anything is sent.
        case before
        /// While connecting or after the request was sent, depending on the evidence.
        case either
        /// Possibly after the request was sent.
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

/// The evidence of how much of a request was sent when URLSession reports an error.
///
/// No code of URLSession proves that nothing was sent. A task can lose its network, or fail on a second connection,
/// after its request was sent on a first one.
struct SendEvidence: Equatable {
    /// The number of body bytes that were passed to a connection.
    var sentBytes: Int64 = 0
    /// Whether a response head has arrived.
    var hasHead = false
    /// Whether the request was started on any connection, or `nil` if URLSession does not report it.
    var hasBegun: Bool?

    /// Whether the evidence shows that no byte of the request was sent.
    var isUnsent: Bool { sentBytes == 0 && !hasHead && hasBegun == false }
}

/// The meaning of a libcurl message inside FoundationNetworking, which reports most errors as unknown.
struct LibcurlWords {
    /// The beginning of the message.
    let prefix: String
    let code: TransportError.Code
    /// Whether libcurl reports this only before a connection is established, so that nothing was sent on it.
    var isBeforeRequest = false

    /// Returns the meaning of a message, or `nil` if it is unknown.
    static func reading(_ text: String) -> LibcurlWords? { table.first { text.hasBytes(prefix: $0.prefix) } }

    /// The known messages, where longer prefixes come first.
    ///
    /// Messages about reading or writing with SSL can occur after the request was sent.
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
    /// URLSession's timeout in seconds, long after the call's own deadline.
    static let backstop: TimeInterval = 1_000_000

    /// Creates a request for URLSession, without the body.
    ///
    /// - Throws: `.invalidRequest` if Foundation rejects the request, `.file` if its file cannot be read.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation rejected the URL")
        }
        guard request.body == .empty || ![.get, .head].contains(request.method) else {
            throw .invalidRequest("a \(request.method) request cannot have a body")
        }
        // Only a check, because URLSession opens the file itself.
        if case .file(let file) = request.body { _ = try FileSource(file) }
        #if canImport(FoundationNetworking)
        guard !request.url.origin.host.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest(
                "Foundation cannot connect to an IPv6 address on this system; use CurlTransport or a host name")
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
    /// Asks for an uncompressed body, because libcurl inside FoundationNetworking accepts a truncated compressed body.
    private mutating func frame(_ request: HTTPRequest) {
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
    #else
    /// Sets the type and length of the body, which URLSession would set differently.
    private mutating func frame(_ request: HTTPRequest) {
        guard request.body != .empty else { return }
        // The type that a missing type implies (RFC 9110 §8.3). URLSession would declare a form.
        if request.fields["Content-Type"] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // Otherwise a streamed body is sent in chunks.
        if case .stream = request.body, let length = request.body.length {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    }
    #endif
}

extension HTTPRequest {
    /// Creates a request with the URL, method, headers and body of a `URLRequest`.
    ///
    /// Headers that frame the body or control the connection (`Content-Length`, `Host` …) are ignored, because the
    /// transport sets them. The timeout is also ignored. Set it for the call.
    ///
    /// - Parameter request: the request of Foundation.
    /// - Throws: `.invalidRequest` for a URL that is not http or https, and for a body stream, because it can be read
    ///   only once. Pass the body as data, or as a file of an `HTTPRequest`.
    public init(_ request: URLRequest) throws(TransportError) {
        guard let text = request.url?.absoluteString, let url = try? HTTPURL(parsing: text) else {
            throw .invalidRequest("the request must have an absolute http or https URL")
        }
        guard request.httpBodyStream == nil || request.httpBody != nil else {
            throw .invalidRequest("a body stream cannot be copied; pass the body as data")
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
    /// Creates a `URLRequest` with the URL, method, headers and body of a request.
    ///
    /// Headers of the same name are joined by commas, as Foundation stores them (RFC 9110 §5.3).
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: the timeout, or `nil` for Foundation's default of 60 seconds without data.
    /// - Throws: `.invalidRequest` if Foundation rejects the request, or if the body is a file or a stream. Upload such
    ///   a body with the methods of `URLSession` that accept it.
    public init(copying request: HTTPRequest, timeout: Duration? = nil) throws(TransportError) {
        try request.validate()
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation rejected the URL")
        }
        self.init(url: url)
        switch request.body {
        case .empty: break
        case .bytes(let bytes): httpBody = Data(bytes)
        case .file, .stream:
            throw .invalidRequest("a URLRequest cannot contain a file or a stream; use an upload task of URLSession")
        }
        httpMethod = request.method.rawValue
        for field in request.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        if let timeout { timeoutInterval = timeout / .seconds(1) }
    }
}
