// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestBase
import RestTransport
import StoneRuntime

enum Caller: Sendable {
    /// A user with an access token, which is the user's own or the team's.
    case user(BoxUser, accessToken: String)
    case app
    /// An unauthenticated caller.
    case nobody

    var user: BoxUser? { if case .user(let user, _) = self { user } else { nil } }
}

/// Determines the caller, the caller's permission and the namespace of a request.
struct Authentication: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer

    func caller(of request: ServerRequest, for route: RouteInfo) throws(BoxRejection) -> Caller {
        if route.auth.contains("noauth") { return .nobody }
        let field = request.fields["Authorization"] ?? request.path?.parameter("authorization")
        let words = (field ?? "").split(byte: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else {
            throw .badInput(route.id, "the header Authorization is missing or has no credentials")
        }
        switch words[0].lowercased() {
        case "bearer" where route.auth.contains("user"): return try owner(of: words[1], request, route)
        case "basic" where route.auth.contains("app"): return try app(words[1])
        default:
            throw .badInput(
                route.id, "the route requires another kind of Authorization: \(route.auth.joined(separator: ", "))")
        }
    }

    private func owner(
        of token: String, _ request: ServerRequest, _ route: RouteInfo
    ) throws(BoxRejection) -> Caller {
        let (subject, scopes) = try tokens.login(of: token)
        if let scope = route.scope, !scopes.contains(scope) {
            throw .unauthorized(.missingScope(Auth.TokenScopeError(requiredScope: scope)))
        }
        switch subject {
        case .user(let number): return .user(identity.users[number], accessToken: token)
        case .team:
            guard let user = try selectedUser(request, route) else {
                throw .badInput(
                    route.id, "the access token belongs to a team; name a member in Dropbox-API-Select-User")
            }
            return .user(user, accessToken: token)
        }
    }

    /// Returns the member for whom a team acts, or the admin as whom it acts.
    private func selectedUser(_ request: ServerRequest, _ route: RouteInfo) throws(BoxRejection) -> BoxUser? {
        if let id = request.fields["Dropbox-API-Select-User"] {
            guard let user = identity.user(memberID: id) else { throw .unauthorized(.invalidSelectUser) }
            return user
        }
        guard let id = request.fields["Dropbox-API-Select-Admin"] else { return nil }
        guard let user = identity.user(memberID: id), user.isAdmin else { throw .unauthorized(.invalidSelectAdmin) }
        guard ["files", "sharing", "users"].contains(route.namespace) else {
            throw .badInput(route.id, "the route cannot be called with Dropbox-API-Select-Admin")
        }
        return user
    }

    private func app(_ credentials: String) throws(BoxRejection) -> Caller {
        guard let bytes = Base64.decode(credentials), let text = String(validating: bytes, as: UTF8.self),
            Digest.areEqual(text, "\(identity.appKey):\(identity.appSecret)")
        else { throw .unauthorized(.invalidAccessToken) }
        return .app
    }

    /// Returns the root namespace that the request selects, or the user's own.
    func namespace(of request: ServerRequest, for user: BoxUser) throws(BoxRejection) -> String {
        guard let field = request.fields["Dropbox-API-Path-Root"] else { return user.home }
        guard let root = try? Common.PathRoot(json: Array(field.utf8)) else {
            throw .text(400, "Dropbox-API-Path-Root is not a path root")
        }
        switch root {
        case .home: return user.home
        case .root(user.root), .namespaceID(user.root): return user.root
        case .namespaceID(user.home): return user.home
        case .namespaceID(let other):
            // An admin may use the namespaces of the members.
            let isKnown = identity.users.contains { $0.home == other }
            if isKnown, user.isAdmin, request.fields["Dropbox-API-Select-Admin"] != nil { return other }
            throw .error(422, Common.PathRootError.noPermission)
        default: throw .error(422, Common.PathRootError.invalidRoot(user.rootInfo))
        }
    }
}

struct BoxUser: Sendable {
    /// The index among all users, the first of whom is the team's admin.
    let number: Int
    let accountID: String
    let memberID: String?
    /// The account's number in token responses.
    let uid: String
    let email: String
    let displayName: String
    /// The number of the namespace with the user's own files.
    let home: String
    /// The number of the root namespace: the team's, or the user's own.
    let root: String

    var isAdmin: Bool { number == 0 }
}

/// The users, the team and the app of a test server.
struct BoxIdentity: Sendable {
    let appKey: String
    let appSecret: String
    /// The app, which may redirect to any address on this machine.
    let clients: RegisteredClients
    let users: [BoxUser]
    let isTeam: Bool

    init(_ configuration: LocalBoxConfiguration) {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        appKey = configuration.appKey ?? RandomText.make(15, of: letters)
        appSecret = configuration.appSecret ?? RandomText.make(15, of: letters)
        clients = RegisteredClients([RegisteredClient(id: appKey, secret: appSecret, redirects: [.loopback])])
        let (seed, members) = (configuration.seed, configuration.members)
        func id(_ kind: String, _ name: String) -> String {
            kind + ContentHash.of(digests: Array("\(name) \(seed)".utf8)).prefix(35)
        }
        isTeam = !members.isEmpty
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

/// The owner of the access tokens of a login.
enum TokenSubject: Sendable, Hashable {
    case user(Int)
    case team

    var text: String { if case .user(let number) = self { String(number) } else { "team" } }

    init(_ text: String) {
        // bounded: the box's own number
        self = Int(text).map { .user($0) } ?? .team
    }
}

extension TokenIssuer {
    convenience init(_ clock: ServerClock, _ configuration: LocalBoxConfiguration) {
        self.init(
            TokenRules(
                clock: clock, lifetime: configuration.accessTokenLifetime,
                makeAccessToken: { "sl." + RandomText.make(120) }, makeRefreshToken: { RandomText.make(64) }))
    }

    func login(of accessToken: String) throws(BoxRejection) -> (subject: TokenSubject, scopes: [String]) {
        if let login = access(accessToken)?.login { return (TokenSubject(login.subject), login.scopes) }
        throw .unauthorized(hasExpired(accessToken) ? .expiredAccessToken : .invalidAccessToken)
    }
}
