// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// Sends as browsers do, to `localhost` too, which the library trusts in no URL.
struct LocalhostTransport: HTTPTransport {
    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let origin = request.url.origin
        guard origin.host == "localhost" else {
            return try await PlatformTransport.shared.send(request, deadline: deadline, progress: progress)
        }
        guard let socket = try? Socket.connected(port: origin.port),
            socket.send(
                Array("GET \(request.url.target) HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n".utf8))
        else { throw TransportError(.notConnected, "nobody listens on \(origin)", mayHaveReachedServer: false) }
        var bytes: [UInt8] = []
        while let more = socket.receive(), !more.isEmpty { bytes += more }
        let status = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return HTTPResponse(head: HTTPResponse.Head(status: status ?? 0), body: bytes)
    }

    func shutdown() async {}
}
