// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestText
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
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
