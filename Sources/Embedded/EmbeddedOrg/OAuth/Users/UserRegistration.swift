// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

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
