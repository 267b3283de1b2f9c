// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
package import RestTransport

/// A transport that reaches servers on this machine through a front server with TLS and HTTP/2.
///
/// With it, test cases for servers of exact bytes also run over HTTP/2.
package struct FrontedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let front: Origin

    /// Creates a transport that sends through a front server.
    ///
    /// - Parameters:
    ///   - transport: sends the requests, and trusts the front server's CA.
    ///   - front: the origin of a front server that reads the target port from each request.
    package init(_ transport: any HTTPTransport, front: Origin) {
        self.transport = transport
        self.front = front
    }

    package func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        try await transport.send(fronted(request), deadline: deadline, progress: progress)
    }

    package func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream {
        try await transport.stream(fronted(request), deadline: deadline, progress: progress)
    }

    package func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        try await transport.download(fronted(request), to: target, deadline: deadline, progress: progress)
    }

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
