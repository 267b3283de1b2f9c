// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport

/// The content hash of a file: SHA-256 over the SHA-256s of its blocks of 4 MiB.
enum ContentHash {
    static let block = 4 << 20

    /// 64 hexadecimal digits, from the digests of all blocks.
    static func of(blocks digests: [UInt8]) -> String { HexText.of(Digest.sha256(digests)) }

    /// The hash of bytes in memory.
    static func of(_ bytes: [UInt8]) -> String {
        var hasher = BlockHasher(start: 0)
        hasher.update(bytes[...])
        return of(blocks: hasher.finish())
    }

    /// The hash of what pieces make up; `nil` if they have a gap or cannot be read.
    ///
    /// Only the blocks that no piece has the digest of are read.
    static func of(_ pieces: [Piece], size: Int64, in folder: PieceFolder) -> String? {
        let size = Int(clamping: size)
        var (digests, index): ([UInt8], Int) = ([], 0)
        for start in stride(from: 0, to: size, by: block) {
            let end = min(start + block, size)
            while index < pieces.count, pieces[index].end <= start { index += 1 }
            guard index < pieces.count, pieces[index].start <= start else { return nil }
            if let known = pieces[index].digest(of: start..<end, size: size) {
                digests += known
            } else if let bytes = read(start..<end, pieces[index...], folder) {
                digests += Digest.sha256(bytes)
            } else {
                return nil
            }
        }
        return of(blocks: digests)
    }

    /// Whether the hash of the pieces costs no reading.
    static func isKnown(_ pieces: [Piece], size: Int64) -> Bool {
        pieces.allSatisfy { piece in
            piece.start % block == 0 && (piece.end % block == 0 || piece.end == Int(clamping: size))
                && piece.digests.count == (piece.count + block - 1) / block * 32
        }
    }

    private static func read(_ range: Range<Int>, _ pieces: ArraySlice<Piece>, _ folder: PieceFolder) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for piece in pieces where bytes.count < range.count {
            let position = range.lowerBound + bytes.count
            guard piece.start <= position else { return nil }
            let wanted = min(piece.end - position, range.count - bytes.count)
            guard
                let part = FileBytes.read(
                    folder.path(of: piece.file), from: piece.offset + position - piece.start,
                    count: wanted),
                part.count == wanted
            else { return nil }
            bytes += part
        }
        return bytes.count == range.count ? bytes : nil
    }
}

/// Bytes as hexadecimal digits.
enum HexText {
    static func of(_ bytes: [UInt8]) -> String { String(decoding: Hexadecimal.encode(bytes), as: UTF8.self) }

    static func sha256(_ text: String) -> String { of(Digest.sha256(text.utf8)) }
}

/// Hashes the blocks of a file that begin in bytes which come one after another.
struct BlockHasher: Sendable {
    /// How many bytes come before the first block that begins here.
    private var skip: Int
    private var running = RunningSHA256()
    /// The bytes of the block under way.
    private var filled = 0
    private var digests: [UInt8] = []

    /// Begins at a position of the file.
    init(start: Int) {
        skip = (ContentHash.block - start % ContentHash.block) % ContentHash.block
    }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        let before = min(skip, bytes.count)
        skip -= before
        var bytes = bytes.dropFirst(before)
        while !bytes.isEmpty {
            let part = bytes.prefix(ContentHash.block - filled)
            running.update(part)
            filled += part.count
            bytes = bytes.dropFirst(part.count)
            if filled == ContentHash.block { endBlock() }
        }
    }

    private mutating func endBlock() {
        digests += running.digest ?? Array(RandomText.make(32).utf8)
        running = RunningSHA256()
        filled = 0
    }

    /// The digests of all blocks, the last of which may have ended early.
    mutating func finish() -> [UInt8] {
        if filled > 0 { endBlock() }
        return digests
    }
}
