// SPDX-License-Identifier: Apache-2.0

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
        let escaped = account.utf8.reduce(into: "") { name, byte in
            if Self.isPlain(byte) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        // A digest that cannot be made gives a name that another long key may share; the record names its account.
        let digest = MessageDigest.hexSHA256(Array(account.utf8)) ?? []
        stem =
            escaped.utf8.count > 120
            ? escaped.prefix(40) + "~" + String(decoding: digest, as: UTF8.self) : "a-" + escaped
        record = stem + ".json"
        previous = stem + ".prev"
        temporary = stem + ".tmp"
        previousTemporary = stem + ".prev.tmp"
        writeLock = stem + ".lock"
        renewalLock = stem + ".renewal.lock"
    }

    /// Where the bytes of damaged records go, one after another.
    var corrupts: [String] { (1...9).map { "\(stem).corrupt-\($0)" } }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true  // digits, lower case, - and _
        default: false
        }
    }
}
