// SPDX-License-Identifier: Apache-2.0

import RestBase

/// What changes the folder; the caller holds the account's write lock.
extension StoreDirectory {
    /// Replaces the record.
    ///
    /// The bytes are on the disk before they get their name, and the name is on the disk before this returns. A reader
    /// sees the old record or the new one and never a part, even if this process dies at any moment.
    ///
    /// - Parameters:
    ///   - files: the account's files.
    ///   - bytes: the new record.
    ///   - keepsPrevious: whether the record that is replaced stays as the previous one.
    ///   - fault: breaks a step, for tests.
    /// - Returns: why a power failure may undo the change, or `nil` if it cannot. The new record is in place.
    /// - Throws: `.notWritable`. The old record is in place.
    func replace(
        _ files: AccountFiles, with bytes: [UInt8], keepsPrevious: Bool, fault: DiskFault
    ) throws(CredentialStoreError) -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            let written = try writeTemporary(files.temporary, bytes, fault)
            if keepsPrevious { try keepPrevious(files, fault) }
            try rename(written, in: files, fault)
        } catch {
            sweep(files)
            throw error
        }
        return sync(fault)
    }

    /// Removes files in this order.
    ///
    /// - Returns: why a power failure may undo the change, or `nil` if it cannot. All files are gone.
    /// - Throws: `.notWritable`. The first file that cannot be removed, and all after it, are still there.
    func remove(_ names: [String], fault: DiskFault) throws(CredentialStoreError) -> CredentialStoreError? {
        for name in names where contains(name) {
            try step(.remove, fault) {
                unlink(name)
                return contains(name) ? -1 : 0
            }
        }
        return sync(fault)
    }

    /// Removes what a writer that died left behind.
    func sweep(_ files: AccountFiles) {
        unlink(files.temporary)
        unlink(files.previousTemporary)
        // It died before the new record came: the old one is still there under the second name that it was to have
        // alone.
        guard let record = status(of: files.record), record.st_nlink > 1 else { return }
        for name in [files.previous, files.damaged] where status(of: name)?.st_ino == record.st_ino { unlink(name) }
    }

    private func status(of name: String) -> stat? {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Removes a name; without effect when there is none.
    func unlink(_ name: String) {
        unsafe unlinkat(descriptor, name, 0)
    }

    /// Gives a file a second name.
    func link(_ name: String, as other: String) -> Bool {
        unsafe linkat(descriptor, name, descriptor, other, 0) == 0
    }

    /// Makes the names durable.
    ///
    /// - Returns: why they may not be. The names are as they were set all the same, so this is not an error.
    private func sync(_ fault: DiskFault) -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            // Some file systems have nothing to do here and say so with EINVAL.
            try step(.syncDirectory, fault) { fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1 }
            return nil
        } catch {
            return error
        }
    }

    /// Writes a new file.
    ///
    /// - Returns: the file's number in its file system.
    private func writeTemporary(
        _ name: String, _ bytes: [UInt8], _ fault: DiskFault
    ) throws(CredentialStoreError) -> ino_t {
        var (file, status) = (Int32(-1), stat())
        defer { if file >= 0 { close(file) } }
        try step(.create, fault) {
            file = unsafe openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            // The umask may have taken bits that the owner needs.
            return unsafe file >= 0 && fchmod(file, 0o600) == 0 && fstat(file, &status) == 0 ? 0 : -1
        }
        try step(.write, fault) { Self.writeAll(bytes, to: file) }
        try step(.sync, fault) { Self.syncFile(file) }
        return status.st_ino
    }

    /// Puts the new record, the file of this number, in place of the old one.
    private func rename(_ written: ino_t, in files: AccountFiles, _ fault: DiskFault) throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try step(.replace, fault) { unsafe renameat(descriptor, files.temporary, descriptor, files.record) }
        } catch  where status(of: files.record)?.st_ino == written {
            // A network file system can report an error of a change that its server carried out.
        }
    }

    /// Links the record under its second name first, so that it never is without its own.
    private func keepPrevious(_ files: AccountFiles, _ fault: DiskFault) throws(CredentialStoreError) {
        try step(.keepPrevious, fault) {
            unsafe linkat(descriptor, files.record, descriptor, files.previousTemporary, 0) == 0
                ? unsafe renameat(descriptor, files.previousTemporary, descriptor, files.previous) : -1
        }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(
                    file, UnsafeRawBufferPointer(rebasing: buffer[offset...]).baseAddress, buffer.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return -1 }
            offset += count
        }
        return 0
    }

    /// On Darwin `fsync` leaves the bytes in the drive's own memory; `F_FULLFSYNC` does not, where the volume knows it.
    private static func syncFile(_ file: Int32) -> Int32 {
        #if canImport(Darwin)
        if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(file)
    }

    private func step(
        _ step: DiskStep, _ fault: DiskFault, _ body: () -> Int32
    ) throws(CredentialStoreError) {
        let what = step == .remove ? "the credential cannot be removed" : "the credential cannot be saved"
        if let code = fault(step) { throw DiskError.notWritable(what, code) }
        guard body() >= 0 else { throw DiskError.notWritable(what, errno) }
    }
}
