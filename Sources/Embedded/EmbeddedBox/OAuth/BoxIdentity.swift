// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestText

/// A user of the box.
struct BoxUser: Sendable {
    /// The place among all users; the first one owns the box, and is the team's admin.
    let number: Int
    /// `dbid:` and 35 characters.
    let accountID: String
    /// `dbmid:` and 35 characters, for a member of a team.
    let memberID: String?
    /// The number of the account in answers of the login.
    let uid: String
    let email: String
    let displayName: String
    /// The number of the namespace that has the user's own files.
    let home: String
    /// The number of the namespace at the root: the team's, or the user's own.
    let root: String

    var isAdmin: Bool { number == 0 }
}

/// The users of a box, their team, and the app.
struct BoxIdentity: Sendable {
    let appKey: String
    let appSecret: String
    let users: [BoxUser]
    /// `dbtid:` and 35 characters; `nil` for a box with one user.
    let teamID: String?
    let teamName: String

    init(_ configuration: LocalBoxConfiguration) {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        appKey = configuration.appKey ?? RandomText.make(15, of: letters)
        appSecret = configuration.appSecret ?? RandomText.make(15, of: letters)
        let (seed, members) = (configuration.seed, configuration.members)
        func id(_ kind: String, _ name: String) -> String {
            kind + HexText.sha256("\(name) \(seed)").prefix(35)
        }
        teamID = members.isEmpty ? nil : id("dbtid:", "team")
        teamName = configuration.teamName
        let first = 3_000_000 + seed % 1_000_000
        let all = [LocalBoxConfiguration.Member(configuration.email, displayName: configuration.displayName)] + members
        users = all.enumerated().map { number, member in
            let (suffix, offset) = (number == 0 ? "" : " \(number)", UInt64(number))
            return BoxUser(
                number: number, accountID: id("dbid:", "account" + suffix),
                memberID: members.isEmpty ? nil : id("dbmid:", "member" + suffix),
                uid: String(1_000_000 + seed % 1_000_000 + offset), email: member.email,
                displayName: member.displayName, home: String(first + offset),
                root: members.isEmpty ? String(first) : String(first + UInt64(all.count)))
        }
    }

    var owner: BoxUser { users[0] }

    func user(memberID: String) -> BoxUser? { users.first { $0.memberID == memberID } }
    func user(accountID: String) -> BoxUser? { users.first { $0.accountID == accountID } }
}

extension BoxUser {
    /// Where the user's paths begin, as the API describes it.
    var rootInfo: Common.RootInfo {
        guard memberID != nil else {
            return .user(Common.UserRootInfo(rootNamespaceID: root, homeNamespaceID: home))
        }
        return .team(Common.TeamRootInfo(rootNamespaceID: root, homeNamespaceID: home, homePath: "/" + displayName))
    }

    var name: Users.Name {
        let words = displayName.split(byte: " ").map(String.init)
        let (given, rest) = (words.first ?? "", words.dropFirst().joined(separator: " "))
        return Users.Name(
            givenName: given, surname: rest, familiarName: given, displayName: displayName,
            abbreviatedName: words.compactMap(\.first).map(String.init).joined())
    }
}
