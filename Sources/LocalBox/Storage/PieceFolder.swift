// SPDX-License-Identifier: Apache-2.0

import LocalServer
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

/// The folder with the bytes of files: a file for each piece in which they came.
///
/// A piece is written where it stays, under a number. Whether it is a part of a file, of an upload session or of
/// nothing is what the database says. So nothing has to be moved when a file is finished, and a process that is killed
/// leaves at most pieces that nothing names, which the next start removes.
final class PieceFolder: Sendable {
    /// The folder of one user's files and database.
    let root: String
    private let next = Atomic<Int64>(1)

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

    func path(of piece: Int64) -> String { "\(root)/pieces/\(piece)" }

    func remove(_ piece: Int64) { _ = unsafe unlink(path(of: piece)) }

    /// Removes the pieces that nothing names, and goes on behind all numbers that there are.
    func sweep(known: Set<Int64>, behind last: Int64) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/pieces")) ?? []
        var last = max(last, known.max() ?? 0)
        for name in names {
            guard let number = Int64(name), number > 0 else { continue }  // bounded: nothing is done with others
            last = max(last, number)
            if !known.contains(number) { remove(number) }
        }
        next.store(last + 1, ordering: .relaxed)
    }

    /// Removes everything; for a box without a folder of its own.
    func removeAll() { try? FileManager.default.removeItem(atPath: root) }
}

/// Reading and writing of whole buffers.
enum FileBytes {
    /// Makes a file that must not be there; its descriptor, or -1.
    static func make(_ path: String) -> CInt {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// Writes all of the buffer; `false` when the disk is full or fails.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at position: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            guard let start = bytes.baseAddress else { return false }
            let count = unsafe pwrite(descriptor, start + done, bytes.count - done, off_t(position + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    static func write(_ bytes: [UInt8], to descriptor: CInt, at position: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
    }

    /// Bytes of a file; fewer at its end, and `nil` if it cannot be read.
    static func read(_ path: String, from position: Int, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + filled, count - filled, off_t(position + filled))
                if got < 0 && errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                filled += got
            }
        }
        return isRead ? bytes : nil
    }
}
