// SPDX-License-Identifier: Apache-2.0

/// What one holder of an account's write lock does to its files.
struct AccountChanges {
    let account: String
    let files: AccountFiles
    let folder: StoreDirectory
    let fault: DiskFault
    let onEvent: @Sendable (FileCredentialStore.Event) -> Void

    /// Reads the record, and puts the one before in its place when it is damaged or gone.
    ///
    /// - Throws: `.newerVersion`, `.insecurePermissions`, `.temporarilyUnavailable`, or `.notWritable` when the
    ///   recovered record cannot be saved.
    func examine() throws(CredentialStoreError) -> CredentialRecord.Finding {
        let isThere = folder.contains(files.record)
        if let record = try record(in: files.record, maximumLinks: 1) { return .record(record) }
        guard let earlier = try record(in: files.previous, maximumLinks: 2) else {
            return isThere || folder.contains(files.previous) ? .damaged : .none
        }
        return .record(try recover(earlier))
    }

    /// Writes a credential over the record that was found.
    ///
    /// A damaged record (`overDamaged`) is moved aside.
    ///
    /// - Returns: the new version.
    func write(
        _ credential: Credential, renewal: Credential.RenewalState, over earlier: CredentialRecord? = nil,
        overDamaged: Bool = false
    ) throws(CredentialStoreError) -> UInt64 {
        let aside = overDamaged ? keepDamaged() : nil
        let version = CredentialRecord.generation(after: earlier?.stored.version)
        let stored = Credential.Stored(credential: credential, version: version, renewal: renewal)
        let record = CredentialRecord(account: account, stored: stored, keeping: earlier)
        try replace(with: record, keepsPrevious: earlier != nil)
        if let aside { onEvent(.replacedDamaged(account: account, movedTo: aside)) }
        return version
    }

    /// Removes every file with a token, the record last: what is interrupted before is not removed yet.
    func removeAll() throws(CredentialStoreError) {
        _ = try record(in: files.record, maximumLinks: 2)  // throws when only a newer library may touch it
        report(try folder.remove([files.previous] + files.corrupts + [files.record], fault: fault))
    }

    /// The record in a file; `nil` when there is none or it is damaged.
    private func record(
        in name: String, maximumLinks: UInt64
    ) throws(CredentialStoreError) -> CredentialRecord? {
        guard let content = try folder.read(name) else { return nil }
        guard content.links <= maximumLinks else {
            throw DiskError.insecure("\(name) has another name, under which others may reach it")
        }
        return try CredentialRecord.find(in: content.bytes, account: account)
    }

    /// Puts the earlier record in place of the damaged one, as the same version: whoever read that one and has its
    /// successor may save it.
    ///
    /// Its refresh token may have been spent since, which the recovered one says.
    private func recover(_ earlier: CredentialRecord) throws(CredentialStoreError) -> CredentialRecord {
        let aside = keepDamaged()
        let credential = earlier.stored.credential
        let stored = Credential.Stored(
            credential: credential, version: CredentialRecord.generation(after: earlier.stored.version),
            renewal: credential.refreshToken == nil ? .settled : .started)
        let record = CredentialRecord(account: account, stored: stored, keeping: earlier)
        try replace(with: record, keepsPrevious: false)
        onEvent(.recovered(account: account, movedTo: aside))
        return record
    }

    private func replace(with record: CredentialRecord, keepsPrevious: Bool) throws(CredentialStoreError) {
        report(try folder.replace(files, with: record.sealed(), keepsPrevious: keepsPrevious, fault: fault))
    }

    /// Reports that a change which took effect may not be durable.
    private func report(_ error: CredentialStoreError?) {
        if let error { onEvent(.notDurable(account: account, error)) }
    }

    /// Gives the damaged record a second name, under which it stays; beyond nine, the last one gives way.
    ///
    /// - Returns: the name, or `nil` when there is no record.
    private func keepDamaged() -> String? {
        let names = files.corrupts
        guard folder.contains(files.record), let name = names.first(where: { !folder.contains($0) }) ?? names.last
        else { return nil }
        folder.unlink(name)
        return folder.link(files.record, as: name) ? name : nil
    }
}
