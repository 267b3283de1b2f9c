// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The store's directory, opened and found to be the user's alone; every file is reached through it, so that no other
/// program can exchange the path in between.
final class StoreDirectory: Sendable {
    let descriptor: Int32

    /// Opens the directory.
    ///
    /// - Returns: the directory, or `nil` if it does not exist.
    /// - Throws: `.insecurePermissions` for a symbolic link, a file, and a directory that others may use.
    static func open(_ path: String) throws(CredentialStoreError) -> StoreDirectory? {
        let descriptor = systemOpen(plain(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { return try StoreDirectory(checking: descriptor) }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR:
            throw DiskError.insecure("the store's path is a symbolic link or a file; it must be a directory")
        case let code: throw DiskError.unreadable("the store's directory cannot be opened", code)
        }
    }

    /// Opens the directory, and makes it and those above it first if they are missing.
    static func make(_ path: String) throws(CredentialStoreError) -> StoreDirectory {
        let path = plain(path)
        try makeFolders(path)
        guard let directory = try open(path) else {
            throw DiskError.notWritable("the store's directory vanished while it was opened", ENOENT)
        }
        return directory
    }

    /// The path without slashes and dots at its end: with one of them, the system follows a link in the last place.
    private static func plain(_ path: String) -> String {
        var bytes = path.utf8[...]
        let slash = UInt8(ascii: "/")
        while bytes.count > 1, bytes.last == slash || bytes.suffix(2).elementsEqual("/.".utf8) { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private init(checking descriptor: Int32) throws(CredentialStoreError) {
        self.descriptor = descriptor
        var own = stat()
        var parent = stat()
        guard unsafe fstat(descriptor, &own) == 0, unsafe fstatat(descriptor, "..", &parent, 0) == 0 else {
            throw DiskError.unreadable("the store's directory cannot be examined", errno)
        }
        guard own.st_uid == geteuid(), own.st_mode & 0o077 == 0 else {
            throw DiskError.insecure("the store's directory must belong to the user and have mode 700")
        }
        // With the sticky bit, as /tmp has it, others can make entries but not move or remove this one.
        let isShared = parent.st_mode & 0o022 != 0 && parent.st_mode & mode_t(S_ISVTX) == 0
        guard parent.st_uid == 0 || parent.st_uid == geteuid(), !isShared else {
            throw DiskError.insecure(
                "others could exchange the store's directory: they may write to the directory above it")
        }
    }

    deinit { close(descriptor) }

    private static func makeFolders(_ path: String) throws(CredentialStoreError) {
        switch makeFolder(path) {
        case 0, EEXIST, EISDIR: return
        case ENOENT where parent(of: path) != path:
            try makeFolders(parent(of: path))
            let code = makeFolder(path)
            guard code == 0 || code == EEXIST else { throw DiskError.notWritable(notMade, code) }
        case let code: throw DiskError.notWritable(notMade, code)
        }
    }

    private static let notMade = "the store's directory cannot be created"

    /// Makes a directory of mode 700, whatever the umask is.
    ///
    /// - Returns: the system's error, or 0.
    private static func makeFolder(_ path: String) -> Int32 {
        guard unsafe mkdir(path, 0o700) == 0 else { return errno }
        // By name, because a umask that takes the owner's bits leaves a directory that cannot be opened. Where the
        // system does not know the call, the mode is the right one under every other umask.
        unsafe fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW)
        syncParent(of: path)
        return 0
    }

    private static func parent(of path: String) -> String {
        let rest = plain(path)
        guard let slash = rest.lastIndex(byte: "/") else { return "." }
        return slash == rest.startIndex ? "/" : plain(String(rest[..<slash]))
    }

    /// Makes the new folder's entry durable; a folder above that cannot be opened leaves that to the system.
    private static func syncParent(of path: String) {
        let descriptor = systemOpen(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The system's `open`, which a method of the same name would hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags)
}

extension StoreDirectory {
    /// A file's bytes and how many names it has.
    struct Content {
        let bytes: [UInt8]
        let links: UInt64
    }

    /// Reads a file that belongs to the user alone; `nil` when there is none.
    ///
    /// - Throws: `.insecurePermissions` for a link, anything that is not a plain file, and a file that others own or
    /// may
    ///   open; `.temporarilyUnavailable` when it is there and cannot be read.
    func read(_ name: String) throws(CredentialStoreError) -> Content? {
        // Without O_NONBLOCK a pipe put in the record's place would block the thread.
        let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw DiskError.insecure("\(name) is a link; the store follows none")
            case let code: throw DiskError.unreadable("\(name) cannot be opened", code)
            }
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw DiskError.unreadable("\(name) cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw DiskError.insecure("\(name) must be a plain file of the user with mode 600")
        }
        return Content(bytes: try Self.bytes(of: file, name), links: UInt64(clamping: status.st_nlink))
    }

    /// All bytes, but no more than one above the limit, which the envelope refuses then.
    private static func bytes(of file: Int32, _ name: String) throws(CredentialStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8_192)
        while bytes.count <= RecordEnvelope.maximumSize {
            let count = unsafe systemRead(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DiskError.unreadable("\(name) cannot be read", errno) }
            if count == 0 { break }
            bytes += part.prefix(count)
        }
        return bytes
    }

    /// The names of everything in the folder.
    func names() throws(CredentialStoreError) -> [String] {
        // A description of its own, so that the place in the list is not shared with other readers.
        let list = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard list >= 0 else { throw DiskError.unreadable("the store's folder cannot be listed", errno) }
        guard let stream = unsafe fdopendir(list) else {
            close(list)
            throw DiskError.unreadable("the store's folder cannot be listed", errno)
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

    /// Whether there is a file of this name.
    func contains(_ name: String) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
}

/// The system's `read`, which a method of the same name would hide.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}

extension StoreDirectory {
    /// Takes a lock that ends with the process; `nil` when another process or client has it.
    ///
    /// `flock` locks the open file, where `fcntl` locks would end as soon as anything in the process closes the same
    /// file. The lock file is never removed: two processes could then hold locks of two files of one name.
    ///
    /// - Throws: `.notWritable` when the lock file is missing and cannot be made.
    func lock(_ name: String) throws(CredentialStoreError) -> Credential.Lock? {
        let file = try openLock(name)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(file)
            guard code == EWOULDBLOCK else { throw DiskError.unreadable("\(name) cannot be locked", code) }
            return nil
        }
        return Credential.Lock { close(file) }
    }

    private func openLock(_ name: String) throws(CredentialStoreError) -> Int32 {
        // Without O_NONBLOCK a pipe put in the lock's place would block the thread.
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var file = unsafe openat(descriptor, name, O_RDWR | O_CREAT | flags, 0o600)
        let code = errno
        // A lock that is there can be taken also where nothing can be made any more.
        if file < 0 { file = unsafe openat(descriptor, name, O_RDONLY | flags) }
        guard file >= 0 else {
            if code == ELOOP { throw DiskError.insecure("\(name) is a link; the store follows none") }
            if code == EMFILE || code == ENFILE { throw DiskError.unreadable("\(name) cannot be opened", code) }
            throw DiskError.notWritable("the lock file \(name) cannot be created or opened", code)
        }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            close(file)
            throw DiskError.insecure("\(name) must be a plain file of the user")
        }
        // The umask may have taken bits that the owner needs. If they cannot be set, this lock still works.
        fchmod(file, 0o600)
        return file
    }
}

/// Makes the store's errors of the system's.
enum DiskError {
    static func insecure(_ message: String) -> CredentialStoreError {
        CredentialStoreError(.insecurePermissions, message)
    }

    /// Reading failed, which says nothing about whether there is a credential.
    static func unreadable(_ what: String, _ code: Int32) -> CredentialStoreError {
        CredentialStoreError(.temporarilyUnavailable, "\(what) (\(name(of: code)))")
    }

    static func notWritable(_ what: String, _ code: Int32) -> CredentialStoreError {
        CredentialStoreError(.notWritable, "\(what) (\(name(of: code)))")
    }

    private static func name(of code: Int32) -> String {
        switch code {
        case ENOSPC: "no space left on the disk"
        case EDQUOT: "the disk quota is used up"
        case EROFS: "the file system is read-only"
        case EACCES:
            "permission denied; run 'chmod 700' on the store's directory and 'chmod 600' on the files in it"
        case EPERM: "the operation is not permitted"
        case EIO: "the disk reports an error"
        case EMFILE, ENFILE: "too many open files"
        default: "system error \(code)"
        }
    }
}

/// The steps of writing a record durably, in order, and the removal of a file, so that a test can break each of them.
enum DiskStep: Sendable, Hashable, CaseIterable {
    case create, write, sync, keepPrevious, replace, syncDirectory, remove
}

/// The system error that a step shall fail with, or `nil` to let it happen.
typealias DiskFault = @Sendable (DiskStep) -> Int32?
