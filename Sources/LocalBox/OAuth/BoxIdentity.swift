// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The account of a box and its app.
struct BoxIdentity: Sendable {
    let appKey: String
    let appSecret: String
    /// `dbid:` and 35 characters.
    let accountID: String
    /// The number of the account in answers of the login.
    let uid: String
    let email: String
    let displayName: String
    /// The number of the account's one namespace.
    let rootNamespace: String

    init(_ configuration: LocalBoxConfiguration) {
        appKey = RandomText.make(15, of: "abcdefghijklmnopqrstuvwxyz0123456789")
        appSecret = RandomText.make(15, of: "abcdefghijklmnopqrstuvwxyz0123456789")
        accountID = "dbid:" + Digest.hexSHA256("account \(configuration.seed)").prefix(35)
        uid = String(1_000_000 + configuration.seed % 1_000_000)
        email = configuration.email
        displayName = configuration.displayName
        rootNamespace = String(3_000_000 + configuration.seed % 1_000_000)
    }
}

extension Digest {
    /// SHA-256 of a text in hexadecimal digits.
    static func hexSHA256(_ text: String) -> String { hex(sha256(text.utf8)) }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
