// SPDX-License-Identifier: Apache-2.0

import RestBase

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
