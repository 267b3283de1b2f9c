// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A user who can log in to an org beside its first one.
///
/// The user's records are theirs: `CreatedById`, `OwnerId` where none is given, and the records looked at last.
public struct OrgUser: Sendable {
    /// The name to log in with, in any case.
    public let username: String
    /// The password.
    public let password: String
    /// The name of the profile.
    public let profile: String
    /// Further fields of the user's record.
    let fields: JSONObject

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - username: The name to log in with; a record of the org with this `Username` becomes the user's.
    ///   - password: The password, 8 bytes or more.
    ///   - profile: The name of a profile of the org.
    public init(username: String, password: String, profile: String = Self.defaultProfile) {
        self.username = username
        self.password = password
        self.profile = profile
        fields = [:]
    }

    /// The profile of a user who is given none.
    public static let defaultProfile = "Standard User"

    /// Reads a list of users: objects with `Username`, `Password`, perhaps `Profile` with the name of a profile, and
    /// fields of the user's record such as `FirstName`, `LastName` and `Email`.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - name: The name in messages, such as the file's.
    /// - Returns: the users in the list's order.
    /// - Throws: `LocalOrgError` with ``LocalOrgError/Code/invalidUsers``.
    public static func list(json: [UInt8], name: String = "the list of users") throws(LocalOrgError) -> [OrgUser] {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: json, limits: JSONLimits(maximumDepth: 8))
        } catch {
            throw .invalidUsers(
                "\(name) is not JSON: \(error.expected) expected in line \(error.line), column \(error.column)")
        }
        guard let list = root.array else { throw .invalidUsers("\(name) must be a list of users") }
        var users: [OrgUser] = []
        for (position, value) in list.enumerated() {
            guard let user = OrgUser(value) else {
                throw .invalidUsers("\(name)[\(position)] needs texts as its Username and Password")
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

    /// The members of a new record, with what each user must have.
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

extension LocalOrgError {
    static func invalidUsers(_ message: String) -> LocalOrgError {
        LocalOrgError(code: .invalidUsers, message: message)
    }
}
