// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The name of an account's item in a store, and the files with that name.
///
/// An account's key can be any string. The name is safe in files and command lines, and unique even on file systems
/// that ignore case.
struct AccountFiles {
    let stem: String

    var record: String { stem + ".json" }
    var previous: String { stem + ".prev" }
    /// A record that is being written, under the write lock.
    var temporary: String { stem + ".tmp" }
    var damaged: String { stem + ".corrupt" }
    /// The lock for every change of the item.
    var writeLock: String { stem + ".lock" }
    /// The lock for renewals, which ``CredentialStore/lock(_:until:)`` takes.
    var renewalLock: String { stem + ".renewal.lock" }

    /// The item of the store's notes, under a name that no account can have.
    static let notes = AccountFiles(stem: "notes")

    init(stem: String) { self.stem = stem }

    init(account: String) {
        let escaped = AccountName.escaped(account)
        // Without a digest, another long key may share the name, but the record names its account.
        let digest = MessageDigest.hexSHA256(Array(account.utf8)) ?? []
        self.init(
            stem: escaped.utf8.count > 122
                ? escaped.dropFirst(2).prefix(40) + Self.mark + String(decoding: digest, as: UTF8.self) : escaped)
    }

    /// The character between the start of a long key and its digest, which other names do not contain.
    private static let mark = "~"

    /// Whether the name is derived from a long key and does not contain the whole key.
    var isDigested: Bool {
        let parts = stem.split(separator: Self.mark, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 40 && parts[1].utf8.count == 64
    }
}

/// Converts keys of accounts (any strings) to safe names that are unique even if case is ignored.
enum AccountName {
    private static let prefix = "a-"

    static func escaped(_ account: String) -> String {
        account.utf8.reduce(into: prefix) { name, byte in
            if isPlain(byte) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    /// The key for a name, or `nil` if the string is not such a name.
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
