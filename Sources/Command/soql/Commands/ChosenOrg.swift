// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport

/// The org that a command or a session is to ask, before it is reached.
struct ChosenOrg: Sendable {
    /// What a prompt calls it: the login, else the first part of the host's name.
    let name: String
    /// The login of this command; `nil` for an org that was reached in another way.
    let account: LinkedAccount?
    /// Reaches it; the embedded org is started.
    let connect: @Sendable () async throws -> Connection

    init(name: String, account: LinkedAccount? = nil, connect: @escaping @Sendable () async throws -> Connection) {
        (self.name, self.account, self.connect) = (name.singleLine, account, connect)
    }

    /// The first part of a host's name: `acme` of `https://acme.my.example.com`.
    static func label(of url: String) -> String {
        let host = url.split(byte: "/").dropFirst().first?.split(byte: ":").first ?? ""
        let isNumber = host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        return String(isNumber ? host : host.prefix(before: "."))
    }
}
