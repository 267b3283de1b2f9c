// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The body of an upload in a file, which goes with the request unless it is taken over.
final class BodyFile: BodySink {
    let path: String
    private let descriptor: CInt
    private let size = Mutex(0)

    init?(path: String) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit {
        _ = close(descriptor)
        // Fails for one that was taken over, whose name is another one now.
        _ = unsafe unlink(path)
    }

    /// How many bytes have come.
    var count: Int { size.withLock { $0 } }

    /// Whether the bytes have the content hash, if one is given.
    func has(_ hash: String?) -> Bool { hash.map { ContentHash.of(path) == $0 } ?? true }

    func take(_ piece: RawSpan) -> Bool {
        size.withLock { size in
            let isWritten = unsafe piece.withUnsafeBytes { unsafe FileBytes.write($0, to: descriptor, at: size) }
            size += piece.byteCount
            return isWritten
        }
    }
}

/// Reading and writing of whole buffers.
enum FileBytes {
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

    /// Hands out a file in blocks of a size, the last one shorter; `false` if it cannot be read or the body wants no
    /// more.
    static func blocks(of path: String, size: Int, _ body: ([UInt8]) -> Bool) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var position = 0
        while true {
            let block = block(descriptor, position, size)
            guard let block else { return false }
            guard !block.isEmpty else { return true }
            guard body(block) else { return false }
            position += block.count
        }
    }

    private static func block(_ descriptor: CInt, _ position: Int, _ size: Int) -> [UInt8]? {
        var isRead = true
        let block = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = 0
            while count < size, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + count, size - count, off_t(position + count))
                if got < 0 && errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                count += got
            }
        }
        return isRead ? block : nil
    }

    /// Copies a whole file into another one from a position on, which it makes if it is missing.
    static func copy(_ source: String, into target: String, at position: Int) -> Bool {
        let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var position = position
        return blocks(of: source, size: 1 << 20) { block in
            let isWritten = unsafe block.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
            position += block.count
            return isWritten
        }
    }
}

/// The content hash of a file: SHA-256 over the SHA-256s of its blocks of 4 MiB.
enum ContentHash {
    static let blockSize = 4 << 20

    /// 64 hexadecimal digits; `nil` if the file cannot be read.
    static func of(_ path: String) -> String? {
        var digests: [UInt8] = []
        let isRead = FileBytes.blocks(of: path, size: blockSize) { block in
            digests += Digest.sha256(block)
            return true
        }
        return isRead ? Digest.hex(Digest.sha256(digests)) : nil
    }
}
