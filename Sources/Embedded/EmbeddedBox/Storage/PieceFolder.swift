// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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
