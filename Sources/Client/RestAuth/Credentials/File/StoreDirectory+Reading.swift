// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
