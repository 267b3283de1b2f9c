// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import RestTransport

/// A streamed request body that is written to a temporary file before it is sent.
///
/// FoundationNetworking reads body streams on the queue that serves all sessions of the process, and treats a stream
/// without available bytes as complete. A slow source would therefore block every transfer. With a file, memory use
/// stays small and the length is always known.
final class StreamedBody: Sendable {
    private let path: String

    /// Writes the whole body to the file.
    ///
    /// - Throws: the error of the source, or `TransportError` if the file cannot be written or the length is wrong.
    init(_ source: HTTPBody.Source, _ next: HTTPBody.Source.Chunks) async throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID().uuidString)").path
        let writer = try FileWriter(path: path)
        var count: Int64 = 0
        while let chunk = try await next() {
            try Task.checkCancellation()
            try writer.write(chunk)
            count += Int64(chunk.count)
        }
        guard count == source.length ?? count else { throw source.wrongLength }
        try writer.finish(isKept: false)
    }

    /// Always `nil`, because the source ends before the request is sent.
    var failure: TransportError? { nil }

    /// Always `false`, because URLSession reports the bytes sent from a file.
    var isHandedOver: Bool { false }

    /// Does nothing, because the source ends before the request is sent.
    func close() {}

    /// Removes the file after the task has ended.
    func discard() { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the task that sends the body.
    func task(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
    }
}

extension SessionCall {
    /// Writes the body to the file and starts the call, unless the call is already over.
    ///
    /// An error of the source ends the call.
    func feed(_ source: HTTPBody.Source, _ chunks: HTTPBody.Source.Chunks, launch: @Sendable () -> Void) async {
        do {
            let body = try await StreamedBody(source, chunks)
            if attach(body) { launch() }
        } catch {
            fail(.bodySource(error, mayHaveReachedServer: false))
        }
    }
}
#endif
