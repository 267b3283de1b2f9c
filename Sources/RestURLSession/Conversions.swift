// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request as URLSession wants it.
    ///
    /// - Throws: `.invalidRequest` for a URL Foundation refuses and for streamed bodies.
    init(_ request: HTTPRequest, timeout: Duration) throws(TransportError) {
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        // Whole seconds only on Linux, and started anew with every chunk: a backstop behind the call's own deadline.
        timeoutInterval = Double(timeout.components.seconds + 2)
        switch request.body {
        case .empty, .file: break
        case .bytes(let bytes): httpBody = Data(bytes)
        case .stream: throw .invalidRequest("this transport sends no streamed bodies")
        }
    }
}

extension HTTPResponseHead {
    /// Status and fields of a response; `nil` when it is not of HTTP.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            fields.append("\(name)", "\(value)")
        }
    }
}

extension HTTPResponseHead {
    /// The largest header accepted, names and values together, in bytes.
    private static let maximumBytes = 64 * 1024

    /// Why the header is refused, if it is; Foundation lets contradictory lengths and headers of any size through.
    var refusal: (code: TransportError.Code, message: String)? {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size <= Self.maximumBytes else { return (.tooLarge, "the response header is too large") }
        // Repeated fields arrive joined by commas.
        let lengths = fields.values(of: "Content-Length").joined(separator: ",").filter { $0 != " " }
            .split(separator: ",", omittingEmptySubsequences: false)
        guard Set(lengths).count <= 1, lengths.allSatisfy({ $0.allSatisfy { "0123456789".contains($0) } }) else {
            return (.invalidResponse, "a malformed or contradictory Content-Length")
        }
        return nil
    }
}

extension TransportError {
    /// What URLSession's error means.
    init(sessionError error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        let text = error.localizedDescription
        switch code {
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.hostNotFound, text, mayHaveReachedServer: false)
        case .cannotConnectToHost, .notConnectedToInternet:
            self.init(.notConnected, text, mayHaveReachedServer: false)
        case .timedOut:
            self.init(.timedOut, text, mayHaveReachedServer: true)
        case .cancelled:
            self.init(.cancelled, text, mayHaveReachedServer: true)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
            self.init(.tls, text, mayHaveReachedServer: false)
        case .networkConnectionLost, .badServerResponse:
            self.init(.connectionLost, text, mayHaveReachedServer: true)
        case .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
            self.init(.invalidResponse, text, mayHaveReachedServer: true)
        default:
            self.init(Self.code(fromWords: text), text, mayHaveReachedServer: true)
        }
    }

    /// FoundationNetworking reports most failures as unknown; libcurl's words are all there is.
    private static func code(fromWords text: String) -> Code {
        let table: [(prefix: String, code: Code)] = [
            ("SSL", .tls), ("Out of memory", .tooLarge), ("Received HTTP/0.9", .invalidResponse),
            ("Error while processing content", .invalidResponse), ("Unrecognized content encoding", .invalidResponse),
        ]
        return table.first { text.hasPrefix($0.prefix) }?.code ?? .connectionLost
    }
}
