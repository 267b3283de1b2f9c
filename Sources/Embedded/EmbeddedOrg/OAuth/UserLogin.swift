// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import SOQLStore
import Synchronization

final class UserLogin: Sendable {
    private struct Known {
        let id: String
        let username: String
        let password: String
    }

    private let known: Mutex<[String: Known]>

    init(identity: OrgIdentity) {
        let first = Known(id: identity.userID, username: identity.username, password: identity.password)
        known = Mutex([identity.username.lowercased(): first])
    }

    /// Returns the ID of the user with this name and password, optionally followed by a security token of up to 64
    /// letters and digits.
    ///
    /// Salesforce requires such a token from unknown networks. The org accepts any token.
    func check(_ username: String, _ given: String) throws(OAuthRejection) -> String {
        let user = known.withLock { $0[username.lowercased()] }
        let wanted = user?.password ?? ""
        let rest = given.dropFirst(wanted.count)
        let isRight = user != nil && Digest.areEqual(String(given.prefix(wanted.count)), wanted)
        let isToken = rest.utf8.count <= 64 && rest.utf8.allSatisfy(ASCII.isAlphanumeric)
        guard let user, isRight, isToken else { throw .invalidGrant("authentication failure") }
        return user.id
    }

    func id(of username: String) -> String? { known.withLock { $0[username.lowercased()]?.id } }

    /// Returns the username of a user with a password, or an empty string.
    func username(of id: String) -> String {
        known.withLock { known in known.values.first { $0.id == id }?.username ?? "" }
    }

    /// Sets a user's password until the org stops.
    ///
    /// The username is for a user who has no password yet.
    func change(_ password: String, of id: String, username: String) {
        known.withLock { known in
            let name = known.first { $0.value.id == id }?.key ?? username.lowercased()
            let user = known[name] ?? Known(id: id, username: username, password: password)
            known[name] = Known(id: user.id, username: user.username, password: password)
        }
    }
}

/// Creates the records and passwords of a configuration's users when an org starts.
struct UserRegistration {
    let store: RecordStore
    let logins: UserLogin

    private static let leastPassword = 8

    func add(_ users: [OrgUser]) throws(StartError) {
        guard let object = store.schema.object(named: "User") else { return }
        var seen: Set<String> = []
        for user in users {
            guard seen.insert(user.username.lowercased()).inserted, logins.id(of: user.username) == nil else {
                throw .invalidUsers("the user \(user.username.prefix(80)) is listed twice; keep one entry")
            }
            guard !user.username.isEmpty, user.password.utf8.count >= Self.leastPassword else {
                throw .invalidUsers(
                    "the password of \(user.username.prefix(80)) must have \(Self.leastPassword) bytes or more")
            }
            logins.change(user.password, of: try id(of: user, object), username: user.username)
        }
    }

    /// Adds the records of users again, which get the same IDs in an org that is as new as it was.
    func restore(_ users: [OrgUser]) throws(OrgError) {
        guard let object = store.schema.object(named: "User") else { return }
        do throws(StartError) {
            for user in users { _ = try id(of: user, object) }
        } catch {
            throw OrgError("UNKNOWN_EXCEPTION", error.message)
        }
    }

    /// Returns the ID of the user's record, which is created if it is missing.
    private func id(of user: OrgUser, _ object: SObjectSchema) throws(StartError) -> String {
        do throws(OrgError) {
            if let known = try find("Username", user.username, in: object.name) { return known }
            guard let profile = try find("Name", user.profile, in: "Profile") else {
                throw OrgError("INVALID_FIELD", "the org has no profile named '\(user.profile.prefix(80))'")
            }
            return try store.create(user.members(profileID: profile), of: object)
        } catch {
            throw .invalidUsers("the user \(user.username.prefix(80)) cannot be created: \(error.message)")
        }
    }

