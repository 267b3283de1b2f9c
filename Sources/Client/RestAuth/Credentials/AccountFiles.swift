// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The name of an account's item in a store, and the files of that name.
///
/// An account's key may be any text. The name is safe in files and command lines, and differs from other names also
/// where case does not count.
struct AccountFiles {
    /// The name of the item.
    let stem: String

    /// The record.
    var record: String { stem + ".json" }
    /// The record before the last change.
    var previous: String { stem + ".prev" }
    /// A record that is being written.
    ///
    /// One name is enough, because every writer holds the write lock.
    var temporary: String { stem + ".tmp" }
    /// The last record that was damaged.
    var damaged: String { stem + ".corrupt" }
    /// The lock of every change of the item.
    var writeLock: String { stem + ".lock" }
    /// The lock of a renewal, which ``CredentialStore/lock(_:until:)`` takes.
    var renewalLock: String { stem + ".renewal.lock" }

    /// The item of the store's notes, whose name no account has.
    static let notes = AccountFiles(stem: "notes")

    init(stem: String) { self.stem = stem }

    /// Derives the name from an account's key.
    init(account: String) {
        let escaped = AccountName.escaped(account)
        // A digest that cannot be made gives a name that another long key may share; the record names its account.
        let digest = MessageDigest.hexSHA256(Array(account.utf8)) ?? []
        self.init(
            stem: escaped.utf8.count > 122
                ? escaped.dropFirst(2).prefix(40) + Self.mark + String(decoding: digest, as: UTF8.self) : escaped)
    }

    /// The character between the start of a long key and its digest, which the names of other keys do not have.
    private static let mark = "~"

    /// Whether the name is made of a long key, which it does not contain.
    var isDigested: Bool {
        let parts = stem.split(separator: Self.mark, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 40 && parts[1].utf8.count == 64
    }
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
