// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// A transfer and the transport that runs it.
struct CurlCall: HTTPCall {
    let transfer: Transfer
    let transport: CurlTransport

    func response() async throws(TransportError) -> HTTPResponse {
        try await transport.run(transfer)
    }

    func cancel() {
        transport.loop.cancel(transfer)
    }
}

extension CurlTransport: HTTPCallTransport {
    package func call(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) -> any HTTPCall {
        CurlCall(transfer: Transfer(request: request, deadline: deadline, progress: progress), transport: self)
    }
}
