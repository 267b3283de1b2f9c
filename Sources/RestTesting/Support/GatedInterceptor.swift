// SPDX-License-Identifier: Apache-2.0

package import RestSDK
package import RestTransport

/// App code that waits at a gate, even if its call ends meanwhile.
package struct GatedInterceptor: Interceptor {
    private let gate: Gate

    /// Makes a step that lets requests pass when the gate is open.
    package init(gate: Gate) {
        self.gate = gate
    }

    package func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        await gate.pass()
        return try await next(request)
    }
}
