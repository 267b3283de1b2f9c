// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The users with passwords.
final class UserLogin: Sendable {
    private struct Known {
        let id: String
        let username: String
        let password: String
    }

    /// By their names in lower case.
    private let known: Mutex<[String: Known]>

    init(identity: OrgIdentity) {
        let first = Known(id: identity.userID, username: identity.username, password: identity.password)
        known = Mutex([identity.username.lowercased(): first])
    }

    /// The id of the user with this name and password, alone or followed by a security token of up to 64 letters and
    /// digits.
    ///
    /// The platform requires such a token from unknown networks; the org accepts any.
    func check(_ username: String, _ given: String) throws(OAuthRefusal) -> String {
        let user = known.withLock { $0[username.lowercased()] }
        let wanted = user?.password ?? ""
        let rest = given.dropFirst(wanted.count)
        let isRight = user != nil && Digest.areEqual(String(given.prefix(wanted.count)), wanted)
        let isToken =
            rest.utf8.count <= 64
            && rest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        guard let user, isRight, isToken else { throw .invalidGrant("authentication failure") }
        return user.id
    }

    /// The id of the user with that name, if there is one with a password.
    func id(of username: String) -> String? { known.withLock { $0[username.lowercased()]?.id } }

    /// The name that a user logs in with; empty for one without a password.
    func username(of id: String) -> String {
        known.withLock { known in known.values.first { $0.id == id }?.username ?? "" }
    }

    /// Gives a user a password, until the org stops; the name is that of one who has none yet.
    func change(_ password: String, of id: String, username: String) {
        known.withLock { known in
            let name = known.first { $0.value.id == id }?.key ?? username.lowercased()
            let user = known[name] ?? Known(id: id, username: username, password: password)
            known[name] = Known(id: user.id, username: user.username, password: password)
        }
    }
}
