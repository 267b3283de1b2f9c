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
