// SPDX-License-Identifier: Apache-2.0

import RestText

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The store's folder, opened and found to be the user's alone; every file is reached through it, so that nobody can
/// exchange the path in between.
final class StoreDirectory: Sendable {
    let descriptor: Int32

    /// Opens the folder; `nil` when there is none.
    static func open(_ path: String) throws(CredentialStoreError) -> StoreDirectory? {
        let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { return try StoreDirectory(checking: descriptor) }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR: throw DiskError.insecure("the store's place is a link or a file, not a folder")
        case let code: throw DiskError.unreadable("the store's folder cannot be opened", code)
        }
    }

    /// Opens the folder, and makes it and those above it first where they are missing.
    static func make(_ path: String) throws(CredentialStoreError) -> StoreDirectory {
        try makeFolders(path)
        guard let directory = try open(path) else {
            throw DiskError.notWritable("the store's folder vanished while it was opened", ENOENT)
        }
        return directory
    }

    private init(checking descriptor: Int32) throws(CredentialStoreError) {
        self.descriptor = descriptor
        var own = stat()
        var parent = stat()
        guard unsafe fstat(descriptor, &own) == 0, unsafe fstatat(descriptor, "..", &parent, 0) == 0 else {
            throw DiskError.unreadable("the store's folder cannot be examined", errno)
        }
        guard own.st_uid == geteuid(), own.st_mode & 0o077 == 0 else {
            throw DiskError.insecure("the store's folder must belong to the user and have mode 700")
        }
        // With the sticky bit, as /tmp has it, others can make entries but not move or remove this one.
        let isShared = parent.st_mode & 0o022 != 0 && parent.st_mode & mode_t(S_ISVTX) == 0
        guard parent.st_uid == 0 || parent.st_uid == geteuid(), !isShared else {
            throw DiskError.insecure("others could exchange the store's folder: they may write to the folder above it")
        }
    }

    deinit { close(descriptor) }

    private static func makeFolders(_ path: String) throws(CredentialStoreError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return syncParent(of: path) }
        switch errno {
        case EEXIST, EISDIR: return
        case ENOENT:
            let parent = parent(of: path)
            guard parent != path else { throw DiskError.notWritable("the store's folder cannot be made", ENOENT) }
            try makeFolders(parent)
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw DiskError.notWritable("the store's folder cannot be made", errno)
            }
            syncParent(of: path)
        case let code: throw DiskError.notWritable("the store's folder cannot be made", code)
        }
    }

    private static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.utf8.count > 1, let shorter = rest.removing(suffix: "/") { rest = shorter }
        guard let slash = rest.lastIndex(byte: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
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
