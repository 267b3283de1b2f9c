// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && canImport(Security)
public import Foundation
import RestTransport
import RestURLSession

extension RestRequest {
    /// A call made of a `URLRequest`: its address with the query, method, header fields, body and timeout.
    ///
    /// The address must be one of the account's instance. Where RestSDK does not come with URLSession, import
    /// RestURLSession and make an `HTTPRequest` of the `URLRequest` first.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` for a URL that is not one of http or https, and for a body stream.
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
