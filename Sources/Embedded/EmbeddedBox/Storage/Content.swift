// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a file as the folder has them.
struct Content: Sendable {
    let folder: PieceFolder
    let pieces: [Piece]
    let size: Int

    /// Some of the bytes, to be sent; `nil` if they cannot be read.
    func slice(_ range: Range<Int>) -> FileSlice? {
        var parts: [FileSlice.Part] = []
        for piece in pieces where piece.start < range.upperBound && piece.end > range.lowerBound {
            let from = max(piece.start, range.lowerBound)
            parts.append(
                FileSlice.Part(
                    path: folder.path(of: piece.file), offset: piece.offset + from - piece.start,
                    count: min(piece.end, range.upperBound) - from))
        }
        return FileSlice(parts)
    }
}

extension Content {
    /// The bytes, of which a request may ask for a part (RFC 9110 §14).
    func response(to request: ServerRequest) -> ServerResponse {
        let asked = request.fields["Range"].flatMap { ByteRange($0) }
        let part = asked?.resolved(in: size)
        if asked != nil && part == nil {
            return ServerResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        let range = part ?? 0..<size
        guard let slice = slice(range) else {
            return BoxRefusal.broken.response
        }
        var response = ServerResponse(
            status: part == nil ? 200 : 206,
            fields: [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")])
        if part != nil {
            let end = range.upperBound - 1
            response.fields.append(("Content-Range", "bytes \(range.lowerBound)-\(end)/\(size)"))
        }
        response.file = slice
        return response
    }
}

/// Bytes of a file that came together, and are together in the box's folder.
struct Piece: Sendable {
    /// The number of the file in the folder, and where they begin in it.
    let file: Int64
    let offset: Int
    /// Where the bytes are in what they are a part of.
    let start: Int
    let count: Int
    /// The SHA-256 of each block of 4 MiB that begins in the piece; the last one may have ended early.
    let digests: [UInt8]

    var end: Int { start + count }

    /// The digest of a block of a file of that size, if the piece has all of the block.
    func digest(of range: Range<Int>, size: Int) -> ArraySlice<UInt8>? {
        guard range.lowerBound >= start, range.upperBound <= end,
            range.count == ContentHash.block || (range.upperBound == end && end == size)
        else { return nil }
        let first = (start + ContentHash.block - 1) / ContentHash.block
        let place = (range.lowerBound / ContentHash.block - first) * 32
        return place + 32 <= digests.count ? digests[place..<place + 32] : nil
    }
}

/// The folder with the bytes of files, in the pieces in which they came: a long piece is a file of its own, and short
/// ones stand behind each other in a pack.
///
/// A piece is written where it stays. Whether it is a part of a file, of an upload session or of nothing is what the
/// database says. So nothing has to be moved when a file is finished, and a process that is killed leaves at most bytes
/// that nothing names. Files that nothing names are removed, at the latest by the next start; the room of a short piece
/// comes back with its whole pack.
final class PieceFolder: Sendable {
    private struct State: ~Copyable {
        var pack: Int64 = 0
        var descriptor: CInt = -1
        var end = 0
        /// How many pieces each file has.
        var uses: [Int64: Int] = [:]

        deinit { if descriptor >= 0 { _ = close(descriptor) } }
    }

    /// The folder of one user's files and database.
    let root: String
    private let next = Atomic<Int64>(1)
    private let state = Mutex(State())

    /// A pack that is longer is not gone on with.
    private static let packSize = 64 << 20

    init(root: String) {
        self.root = root
    }

    /// Makes the folders that are missing; `false` if they cannot be made.
    func prepare() -> Bool {
        for folder in [root, root + "/pieces"] {
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    /// A number that nothing else has.
    func makeNumber() -> Int64 { next.add(1, ordering: .relaxed).oldValue }

    func path(of file: Int64) -> String { "\(root)/pieces/\(file)" }

    /// Writes a short piece into a pack, and gives its place; `nil` if the disk is full.
    func pack(_ bytes: [UInt8]) -> (file: Int64, offset: Int)? {
        state.withLock { state in
            guard state.descriptor >= 0 && state.end < Self.packSize || beginPack(&state) else { return nil }
            let offset = state.end
            guard FileBytes.write(bytes, to: state.descriptor, at: offset) else { return nil }
            state.end += bytes.count
            state.uses[state.pack, default: 0] += 1
            return (state.pack, offset)
        }
    }

    private func beginPack(_ state: inout State) -> Bool {
        if state.descriptor >= 0 { _ = close(state.descriptor) }
        let (old, new) = (state.pack, makeNumber())
        (state.pack, state.descriptor, state.end) = (new, FileBytes.make(path(of: new)), 0)
        if old != 0, state.uses[old] == nil { _ = unsafe unlink(path(of: old)) }
        return state.descriptor >= 0
    }

    /// A file of its own for a long piece: its number and descriptor; `nil` if it cannot be made.
    func makeFile() -> (file: Int64, descriptor: CInt)? {
        let file = makeNumber()
        let descriptor = FileBytes.make(path(of: file))
        guard descriptor >= 0 else { return nil }
        state.withLock { $0.uses[file] = 1 }
        return (file, descriptor)
    }

    /// Gives up a piece; its file goes with the last one.
    func release(_ file: Int64) {
        let isUnused = state.withLock { state in
            guard let uses = state.uses[file] else { return false }
            state.uses[file] = uses > 1 ? uses - 1 : nil
            return uses == 1 && file != state.pack
        }
        if isUnused { _ = unsafe unlink(path(of: file)) }
    }

    /// Removes the files that nothing names, and goes on behind all numbers that there are.
    func sweep(known: [Int64: Int], behind last: Int64) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/pieces")) ?? []
        var last = max(last, known.keys.max() ?? 0)
        for name in names {
            guard let number = Int64(name), number > 0 else { continue }  // bounded: nothing is done with others
            last = max(last, number)
            if known[number] == nil { _ = unsafe unlink(path(of: number)) }
        }
        next.store(last + 1, ordering: .relaxed)
        state.withLock { $0.uses = known }
    }

    /// Removes everything; for a box without a folder of its own.
    func removeAll() { try? FileManager.default.removeItem(atPath: root) }
}

/// The bytes of files and sessions, each under the number of a blob.
extension BoxTables {
    func pieces(of blob: Int64) -> [Piece] {
        rows("SELECT file, offset, start, count, digests FROM pieces WHERE blob = ? ORDER BY start", [.integer(blob)]) {
            Piece(
                file: $0.integer(0), offset: Int(clamping: $0.integer(1)), start: Int(clamping: $0.integer(2)),
                count: Int(clamping: $0.integer(3)), digests: Base64.decode($0.text(4)) ?? [])
        }
    }

    /// Adds a piece; one that begins at the same place is given up.
    func add(_ piece: Piece, to blob: Int64, isNew: Bool) {
        guard piece.count > 0 else { return }
        if !isNew {
            discarded += rows(
                "SELECT file FROM pieces WHERE blob = ? AND start = ?", [.integer(blob), .integer(Int64(piece.start))]
            ) { $0.integer(0) }
        }
        run(
            "INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(blob), .integer(Int64(piece.start)), .integer(piece.file), .integer(Int64(piece.offset)),
                .integer(Int64(piece.count)), .text(Base64.encode(piece.digests)),
            ])
    }

    /// Removes the bytes of a blob if no revision has it.
    func release(_ blob: Int64) {
        guard number("SELECT EXISTS (SELECT 1 FROM revisions WHERE blob = ?)", [.integer(blob)]) == 0 else { return }
        discarded += rows("SELECT file FROM pieces WHERE blob = ?", [.integer(blob)]) { $0.integer(0) }
        run("DELETE FROM pieces WHERE blob = ?", [.integer(blob)])
    }

    /// The bytes of a file, to be sent.
    func bytes(of content: Entry.Content) -> Content {
        Content(folder: folder, pieces: pieces(of: content.blob), size: Int(clamping: content.size))
    }
}
