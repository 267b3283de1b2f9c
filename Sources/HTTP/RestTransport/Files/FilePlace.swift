// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

#if os(Linux)
import RestBase
#endif

/// The identity of a file, which is equal for all paths and links that lead to the file.
///
/// A file that does not exist yet is identified by its name and the identity of its directory.
package struct FilePlace: Hashable, Sendable {
    private static let mostLinks = 40

    private let volume: UInt64
    private let number: UInt64
    /// The name of a missing file, whose directory has `volume` and `number`.
    private let name: String?

    /// Finds the file at a path and follows symbolic links.
    ///
    /// Returns `nil` if a regular file cannot be at the path, such as the path of a directory, a device or a pipe.
    package init?(_ path: String) { self.init(path, linksLeft: Self.mostLinks) }

    /// Finds the file of an open descriptor, or returns `nil` if it is not a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, S_IFREG, name: nil)
    }

    /// Returns the first output that is the same file as an input, an open file or another output, and that file's
    /// name.
    package static func collision(
        of outputs: [String], with inputs: [String], open: [(descriptor: Int32, name: String)] = []
    ) -> (output: String, other: String)? {
        var known: [FilePlace: String] = [:]
        for (descriptor, name) in open { FilePlace(descriptor: descriptor).map { known[$0] = name } }
        for path in inputs { FilePlace(path).map { known[$0] = path } }
        for path in outputs {
            guard let place = FilePlace(path) else { continue }
            if let other = known.updateValue(path, forKey: place) { return (path, other) }
        }
        return nil
    }

    private init?(_ path: String, linksLeft: Int) {
        guard !path.utf8.contains(0) else { return nil }
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            self.init(status, S_IFREG, name: nil)
            return
        }
        guard errno == ENOENT else { return nil }
        let folder = FileWriter.folder(of: path)
        if let target = Self.target(ofLink: path) {
            guard linksLeft > 0 else { return nil }
            self.init(target.utf8.first == UInt8(ascii: "/") ? target : folder + target, linksLeft: linksLeft - 1)
            return
        }
        let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        guard unsafe stat(folder, &status) == 0, let name, !name.isEmpty else { return nil }
        self.init(status, S_IFDIR, name: String(name))
    }

    private init?(_ status: stat, _ type: mode_t, name: String?) {
        guard status.st_mode & S_IFMT == type else { return nil }
        volume = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        self.name = name
    }

    private static func target(ofLink path: String) -> String? {
        var count = 0
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            count = unsafe readlink(path, start, buffer.count)
            filled = max(0, count)
        }
        return count > 0 ? String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

/// The identity, length and modification time of a file, which show whether it is still the same and unchanged.
package struct FileState: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    package let size: Int64

    /// Reads the state of an open file, or returns `nil` if it is not a regular file.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the state of a named file in an open directory, or returns `nil` if it is not a regular file.
    package init?(_ name: String, in directory: Int32) {
        var status = stat()
        guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
        size = Int64(status.st_size)
    }

    /// The state as a string, for comparison in another process.
    package var text: String { "\(device):\(inode):\(seconds).\(nanoseconds):\(size)" }

    /// Whether the open file is still the regular file at the path.
    package static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_mode & S_IFMT == S_IFREG
    }
}

package enum FileAccess: Sendable {
    /// Only its owner.
    case owner
    /// The users of the file that it replaces, or those that the umask allows if it is new.
    case usual

    func rights(at path: String) -> FileRights {
        var status = stat()
        let isThere = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return switch self {
        case .owner: FileRights(mode: 0o600, replaced: nil)
        case .usual: FileRights(mode: isThere ? 0o600 : 0o666, replaced: isThere ? status : nil)
        }
    }
}

struct FileRights {
    let mode: mode_t
    /// The existing file whose permissions are copied after creation.
    fileprivate let replaced: stat?

    /// Copies the owner and permissions of the replaced file, but removes the group's if the group cannot be set.
    func keep(_ descriptor: Int32) {
        guard let replaced else {
            // The umask may have removed permissions that the owner needs.
            if mode == 0o600 { fchmod(descriptor, mode) }
            return
        }
        var mode = replaced.st_mode & 0o777
        if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0,
            fchown(descriptor, uid_t.max, replaced.st_gid) != 0
        {
            mode &= ~0o070
        }
        fchmod(descriptor, mode)
    }
}

/// Reads and writes whole buffers at offsets of a file.
package enum FileBytes {
    /// Creates a file with permissions only for its owner, or returns -1, also if the file exists.
    package static func make(_ path: String) -> Int32 {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// Flushes a file or a directory to disk, or returns -1 on error.
    ///
    /// On Darwin `fsync` leaves the bytes in the drive's cache, which `F_FULLFSYNC` flushes if the volume supports it.
    package static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Writes the whole buffer.
    ///
    /// - Returns: `false` on error, for example if the disk is full. `errno` is set, and a part may have been written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(position + done))
            if count < 0, errno == EINTR { continue }
            // Writing 0 bytes does not set `errno`.
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32, at position: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
    }

    /// Reads bytes of a file, fewer at its end, or returns `nil` on error.
    package static func read(_ path: String, from position: Int, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        return read(descriptor, from: position, count: count)
    }

    /// Reads bytes of an open file, fewer at its end, or returns `nil` on error.
    package static func read(_ descriptor: Int32, from position: Int, count: Int) -> [UInt8]? {
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = unsafe pread(descriptor, start + filled, count - filled, off_t(position + filled))
                if got < 0, errno == EINTR { continue }
                isRead = got >= 0
                guard got > 0 else { break }
                filled += got
            }
        }
        return isRead ? bytes : nil
    }
}

/// Starts to flush a file while it is still being written, so that the final sync takes less time.
///
/// This is a hint. If the system call is missing or fails, the final sync flushes everything.
final class EarlySync: Sendable {
    /// The number of bytes after which a flush is started.
    private static let step = 4 << 20

    private let pending = Atomic(0)

    func count(_ bytes: Int, of descriptor: Int32) {
        guard pending.add(bytes, ordering: .relaxed).newValue >= Self.step else { return }
        pending.store(0, ordering: .relaxed)
        #if os(Linux)
        _ = Self.syncFileRange?(descriptor, 0, 0, Self.write)
        #endif
    }

    #if os(Linux)
    static var isKnown: Bool { syncFileRange != nil }

    private typealias Call = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    /// `SYNC_FILE_RANGE_WRITE` of `sync_file_range(2)`, which starts to write dirty pages.
    private static let write: UInt32 = 2

    /// The system call, which Swift's C library module lacks.
    private static let syncFileRange: Call? = {
        guard let symbol = unsafe dlsym(nil, "sync_file_range") else { return nil }
        // The type is that of the manual page. On 64-bit systems, offsets have 64 bits.
        return unsafe unsafeBitCast(symbol, to: Call.self)
    }()
    #endif
}
