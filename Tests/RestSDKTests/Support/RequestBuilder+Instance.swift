// SPDX-License-Identifier: Apache-2.0

import RestTransport

@testable import RestSDK

extension RequestBuilder {
    /// The request as it would go to an instance, without a token.
    func request(for request: RestRequest, instance: Origin) throws(RestError) -> HTTPRequest {
        let built = try self.request(for: request)
        do throws(InvalidArgument) {
            return try built.addressed(to: instance)
        } catch {
            throw .invalidRequest(error.argument, error.reason, isWrite: request.isWrite)
        }
    }
}
