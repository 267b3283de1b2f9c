// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// A body, and the content hash of what is sent of it.
///
/// Bytes and files are hashed before they are sent, so that Dropbox refuses what arrives otherwise; a stream while it
/// is sent.
struct HashedBody: Sendable {
    /// The hash of a stream, of the last time it was made.
    private final class Passing: Sendable {
        let hash = Mutex(ContentHash())
    }

    /// What is sent.
    let body: HTTPBody
    /// The hash that is known before; `nil` for a stream.
    let known: String?
    private let passing: Passing?

    /// Reads a body once, unless it is a stream.
    init(_ body: HTTPBody) async throws(RestError) {
        switch body {
        case .empty, .bytes: (self.body, known, passing) = (body, ContentHash(of: body.inMemory ?? []).text, nil)
        case .file(let file):
            (self.body, known, passing) = (body, try await ContentHash.ofFile(at: file.path).text, nil)
        case .stream(let source):
            let passing = Passing()
            (self.body, known, self.passing) = (.stream(Self.watched(source, passing)), nil, passing)
        }
    }

    /// The hash of what was sent.
    var sent: String? { passing.map { $0.hash.withLock { $0.text } } ?? known }

    private static func watched(_ source: HTTPBody.Source, _ passing: Passing) -> HTTPBody.Source {
        let begin = { @Sendable () throws(TransportError) -> HTTPBody.Source.Pieces in
            let pieces = try source.begin()
            passing.hash.withLock { $0 = ContentHash() }
            return {
                let piece = try await pieces()
                if let piece { passing.hash.withLock { $0.update(piece) } }
                return piece
            }
        }
        guard source.isRestartable else {
            return .once(length: source.length, pieces: Self.lazily(begin))
        }
        return .restartable(length: source.length) { try begin() }
    }

    /// The pieces of a body that is begun when the first one is asked for.
    private static func lazily(
        _ begin: @escaping @Sendable () throws(TransportError) -> HTTPBody.Source.Pieces
    ) -> HTTPBody.Source.Pieces {
        let begun = Mutex<HTTPBody.Source.Pieces?>(nil)
        return {
            let pieces = try begun.withLock { pieces throws(TransportError) in
                let known = if let pieces { pieces } else { try begin() }
                pieces = known
                return known
            }
            return try await pieces()
        }
    }
}
