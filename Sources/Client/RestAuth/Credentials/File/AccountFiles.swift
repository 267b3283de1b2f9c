// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The names of one account's files; all of them are safe in any folder and differ also where case does not count.
struct AccountFiles {
    /// The record.
    let record: String
    /// The record before the last change.
    let previous: String
    /// A record that is being written; one name is enough, because every writer holds the write lock.
    let temporary: String
    /// The earlier record on its way to `previous`.
    let previousTemporary: String
    /// Guards every change of the files.
    let writeLock: String
    /// Guards renewing; see ``CredentialStore/lock(_:until:)``.
    let renewalLock: String
    private let stem: String

    /// Derives the names from the account's key, which may be any text.
    init(account: String) {
        let escaped = AccountName.escaped(account)
        // A digest that cannot be made gives a name that another long key may share; the record names its account.
        let digest = MessageDigest.hexSHA256(Array(account.utf8)) ?? []
        self.init(
            stem: escaped.utf8.count > 122
                ? escaped.dropFirst(2).prefix(40) + Self.mark + String(decoding: digest, as: UTF8.self) : escaped)
    }

    /// Comes between the start of a long key and its digest; a key that is not long has no such character.
    private static let mark = "~"

    /// Whether a file name without its suffix is made of a long key, which it does not contain.
    static func isDigested(_ stem: Substring) -> Bool {
        let parts = stem.split(separator: mark, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 40 && parts[1].utf8.count == 64
    }

    private init(stem: String) {
        self.stem = stem
        record = stem + ".json"
        previous = stem + ".prev"
        temporary = stem + ".tmp"
        previousTemporary = stem + ".prev.tmp"
        writeLock = stem + ".lock"
        renewalLock = stem + ".renewal.lock"
    }

    /// The last record that was damaged.
    var damaged: String { stem + ".corrupt" }

    /// The files of the store's notes; no account has this name.
    static let notes = AccountFiles(stem: "notes")
}

/// An account's key, which may be any text, as a name that is safe in files and command lines and differs from others
/// also where case does not count.
enum AccountName {
    private static let prefix = "a-"

    /// The name for a key.
    static func escaped(_ account: String) -> String {
        account.utf8.reduce(into: prefix) { name, byte in
            if isPlain(byte) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    /// The key that a name was made for; `nil` for anything else.
    static func account(of name: some StringProtocol) -> String? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        var rest = name.utf8.dropFirst(prefix.utf8.count)
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                guard byte == UInt8(ascii: "%"), rest.count >= 2,
                    // bounded: two digits
                    let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(code)
                rest = rest.dropFirst(2)
            }
        }
        guard let account = String(validating: bytes, as: UTF8.self), escaped(account) == name else { return nil }
        return account
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true  // digits, lower case, - and _
        default: false
        }
    }
}

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
        report(try folder.remove([files.previous, files.damaged, files.record], fault: fault))
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

    /// Gives the damaged record a second name, under which it stays until another one is damaged.
    ///
    /// - Returns: the name, or `nil` when there is no record.
    private func keepDamaged() -> String? {
        guard folder.contains(files.record) else { return nil }
        folder.unlink(files.damaged)
        return folder.link(files.record, as: files.damaged) ? files.damaged : nil
    }
}
