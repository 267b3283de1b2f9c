// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

/// The body of an upload, which is written to its own file and hashed as it arrives.
///
/// The file is removed with the request unless a piece of it is kept.
final class UploadBody: BodySink {
    private struct State {
        var descriptor: CInt = -1
        var count = 0
        var hasher = BlockHasher()
        var isKept = false
    }

    private let folder: PieceFolder
    private let file: Int64
    private let state = Mutex(State())

    init(_ folder: PieceFolder) { (self.folder, file) = (folder, folder.makeNumber()) }

    deinit {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            _ = close(state.descriptor)
            if !state.isKept { folder.remove(file) }
        }
    }

    var count: Int { state.withLock { $0.count } }

    func take(_ chunk: RawSpan) -> Bool {
        let bytes = unsafe chunk.withUnsafeBytes { unsafe Array($0) }
        return state.withLock { state in
            if state.descriptor < 0 { state.descriptor = FileBytes.make(folder.path(of: file)) }
            guard state.descriptor >= 0, FileBytes.write(bytes, to: state.descriptor, at: state.count) else {
                return false
            }
            state.count += bytes.count
            state.hasher.update(bytes[...])
            return true
        }
    }

    /// Returns all bytes as a piece at an offset of a file.
    func chunk(at start: Int) -> Chunk {
        state.withLock { state in
            Chunk(file: file, offset: 0, start: start, count: state.count, digests: state.hasher.digests)
        }
    }

    /// Returns some of the bytes as a piece at an offset of a file, or `nil` if they cannot be read.
    func chunk(_ range: Range<Int>, at start: Int) -> Chunk? {
        var chunk = Chunk(file: file, offset: range.lowerBound, start: start, count: range.count, digests: [])
        guard let hasher = chunk.hasher(in: folder) else { return nil }
        chunk.digests = hasher.digests
        return chunk
    }

    /// Keeps the file because the database uses it.
    func keep() { state.withLock { $0.isKept = true } }

    var contentHash: String { ContentHash.of(digests: chunk(at: 0).digests) }
}

/// The content hash of a file: SHA-256 over the SHA-256 of each block of 4 MiB, as 64 hexadecimal digits.
enum ContentHash {
    static let block = 4 << 20

    static func of(digests: [UInt8]) -> String {
        String(decoding: Hexadecimal.encode(Digest.sha256(digests)), as: UTF8.self)
    }

    /// Returns the hash of contiguous pieces, or `nil` if they cannot be read.
    ///
    /// The files are read only if a piece does not consist of whole blocks.
    static func of(_ chunks: [Chunk], in folder: PieceFolder) -> String? {
        if chunks.dropLast().allSatisfy({ $0.count % block == 0 }) { return of(digests: chunks.flatMap(\.digests)) }
        var hasher = BlockHasher()
        for chunk in chunks {
            guard let next = chunk.hasher(in: folder, after: hasher) else { return nil }
            hasher = next
        }
        return of(digests: hasher.digests)
    }
}

extension Chunk {
    /// Returns a hasher after it has read the piece, or `nil` if the piece cannot be read.
    fileprivate func hasher(in folder: PieceFolder, after others: BlockHasher = BlockHasher()) -> BlockHasher? {
        var hasher = others
        for position in stride(from: 0, to: count, by: 1 << 20) {
            let wanted = min(1 << 20, count - position)
            let bytes = FileBytes.read(folder.path(of: file), from: offset + position, count: wanted)
            guard let bytes, bytes.count == wanted else { return nil }
            hasher.update(bytes[...])
        }
        return hasher
    }
}

/// Hashes the blocks of content that arrives in order.
struct BlockHasher: Sendable {
    private var running = RunningSHA256()
    /// The number of bytes in the current block.
    private var filled = 0
    private var finished: [UInt8] = []

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes
        while !bytes.isEmpty {
            let part = bytes.prefix(ContentHash.block - filled)
            running.update(part)
            filled += part.count
            bytes = bytes.dropFirst(part.count)
            guard filled == ContentHash.block else { continue }
            finished = digests
            (running, filled) = (RunningSHA256(), 0)
        }
    }

    /// The digests of all blocks, the last of which may be shorter.
    var digests: [UInt8] { filled > 0 ? finished + (running.digest ?? Array(RandomText.make(32).utf8)) : finished }
}
