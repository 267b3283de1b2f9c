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

    /// The body: bytes when all parts are in memory, else a stream of known length, which is read from the files anew
    /// for each attempt.
    ///
    /// A file that is not what it was when the call began ends the upload with an error.
    ///
    /// - Throws: `TransportError.Code.file` for a file that cannot be read.
    func body() throws(TransportError) -> HTTPBody {
        var pieces: [Piece] = []
        for part in parts {
            pieces.append(.bytes(part.head(boundary: boundary)))
            switch part.content {
            case .bytes(let bytes): pieces.append(.bytes(bytes))
            case .file(let path): pieces.append(.file(HTTPBody.File(path: path).forOneCall))
            }
            pieces.append(.bytes(Array("\r\n".utf8)))
        }
        pieces.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        guard pieces.contains(where: \.isFile) else { return .bytes(pieces.flatMap(\.bytes)) }
        var length: Int64 = 0
        for piece in pieces { length += try piece.opened().length }
        return .stream(
            .restartable(length: length) { [pieces] in
                let maker = Maker(try pieces.map { try $0.opened() })
                return { try await maker.next() }
            })
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        case file(HTTPBody.File)

        var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
        var isFile: Bool { if case .file = self { true } else { false } }

        func opened() throws(TransportError) -> OpenPiece {
            switch self {
            case .bytes(let bytes): .bytes(bytes)
            case .file(let file): .file(try FileSource(file))
            }
        }
    }

    private enum OpenPiece: Sendable {
        case bytes([UInt8])
        case file(FileSource)

        var length: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file): file.length
            }
        }
    }

    /// Gives the pieces one after another, those of a file in its own pieces.
    private actor Maker {
        private var pieces: ArraySlice<OpenPiece>

        init(_ pieces: [OpenPiece]) {
            self.pieces = pieces[...]
        }

        func next() throws -> [UInt8]? {
            switch pieces.first {
            case nil: return nil
            case .bytes(let bytes):
                pieces.removeFirst()
                return bytes
            case .file(let file):
                if let bytes = try file.next() { return bytes }
                pieces.removeFirst()
                return try next()
            }
        }
    }
}
