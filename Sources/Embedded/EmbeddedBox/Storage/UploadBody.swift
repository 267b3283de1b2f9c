// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

/// The body of an upload: in memory while it is short, else in a file, hashed as it comes.
///
/// What it takes in the folder goes with the request unless it is kept.
final class UploadBody: BodySink {
    private struct State {
        /// A short body, or what the file does not have yet.
        var buffer: [UInt8] = []
        /// The bytes in the file.
        var written = 0
        var descriptor: CInt = -1
        var file: Int64 = 0
        /// A short body that is in a pack.
        var packed: (file: Int64, offset: Int)?
        var hasher: BlockHasher
        var isKept = false

        var count: Int { written + buffer.count }
    }

    private let folder: PieceFolder
    /// Where the bytes are in what they become a part of.
    private let start: Int
    private let state: Mutex<State>

    /// Longer bodies go to a file.
    static let mostMemory = 64 << 10
    /// Bytes are written and hashed in so many at once.
    private static let bufferSize = 256 << 10

    init(_ folder: PieceFolder, start: Int = 0) {
        (self.folder, self.start) = (folder, start)
        state = Mutex(State(hasher: BlockHasher(start: start)))
    }

    deinit {
        state.withLock { state in
            if state.descriptor >= 0 { _ = close(state.descriptor) }
            guard !state.isKept else { return }
            if state.descriptor >= 0 { folder.release(state.file) }
            if let packed = state.packed { folder.release(packed.file) }
        }
    }

    var count: Int { state.withLock { $0.count } }

    /// Whether nothing has been written so far.
    var isInMemory: Bool { state.withLock { $0.descriptor < 0 } }

    func take(_ piece: RawSpan) -> Bool {
        state.withLock { state in
            unsafe piece.withUnsafeBytes { unsafe state.buffer.append(contentsOf: $0) }
            return settle(&state)
        }
    }

    /// Writes what has become too much for the memory.
    private func settle(_ state: inout State) -> Bool {
        if state.descriptor < 0 { return state.buffer.count <= Self.mostMemory || makeFile(&state) }
        return state.buffer.count < Self.bufferSize || flush(&state)
    }

    func take(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            state.buffer += bytes
            return settle(&state)
        }
    }

    private func makeFile(_ state: inout State) -> Bool {
        guard let made = folder.makeFile() else { return false }
        (state.file, state.descriptor) = made
        state.buffer.reserveCapacity(Self.bufferSize + (64 << 10))  // bounded: the same for every body
        return true
    }

    private func flush(_ state: inout State) -> Bool {
        guard FileBytes.write(state.buffer, to: state.descriptor, at: state.written) else { return false }
        state.hasher.update(state.buffer[...])
        state.written += state.buffer.count
        state.buffer.removeAll(keepingCapacity: true)
        return true
    }

    /// Writes everything into the folder, where it goes with the request unless it is kept; `nil` if the disk is full.
    func piece(at start: Int) -> Piece? {
        state.withLock { state in
            // A copy: whoever asks again gets the same digests.
            var hasher = start == self.start ? state.hasher : BlockHasher(start: start)
            guard state.descriptor < 0 else {
                guard state.buffer.isEmpty || flush(&state) else { return nil }
                if start == self.start { hasher = state.hasher }
                return Piece(
                    file: state.file, offset: 0, start: start, count: state.written,
                    digests: start == self.start ? hasher.finish() : [])
            }
            // An empty body takes no room.
            guard !state.buffer.isEmpty else {
                return Piece(file: folder.makeNumber(), offset: 0, start: start, count: 0, digests: [])
            }
            if state.packed == nil { state.packed = folder.pack(state.buffer) }
            guard let (file, offset) = state.packed else { return nil }
            hasher.update(state.buffer[...])
            return Piece(file: file, offset: offset, start: start, count: state.count, digests: hasher.finish())
        }
    }

    /// The database names the bytes now.
    func keep() { state.withLock { $0.isKept = true } }

    /// The content hash of the bytes by themselves.
    func contentHash() -> String? {
        if let bytes = state.withLock({ $0.descriptor < 0 ? $0.buffer : nil }) { return ContentHash.of(bytes) }
        guard let piece = piece(at: 0) else { return nil }
        return ContentHash.of([piece], size: Int64(piece.count), in: folder)
    }

    /// Whether the bytes have the content hash, if one is given.
    func has(_ hash: String?) -> Bool { hash.map { contentHash() == $0 } ?? true }

    /// Some of the bytes as a body of their own; `nil` if they cannot be read or written.
    func part(_ range: Range<Int>, start: Int) -> UploadBody? {
        let part = UploadBody(folder, start: start)
        let memory = state.withLock { $0.descriptor < 0 ? $0.buffer : nil }
        let whole = memory == nil ? piece(at: 0) : nil
        for position in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let end = min(position + (1 << 20), range.upperBound)
            let bytes =
                memory.map { Array($0[position..<end]) }
                ?? whole.flatMap {
                    FileBytes.read(folder.path(of: $0.file), from: $0.offset + position, count: end - position)
                }
            guard let bytes, bytes.count == end - position, part.take(bytes) else { return nil }
        }
        return part
    }
}

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
