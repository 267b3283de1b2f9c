// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// Reads request bodies to their ends, as a transport does, and leaves the answers to a stub, which sees them as bytes.
struct ReadingTransport: HTTPTransport {
    let stub = StubTransport()
    /// Called when a body was read, with the number of requests before.
    var onRequest: @Sendable (Int) -> Void = { _ in }

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        var read = request
        let bytes = try await bytes(of: request.body)
        if request.body != .empty { read.body = .bytes(bytes) }
        onRequest(stub.requests.count)
        return try await stub.send(read, deadline: deadline, progress: progress)
    }

    func shutdown() async {}

    private func bytes(of body: HTTPBody) async throws(TransportError) -> [UInt8] {
        do {
            var content: [UInt8] = []
            switch body {
            case .empty: break
            case .bytes(let bytes): content = bytes
            case .file(let file):
                let source = try FileSource(file)
                while let piece = try source.next() { content += piece }
            case .stream(let source):
                let pieces = try source.begin()
                while let piece = try await pieces() { content += piece }
            }
            return content
        } catch {
            throw .bodySource(error, mayHaveReachedServer: false)
        }
    }
}
