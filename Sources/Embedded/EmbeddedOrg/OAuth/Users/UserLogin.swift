// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
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

/// Gives the users of a configuration their records and passwords when an org starts.
struct UserRegistration {
    let store: RecordStore
    let logins: UserLogin

    private static let leastPassword = 8

    func add(_ users: [OrgUser]) throws(LocalOrgError) {
        guard let object = store.schema.object(named: "User") else { return }
        var seen: Set<String> = []
        for user in users {
            guard seen.insert(user.username.lowercased()).inserted, logins.id(of: user.username) == nil else {
                throw .invalidUsers("the user \(user.username.prefix(80)) is named twice")
            }
            guard !user.username.isEmpty, user.password.utf8.count >= Self.leastPassword else {
                throw .invalidUsers(
                    "the password of \(user.username.prefix(80)) must have \(Self.leastPassword) bytes or more")
            }
            logins.change(user.password, of: try id(of: user, object), username: user.username)
        }
    }

    /// The id of the user's record, which is made unless there is one of that name.
    private func id(of user: OrgUser, _ object: SObjectSchema) throws(LocalOrgError) -> String {
        do throws(OrgFault) {
            if let known = try find("Username", user.username, in: object.name) { return known }
            guard let profile = try find("Name", user.profile, in: "Profile") else {
                throw OrgFault(400, "INVALID_FIELD", "the org has no profile named '\(user.profile.prefix(80))'")
            }
            return try store.create(user.members(profileID: profile), of: object)
        } catch {
            throw .invalidUsers("the user \(user.username.prefix(80)) cannot be made: \(error.message)")
        }
    }

    private func find(_ field: String, _ value: String, in object: String) throws(OrgFault) -> String? {
        try store.database.read { (connection) throws(OrgFault) -> String? in
            var id: String?
            do throws(DatabaseError) {
                let sql = "SELECT \"Id\" FROM \"\(object)\" WHERE lower(\"\(field)\") = ?1 AND \"IsDeleted\" = 0"
                try connection.rows(sql, [.text(value.lowercased())]) { id = $0.text(0) }
            } catch {
                throw OrgFault(error)
            }
            return id
        }
    }
}

/// The ids of the org, and the credentials of its connected app and of its first user.
///
/// The app's key and secret and the user's password are new at every start, even for an org kept in a file. A stored
/// secret would need protection, and `soql org start` prints them each time.
struct OrgIdentity: Sendable {
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    let organizationID: String
    let userID: String
    let instanceURL: String
    /// For whom assertions may be meant, beside the instance.
    let audiences: [String]

    /// Names an org by the number of its user's row, which differs between orgs of different seeds; `names` are further
    /// ones of the server.
    init(row: Int64, instanceURL: String, names: [String] = []) {
        clientID = "3MVG9" + RandomText.make(58)
        clientSecret = RandomText.make(64)
        username = "admin@" + RandomText.make(8).lowercased() + ".localorg.test"
        password = RandomText.make(24)
        organizationID = RecordID.make(prefix: "00D", number: row)
        userID = RecordID.make(prefix: "005", number: row)
        self.instanceURL = instanceURL
        audiences = (names + ["login.salesforce.com"]).map { "https://\($0)" }
    }

    /// The identity URL that names a user in token answers.
    func identityURL(of user: String) -> String { "\(instanceURL)/id/\(organizationID)/\(user)" }
}
