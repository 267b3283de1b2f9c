// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import RestTransport

/// A streamed request body, made to its end in a temporary file before it is sent.
///
/// FoundationNetworking reads a body stream on the one queue that serves all sessions of the process, and takes a
/// stream without bytes at hand for its end. A maker that needs time would therefore stop every transfer there is, so
/// the body is sent from a file: memory stays small, and its length is always known.
final class StreamedBody: Sendable {
    private let path: String

    /// Makes the body to its end.
    ///
    /// - Throws: what the maker throws, or `TransportError` when the file cannot be written or the length is wrong.
    init(_ source: HTTPBody.Source, _ next: HTTPBody.Source.Pieces) async throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID().uuidString)").path
        let writer = try FileWriter(path: path)
        var count: Int64 = 0
        while let piece = try await next() {
            try Task.checkCancellation()
            try writer.write(piece)
            count += Int64(piece.count)
        }
        guard count == source.length ?? count else { throw source.wrongLength }
        try writer.finish(isKept: false)
    }

    /// Why the maker gave up after the request was sent; here it never does.
    var failure: TransportError? { nil }

    /// Whether URLSession has taken the whole body without being able to tell; of a file it tells how much it sent.
    var isHandedOver: Bool { false }

    /// The call is over; its maker has ended before it was sent.
    func close() {}

    /// Removes the file when the task has ended.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The task that sends the body.
    func task(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
    }
}

extension SessionCall {
    /// Makes the body and launches the call with it, unless the call has ended by then.
    ///
    /// A body that fails to be made ends the call.
    func feed(_ source: HTTPBody.Source, _ pieces: HTTPBody.Source.Pieces, launch: @Sendable () -> Void) async {
        do {
            let body = try await StreamedBody(source, pieces)
            if attach(body) { launch() }
        } catch {
            fail(.bodySource(error, mayHaveReachedServer: false))
        }
    }
}
#endif
