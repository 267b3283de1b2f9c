// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

#if os(Linux)
import RestBase
#endif

/// The identity of the file at a path: equal for all paths and links that lead to one file.
///
/// A file that does not exist yet is identified by its name and the identity of its directory.
package struct FilePlace: Hashable, Sendable {
    private static let mostLinks = 40

    private let volume: UInt64
    private let number: UInt64
    /// The name of a missing file; `volume` and `number` are those of its directory.
    private let name: String?

    /// Finds the file at a path; symbolic links are followed.
    ///
    /// `nil` for a path where no regular file is or can be, such as a directory, a device or a pipe.
    package init?(_ path: String) {
        self.init(path, linksLeft: Self.mostLinks)
    }

    /// Finds the file that a descriptor is open on; `nil` if it is not a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, S_IFREG, name: nil)
    }

    /// The first output that is the same file as an input or as another output.
    ///
    /// - Parameters:
    ///   - outputs: the paths of files that will be written.
    ///   - inputs: the paths of files that will be read.
    ///   - open: the descriptors that are in use, with their names for messages.
    /// - Returns: the output, and the name of the other file.
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

    /// The path in a symbolic link; `nil` for anything else.
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

/// What tells a file from another, and from itself at another time.
package struct FileState: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    /// The length in bytes.
    package let size: Int64

    /// Looks at an open file; `nil` for one that is not regular.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at the name of a file in an open directory; `nil` for a link and for one that is not regular.
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

    /// The state as a word, for comparing it in another process.
    package var text: String { "\(device):\(inode):\(seconds).\(nanoseconds):\(size)" }

    /// Whether an open file is the regular file at a path, and not one that had this name before.
    package static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_mode & S_IFMT == S_IFREG
    }
}

/// The users who may read and write a new file.
package enum FileAccess: Sendable {
    /// Its owner alone.
    case owner
    /// The users of the file that it replaces; if there is none, those that the process's mask allows.
    case usual

    /// The rights of a new file at a path.
    func rights(at path: String) -> FileRights {
        var status = stat()
        let isThere = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return switch self {
        case .owner: FileRights(mode: 0o600, replaced: nil)
        case .usual: FileRights(mode: isThere ? 0o600 : 0o666, replaced: isThere ? status : nil)
        }
    }
}

/// The rights that a new file gets.
struct FileRights {
    /// The mode to create it with.
    let mode: mode_t
    /// The file whose rights it gets then.
    fileprivate let replaced: stat?

    /// Gives an open file the rights of the file that it replaces; a group that cannot be kept loses its rights.
    func keep(_ descriptor: Int32) {
        guard let replaced else {
            // The process's mask may have taken rights that the owner needs.
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

/// Reads and writes whole buffers at positions of a file.
package enum FileBytes {
    /// Creates a file that must not exist yet, for its owner alone.
    ///
    /// - Returns: the descriptor, or -1 if the file cannot be created.
    package static func make(_ path: String) -> Int32 {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// Puts a file or a directory on the disk; returns -1 if the system reports an error.
    ///
    /// On Darwin `fsync` leaves the bytes in the drive's own memory; `F_FULLFSYNC` does not, where the volume knows it.
    package static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Writes the whole buffer.
    ///
    /// - Returns: `false` if the disk is full or fails; `errno` has the reason, and a part may have been written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(position + done))
            if count < 0, errno == EINTR { continue }
            // Taking nothing of something is no error of its own.
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Writes the whole array; see `write(_:to:at:)` of raw bytes.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, at position: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, at: position) }
    }

    /// Reads bytes of a file.
    ///
    /// - Returns: the bytes, fewer at the end of the file; `nil` if it cannot be read.
    package static func read(_ path: String, from position: Int, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        return read(descriptor, from: position, count: count)
    }

    /// Reads bytes of an open file.
    ///
    /// - Returns: the bytes, fewer at the end of the file; `nil` if it cannot be read.
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

/// Lets the disk begin with a file that is still being written, so that at its end little is left to wait for.
///
/// A hint: where the system knows no such call, and where the call fails, the end does all of the work.
final class EarlySync: Sendable {
    /// How many bytes are left to the system before it is told to begin.
    private static let step = 4 << 20

    private let pending = Atomic(0)

    /// Counts bytes that were written.
    func count(_ bytes: Int, of descriptor: Int32) {
        guard pending.add(bytes, ordering: .relaxed).newValue >= Self.step else { return }
        pending.store(0, ordering: .relaxed)
        #if os(Linux)
        _ = Self.syncFileRange?(descriptor, 0, 0, Self.write)
        #endif
    }

    #if os(Linux)
    /// Whether the system has the call.
    static var isKnown: Bool { syncFileRange != nil }

    private typealias Call = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    /// `SYNC_FILE_RANGE_WRITE` of `sync_file_range(2)`: starts to write what is not being written yet.
    private static let write: UInt32 = 2

    /// The call, which Swift's view of the C library leaves out.
    private static let syncFileRange: Call? = {
        guard let symbol = unsafe dlsym(nil, "sync_file_range") else { return nil }
        // The type is that of the manual page; offsets have 64 bits in this name on all 64-bit systems.
        return unsafe unsafeBitCast(symbol, to: Call.self)
    }()
    #endif
}
