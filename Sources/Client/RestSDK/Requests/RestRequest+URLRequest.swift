// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && canImport(Security)
public import Foundation
import RestTransport
import RestURLSession

extension RestRequest {
    /// Makes a call from a `URLRequest`, with its URL, method, headers, body and timeout.
    ///
    /// The URL must belong to the account's instance. On platforms where RestSDK does not include URLSession, import
    /// RestURLSession and convert the `URLRequest` to an `HTTPRequest` first.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` if the URL is not an http or https URL, or if the body is a stream.
    public init(_ request: URLRequest, name: String = "custom") throws(RestError) {
        do throws(TransportError) {
            self.init(try HTTPRequest(request), name: name)
        } catch {
            throw RestError(error, isWrite: !["GET", "HEAD"].contains(request.httpMethod ?? "GET"))
        }
        timeout = .seconds(request.timeoutInterval)
    }
}
#endif
