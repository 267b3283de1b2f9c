// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A body of several parts (`multipart/form-data`, RFC 7578).
struct FormBody: Sendable, Hashable {
    let parts: [RestRequest.FormPart]
    let boundary: String

    init(_ parts: [RestRequest.FormPart]) {
        self.parts = parts
        // 122 bits drawn by chance occur in no content.
        boundary = "RestSDK-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
    }

    /// The type of the body.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The body: bytes when all parts are in memory, else a stream of known length that is read from the files.
    ///
    /// A file that is no longer as long as it was when the call began ends the upload with an error.
    ///
    /// - Throws: `TransportError.Code.file` for a file that cannot be read.
    func body() throws(TransportError) -> HTTPBody {
        var pieces: [Piece] = []
        for part in parts {
            pieces.append(.bytes(part.head(boundary: boundary)))
            switch part.content {
            case .bytes(let bytes): pieces.append(.bytes(bytes))
            case .file(let path): pieces.append(.file(try FileSource(path: path)))
            }
            pieces.append(.bytes(Array("\r\n".utf8)))
        }
        pieces.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        guard pieces.contains(where: \.isFile) else { return .bytes(pieces.flatMap(\.bytes)) }
        let maker = Maker(pieces)
        return .stream(HTTPBody.Source(length: pieces.reduce(0) { $0 + $1.length }) { try await maker.next() })
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        case file(FileSource)

        var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file): file.length
            }
        }

        var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
        var isFile: Bool { if case .file = self { true } else { false } }
    }

    /// Gives the pieces one after another, those of a file in its own pieces.
    private actor Maker {
        private var pieces: ArraySlice<Piece>
        /// What the file in front has still to give.
        private var owed: Int64?

        init(_ pieces: [Piece]) {
            self.pieces = pieces[...]
        }

        func next() throws -> [UInt8]? {
            switch pieces.first {
            case nil: return nil
            case .bytes(let bytes):
                pieces.removeFirst()
                return bytes
            case .file(let file):
                let left = owed ?? file.length
                if let bytes = try file.next() {
                    owed = left - Int64(bytes.count)
                    guard left >= bytes.count else { throw Changed() }
                    return bytes
                }
                guard left == 0 else { throw Changed() }
                owed = nil
                pieces.removeFirst()
                return try next()
            }
        }
    }

    /// A file that is not as long as it was.
    private struct Changed: Error {}
}
