// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// A streamed content that is read part by part, one part at a time.
///
/// The last part stays in memory until the next one is asked for: the server may want it again.
final class UploadStream: Sendable {
    private struct Reading: Sendable {
        var pieces: HTTPBody.Source.Pieces?
        /// What was read and may be wanted (again).
        var kept: [UInt8] = []
        /// The place of its first byte.
        var start: Int64 = 0
        var isEnded = false
        var hash = ContentHash()

        var end: Int64 { start + Int64(kept.count) }
    }

    private let source: HTTPBody.Source
    private let reading = Mutex(Reading())

    init(_ source: HTTPBody.Source) {
        self.source = source
    }

    /// The content hash of what was read, which is the whole when its end was reached.
    var hash: String? { reading.withLock { $0.isEnded ? $0.hash.text : nil } }

    /// Reads a part; see ``UploadContent/part(from:count:)``.
    func part(from start: Int64, count: Int) async throws(RestError) -> UploadPart {
        // Nobody else reads meanwhile, so the state can be away from its place while the source is waited for.
        var now = reading.withLock { $0 }
        defer { reading.withLock { $0 = now } }
        do throws(TransportError) {
            if start < now.start { now = Reading() }
            // One byte more than is wanted tells whether the content goes on.
            while now.end <= start + Int64(count), !now.isEnded { try await readOn(&now, from: start) }
        } catch {
            let code: RestError.Code =
                switch error.code {
                case .cancelled: .cancelled
                case .bodyChanged: .bodyChanged
                case .bodySource: .bodySource
                default: .invalidRequest
                }
            throw RestError(code, error.message, outcome: .notApplied, underlying: error.underlying ?? error)
        }
        drop(&now, before: start)
        guard start <= now.end, source.length.map({ now.end <= $0 && (!now.isEnded || now.end == $0) }) ?? true else {
            throw RestError(.bodyChanged, source.wrongLength.message, outcome: .notApplied)
        }
        let bytes = Array(now.kept.prefix(count))
        return UploadPart(
            body: .bytes(bytes), count: Int64(bytes.count), isEnd: now.isEnded && bytes.count == now.kept.count,
            hash: ContentHash(of: bytes).text)
    }

    private func readOn(_ now: inout Reading, from start: Int64) async throws(TransportError) {
        drop(&now, before: start)
        let pieces: HTTPBody.Source.Pieces
        if let begun = now.pieces { pieces = begun } else { pieces = try source.begin() }
        now.pieces = pieces
        do {
            guard let piece = try await pieces() else {
                now.isEnded = true
                return
            }
            now.hash.update(piece)
            now.kept += piece
        } catch {
            throw .bodySource(error, mayHaveReachedServer: false)
        }
    }

    private func drop(_ now: inout Reading, before start: Int64) {
        let count = Int(clamping: min(start - now.start, Int64(now.kept.count)))
        guard count > 0 else { return }
        now.kept.removeFirst(count)
        now.start += Int64(count)
    }
}