    private func find(_ field: String, _ value: String, in object: String) throws(OrgError) -> String? {
        let sql = "SELECT \"Id\" FROM \"\(object)\" WHERE lower(\"\(field)\") = ?1 AND \"IsDeleted\" = 0"
        return try store.database.fetch(sql, [.text(value.lowercased())]) { $0.text(0) }.last
    }
}

/// The IDs of the org, and the credentials of its connected app and of its first user.
///
/// The app's key and secret and the user's password are new at every start, even if the org is stored in a file. A
/// stored secret would need protection, and `soql org start` prints them each time.
struct OrgIdentity: Sendable {
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    let organizationID: String
    let userID: String
    let instanceURL: String
    /// The audiences of assertions in addition to the instance.
    let audiences: [String]

    /// Creates the identity from the row of the first user, which differs between orgs with different seeds.
    ///
    /// `names` are additional names of the server.
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

    func identityURL(of user: String) -> String { "\(instanceURL)/id/\(organizationID)/\(user)" }
}

/// A user who can log in to an org in addition to its first user.
///
/// The user owns their records: `CreatedById`, the default of `OwnerId`, and the recently viewed records.
public struct OrgUser: Sendable {
    /// The username, ignoring case.
    public let username: String
    /// The password.
    public let password: String
    /// The name of the profile.
    public let profile: String
    let fields: JSONObject

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - username: The username. An existing record with this `Username` becomes the user's.
    ///   - password: The password, 8 bytes or more.
    ///   - profile: The name of a profile of the org.
    public init(username: String, password: String, profile: String = Self.defaultProfile) {
        self.username = username
        self.password = password
        self.profile = profile
        fields = [:]
    }

    /// The default profile of a user.
    public static let defaultProfile = "Standard User"

    /// Reads a list of users: objects with `Username`, `Password`, optionally `Profile` with the name of a profile, and
    /// fields of the user's record such as `FirstName`, `LastName` and `Email`.
    ///
    /// - Parameters:
    ///   - json: The JSON text.
    ///   - name: The name in messages, such as the name of the file.
    /// - Returns: the users in order.
    /// - Throws: `StartError` with the code `invalidUsers`.
    public static func list(json: [UInt8], name: String = "the list of users") throws(StartError) -> [OrgUser] {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: json, limits: JSONDocument.Limits(maximumDepth: 8))
        } catch {
            throw .invalidUsers(
                "\(name) is not JSON: \(error.expected) expected at line \(error.line), column \(error.column)")
        }
        guard let list = root.array else { throw .invalidUsers("\(name) must be a list of users") }
        var users: [OrgUser] = []
        for (position, value) in list.enumerated() {
            guard let user = OrgUser(value) else {
                throw .invalidUsers("\(name)[\(position)] needs strings as its Username and Password")
            }
            users.append(user)
        }
        return users
    }

    private init?(_ value: JSONValue) {
        guard let members = value.object, let username = value["Username"]?.string,
            let password = value["Password"]?.string
        else { return nil }
        self.username = username
        self.password = password
        profile = value["Profile"]?.string ?? Self.defaultProfile
        fields = JSONObject(members: members.filter { !["Username", "Password", "Profile"].contains($0.key) })
    }

    /// Returns the members of a new record, including the required ones.
    func members(profileID: String) -> JSONObject {
        let name = username.prefix(before: "@")
        var members: JSONObject = [
            "Username": JSONValue(username), "LastName": JSONValue(String(name)), "Email": JSONValue(username),
            "Alias": JSONValue(String(name.prefix(8))), "IsActive": true, "UserType": "Standard",
            "ProfileId": JSONValue(profileID), "TimeZoneSidKey": "GMT", "LocaleSidKey": "en_US",
            "LanguageLocaleKey": "en_US",
        ]
        for (name, value) in fields { members[name] = value }
        return members
    }
}

extension StartError {
    static func invalidUsers(_ message: String) -> StartError {
        StartError(.invalidUsers, message)
    }
}
