// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The store's directory, opened and verified to belong to the user alone.
///
/// All files are opened relative to its descriptor, so that no other program can replace the path in between.
final class StoreDirectory: Sendable {
    let descriptor: Int32

    /// Opens the directory, or returns `nil` if it does not exist.
    ///
    /// - Throws: `.insecurePermissions` for a symbolic link, a file, or a directory that others may use.
    static func open(_ path: String) throws(Credential.StoreError) -> StoreDirectory? {
        let descriptor = systemOpen(plain(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { return try StoreDirectory(checking: descriptor) }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR:
            throw DiskError.insecure("the store's path is a symbolic link or a file; it must be a directory")
        case let code: throw DiskError.unreadable("the store's directory cannot be opened", code)
        }
    }

    /// Opens the directory, and creates it and its parents if they are missing.
    static func make(_ path: String) throws(Credential.StoreError) -> StoreDirectory {
        let path = plain(path)
        try makeDirectories(path)
        guard let directory = try open(path) else {
            throw DiskError.notWritable("the store's directory was removed while it was opened", ENOENT)
        }
        return directory
    }

    /// The path without trailing slashes and dots, with which the system would follow a symbolic link.
    private static func plain(_ path: String) -> String {
        var bytes = path.utf8[...]
        let slash = UInt8(ascii: "/")
        while bytes.count > 1, bytes.last == slash || bytes.suffix(2).elementsEqual("/.".utf8) { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private init(checking descriptor: Int32) throws(Credential.StoreError) {
        self.descriptor = descriptor
        var own = stat()
        var parent = stat()
        guard unsafe fstat(descriptor, &own) == 0, unsafe fstatat(descriptor, "..", &parent, 0) == 0 else {
            throw DiskError.unreadable("the store's directory cannot be examined", errno)
        }
        guard own.st_uid == geteuid(), own.st_mode & 0o077 == 0 else {
            throw DiskError.insecure("the store's directory must belong to the user and have mode 700")
        }
        // With the sticky bit, as on /tmp, others can create entries but cannot move or remove this one.
        let isShared = parent.st_mode & 0o022 != 0 && parent.st_mode & mode_t(S_ISVTX) == 0
        guard parent.st_uid == 0 || parent.st_uid == geteuid(), !isShared else {
            throw DiskError.insecure(
                "other users can replace the store's directory, because they can write to its parent directory")
        }
    }

    deinit { close(descriptor) }

    private static func makeDirectories(_ path: String) throws(Credential.StoreError) {
        switch makeDirectory(path) {
        case 0, EEXIST, EISDIR: return
        case ENOENT where parent(of: path) != path:
            try makeDirectories(parent(of: path))
            let code = makeDirectory(path)
            guard code == 0 || code == EEXIST else { throw DiskError.notWritable(notMade, code) }
        case let code: throw DiskError.notWritable(notMade, code)
        }
    }

    private static let notMade = "the store's directory cannot be created"

    /// Creates a directory of mode 700, regardless of the umask, and returns the system's error number or 0.
    private static func makeDirectory(_ path: String) -> Int32 {
        guard unsafe mkdir(path, 0o700) == 0 else { return errno }
        // By name, because a umask without the owner's bits leaves a directory that cannot be opened. If the system
        // does not support the call, the mode is right under every other umask.
        unsafe fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW)
        // If the parent cannot be synced, the system decides when the new directory is durable.
        try? FileWriter.syncDirectory(of: path)
        return 0
    }

    private static func parent(of path: String) -> String { plain(FileWriter.folder(of: path)) }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

extension StoreDirectory {
    /// Reads a file that belongs to the user alone, or returns `nil` if it does not exist.
    ///
    /// An active or killed writer can leave a file with two names, one of which is in `others`.
    ///
    /// - Returns: all bytes, up to one more than the maximum size of a record.
    /// - Throws: `.insecurePermissions` for a symbolic link, anything but a plain file, and a file that others own, may
    ///   open, or may reach under another name. `.temporarilyUnavailable` if the file exists but cannot be read.
    func read(_ name: String, orAs others: [String]) throws(Credential.StoreError) -> [UInt8]? {
        // Without O_NONBLOCK, a pipe in place of the record would block the thread.
        let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw DiskError.insecure("\(name) is a symbolic link; replace it with a regular file")
            case let code: throw DiskError.unreadable("\(name) cannot be opened", code)
            }
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw DiskError.unreadable("\(name) cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw DiskError.insecure("\(name) must be a regular file of the user with mode 600")
        }
        let isOwn = { status.st_nlink == 2 && others.contains { self.status(of: $0)?.st_ino == status.st_ino } }
        // Checked again, because a writer may have replaced both names meanwhile.
        guard unsafe status.st_nlink < 2 || isOwn() || (fstat(file, &status) == 0 && status.st_nlink < 2) else {
            throw DiskError.insecure(
                "\(name) has a second hard link, through which others may read it; remove the link")
        }
        let count = min(Int(clamping: status.st_size), RecordEnvelope.maximumSize + 1)
        guard let bytes = FileBytes.read(file, from: 0, count: count) else {
            throw DiskError.unreadable("\(name) cannot be read", errno)
        }
        return bytes
    }

    func names() throws(Credential.StoreError) -> [String] {
        // A separate file description, so that the position in the list is not shared with other readers.
        let list = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard list >= 0 else { throw DiskError.unreadable("the store's directory cannot be listed", errno) }
        guard let stream = unsafe fdopendir(list) else {
            close(list)
            throw DiskError.unreadable("the store's directory cannot be listed", errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry stays valid until the next one is read, and its name ends with a zero byte.
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
                })
        }
        return names
    }

    private func status(of name: String) -> stat? {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Takes a lock that ends with the process, or returns `nil` if another process or client holds it.
    func lock(_ name: String) throws(Credential.StoreError) -> Credential.Lock? {
        do throws(FileLock.Failure) {
            guard let lock = try FileLock(name, in: descriptor) else { return nil }
            return Credential.Lock { withExtendedLifetime(lock) {} }
        } catch {
            switch error {
            case .notOwn: throw DiskError.insecure("\(name) must be a regular file of the user and not a link")
            case .notCreated(let code):
                throw DiskError.notWritable("the lock file \(name) cannot be created or opened", code)
            case .system(let code): throw DiskError.unreadable("\(name) cannot be locked", code)
            }
        }
    }
}

/// Changes of the directory, for callers that hold the item's write lock.
extension StoreDirectory {
    /// Replaces a whole record, so that a reader sees the old record or the new one, even if this process is killed.
    ///
    /// The old record is retained as `other`, and `sync` writes a file or a directory to disk.
    ///
    /// - Returns: the reason why a power failure may undo the change, or `nil` if it cannot. The record is replaced.
    /// - Throws: `.notWritable`. The old record is unchanged.
    func replace(
        _ files: AccountFiles, with bytes: [UInt8], keepingAs other: String?,
        _ sync: @escaping @Sendable (Int32) -> Int32
    ) throws(Credential.StoreError) -> Credential.StoreError? {
        let failure = "the credential cannot be saved"
        let writer: FileWriter
        do throws(TransportError) {
            writer = try FileWriter(path: files.record, in: descriptor, temporary: files.temporary, sync: sync)
            try writer.write(bytes)
        } catch {
            throw DiskError.notWritable(failure, error)
        }
        if let other {
            // The old record retains its own name until the new record has it.
            unsafe unlinkat(descriptor, other, 0)
            guard unsafe linkat(descriptor, files.record, descriptor, other, 0) == 0 else {
                throw DiskError.notWritable(failure, errno)
            }
        }
        let written = writer.state
        do throws(TransportError) {
            try writer.finish()
            return nil
        } catch {
            let error = DiskError.notWritable(failure, error)
            // If only durability, or its confirmation, failed, the change took effect.
            guard let written, FileState(files.record, in: descriptor) == written else { throw error }
            return error
        }
    }

    /// Removes files in this order.
    ///
    /// - Returns: the reason why a power failure may undo the change, or `nil` if it cannot. All files are removed.
    /// - Throws: `.notWritable`. The first file that cannot be removed, and all files after it, still exist.
    func remove(
        _ names: [String], _ sync: @Sendable (Int32) -> Int32
    ) throws(Credential.StoreError) -> Credential.StoreError? {
        let failure = "the credential cannot be removed"
        for name in names where unsafe unlinkat(descriptor, name, 0) != 0 && errno != ENOENT {
            throw DiskError.notWritable(failure, errno)
        }
        do throws(TransportError) {
            try FileWriter.syncDirectory(of: names[0], in: descriptor, sync)
            return nil
        } catch {
            return DiskError.notWritable(failure, error)
        }
    }
}

enum DiskError {
    static func insecure(_ message: String) -> Credential.StoreError {
        Credential.StoreError(.insecurePermissions, message)
    }

    /// A read error, which does not mean that no credential is stored.
    static func unreadable(_ what: String, _ code: Int32) -> Credential.StoreError {
        Credential.StoreError(.temporarilyUnavailable, "\(what) (\(reason(code)))")
    }

    static func notWritable(_ what: String, _ code: Int32) -> Credential.StoreError {
        Credential.StoreError(.notWritable, "\(what) (\(reason(code)))")
    }

    static func notWritable(_ what: String, _ error: TransportError) -> Credential.StoreError {
        guard let code = error.systemErrors.first.flatMap({ Int32(exactly: $0.number) }) else {
            return Credential.StoreError(.notWritable, "\(what) (\(error.message))")
        }
        return notWritable(what, code)
    }

    private static func reason(_ code: Int32) -> String {
        let words = TransportError.SystemError(.errno, Int(code)).reason ?? "system error \(code)"
        guard code == EACCES else { return words }
        return words + "; run 'chmod 700' on the store's directory and 'chmod 600' on the files in it"
    }
}
