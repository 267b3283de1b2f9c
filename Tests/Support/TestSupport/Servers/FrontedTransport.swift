// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTransport

/// A transport that reaches servers on this machine through a front that speaks TLS and HTTP/2.
///
/// So a case for a server of exact bytes also runs over HTTP/2.
package struct FrontedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let front: Origin

    /// Makes a transport that sends by way of a front.
    ///
    /// - Parameters:
    ///   - transport: sends the requests; it trusts the front's authority.
    ///   - front: the address of a front that takes the port of the origin from each request.
    package init(_ transport: any HTTPTransport, front: Origin) {
        self.transport = transport
        self.front = front
    }

    /// Sends the request by way of the front; see `HTTPTransport`.
    package func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        try await transport.send(fronted(request), to: destination, deadline: deadline, progress: progress)
    }

    /// Shuts the transport down.
    package func shutdown() async {
        await transport.shutdown()
    }

    private func fronted(_ request: HTTPRequest) -> HTTPRequest {
        guard request.url.origin.isLoopback, request.url.origin.scheme == .http else { return request }
        var fronted = request
        fronted.url = HTTPURL(origin: front, path: request.url.path, query: request.url.query)
        fronted.fields.append("X-Origin-Port", "\(request.url.origin.port)")
        return fronted
    }
}
#endif
