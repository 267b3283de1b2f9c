// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets 2xx (and 304) pass and turns every other status into a typed error with the server's own faults.
struct StatusChecking: Interceptor {
    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let response = try await next(request, context)
        guard (200..<300).contains(response.head.status) || response.head.status == 304 else {
            throw RestError(refusal: response, isWrite: context.request.isWrite)
        }
        return response
    }
}

extension RestError {
    /// The error that a response of another status than 2xx stands for.
    ///
    /// - Parameter outcome: what is known of a write; by the status when not given.
    init(refusal response: HTTPResponse, isWrite: Bool, outcome: WriteOutcome? = nil) {
        let status = response.head.status
        let likely: WriteOutcome = status >= 500 ? .unknown : .notApplied
        let faults = APIFault.faults(in: response.body)
        let message =
            faults.first.map(\.description)
            ?? "the server answered \(status)" + (Self.isHTML(response) ? " with a page instead of data" : "")
        self.init(
            Self.code(for: status, faults), message, faults: faults, response: response.head, body: response.body,
            outcome: isWrite ? outcome ?? likely : nil)
    }

    private static func code(for status: Int, _ faults: [APIFault]) -> Code {
        switch status {
        case 401: .unauthorized
        case 403 where faults.contains { $0.errorCode == "REQUEST_LIMIT_EXCEEDED" }: .rateLimited
        case 403: .forbidden
        case 404: .notFound
        case 413, 414, 431: .tooLarge
        case 429: .rateLimited
        case 301, 302, 303, 307, 308: .redirected
        case 500...: .server
        default: .api
        }
    }

    private static func isHTML(_ response: HTTPResponse) -> Bool {
        response.head.fields["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
    }
}
