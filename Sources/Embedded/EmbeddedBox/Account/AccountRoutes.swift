// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import RestBase
import RestJSON
import StoneRuntime

/// The routes about the account and the connection.
struct AccountRoutes: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer

    func currentAccount(_: Void, _ context: RouteContext) throws -> Users.FullAccount {
        guard let user = context.caller.user else { throw BoxRefusal.broken }
        return Users.FullAccount(
            accountID: user.accountID, name: user.name, email: user.email, emailVerified: true, disabled: false,
            locale: "en", referralLink: "http://127.0.0.1/referrals", isPaired: false,
            accountType: user.memberID == nil ? .basic : .business, rootInfo: user.rootInfo, country: "US",
            teamMemberID: user.memberID)
    }

    func account(_ argument: Users.GetAccountArg, _ context: RouteContext) throws -> Users.BasicAccount {
        guard let user = identity.user(accountID: argument.accountID) else { throw Users.GetAccountError.noAccount }
        return basic(user, context)
    }

    func accounts(_ argument: Users.GetAccountBatchArg, _ context: RouteContext) throws -> [Users.BasicAccount] {
        var accounts: [Users.BasicAccount] = []
        for id in argument.accountIDs {
            guard let user = identity.user(accountID: id) else { throw Users.GetAccountBatchError.noAccount(id) }
            accounts.append(basic(user, context))
        }
        return accounts
    }

    private func basic(_ user: BoxUser, _ context: RouteContext) -> Users.BasicAccount {
        let isOther = context.caller.user?.accountID != user.accountID
        return Users.BasicAccount(
            accountID: user.accountID, name: user.name, email: user.email, emailVerified: true, disabled: false,
            isTeammate: isOther && user.memberID != nil, teamMemberID: user.memberID)
    }

    func spaceUsage(_: Void, _ context: RouteContext) throws -> Users.SpaceUsage {
        let used = try context.store.transaction { tables in tables.facts.used }
        let allocated = UInt64(clamping: context.store.ground.limits.quota)
        return Users.SpaceUsage(
            used: UInt64(clamping: used), allocation: .individual(Users.IndividualSpaceAllocation(allocated: allocated))
        )
    }

    func features(
        _ argument: Users.UserFeaturesGetValuesBatchArg, _: RouteContext
    ) throws -> Users.UserFeaturesGetValuesBatchResult {
        guard !argument.features.isEmpty else { throw Users.UserFeaturesGetValuesBatchError.emptyFeaturesList }
        let isTeam = identity.teamID != nil
        let values = argument.features.compactMap { feature -> Users.UserFeatureValue? in
            switch feature {
            case .paperAsFiles: .paperAsFiles(.enabled(false))
            case .fileLocking: .fileLocking(.enabled(false))
            case .teamSharedDropbox: .teamSharedDropbox(.enabled(isTeam))
            case .distinctMemberHome: .distinctMemberHome(.enabled(isTeam))
            default: nil
            }
        }
        return Users.UserFeaturesGetValuesBatchResult(values: values)
    }

    func echo(_ argument: Check.EchoArg, _: RouteContext) throws -> Check.EchoResult {
        Check.EchoResult(result: argument.query)
    }

    func revoke(_: Void, _ context: RouteContext) throws {
        if case .user(_, let token) = context.caller, let login = tokens.access(token)?.login { tokens.revoke(login) }
    }
}

/// The routes about the members of a team and its namespaces.
///
/// `DropboxAPI` has only what users call, so arguments and results are JSON values here.
struct TeamRoutes: Sendable {
    let identity: BoxIdentity

    static let scopes = ["team_info.read", "members.read", "team_data.member"]

    /// A route of the namespace `team`.
    static func info(_ name: String, version: Int = 1, _ scope: String) -> RouteInfo {
        RouteInfo("team", name, version: version, auth: ["team"], scope: scope)
    }

    func teamInfo(_: JSONValue) throws(BoxRefusal) -> JSONValue {
        let count = JSONValue(identity.users.count)
        let sharing: JSONValue = [
            "shared_folder_member_policy": Self.tag("team"), "shared_folder_join_policy": Self.tag("from_team_only"),
            "shared_link_create_policy": Self.tag("default_public"),
            "group_creation_policy": Self.tag("admins_only"),
            "shared_folder_link_restriction_policy": Self.tag("anyone"),
            "enforce_link_password_policy": Self.tag("optional"),
            "default_link_expiration_days_policy": Self.tag("none"),
            "shared_link_default_permissions_policy": Self.tag("default"),
        ]
        return [
            "name": JSONValue(identity.teamName), "team_id": JSONValue(identity.teamID ?? ""),
            "num_licensed_users": count, "num_provisioned_users": count, "num_used_licenses": count,
            "policies": [
                "sharing": sharing, "emm_state": Self.tag("disabled"), "office_addin": Self.tag("disabled"),
                "suggest_members_policy": Self.tag("disabled"), "top_level_content_policy": Self.tag("everyone"),
            ],
        ]
    }

    func admin(_: JSONValue) throws(BoxRefusal) -> JSONValue { ["admin_profile": profile(identity.owner)] }

    func members(_ argument: JSONValue) throws(BoxRefusal) -> JSONValue {
        try page(identity.users.map { member($0) }, argument, named: "members")
    }

    func namespaces(_ argument: JSONValue) throws(BoxRefusal) -> JSONValue {
        try page(allNamespaces, argument, named: "namespaces")
    }

    func memberInfo(_ argument: JSONValue) throws(BoxRefusal) -> JSONValue {
        guard let selectors = argument["members"]?.array else {
            throw .badInput("team/members/get_info_v2", "request body: members: missing")
        }
        let found = selectors.map { selector -> JSONValue in
            let kind = selector[".tag"]?.string ?? ""
            let name = selector[kind]?.string ?? ""
            let user = identity.users.first { kind == "email" ? $0.email == name : $0.memberID == name }
            guard let user, ["team_member_id", "email"].contains(kind) else {
                return [".tag": "id_not_found", "id_not_found": JSONValue(name)]
            }
            return member(user, tag: "member_info")
        }
        return ["members_info": JSONValue(JSONArray(found))]
    }
}

extension TeamRoutes {
    private static func tag(_ name: String) -> JSONValue { [".tag": JSONValue(name)] }

    private func member(_ user: BoxUser, tag: String? = nil) -> JSONValue {
        let role: JSONValue = [
            "role_id": "pid_dbtmr:admin", "name": "Team", "description": "Manages everything in the team.",
        ]
        let roles = JSONValue(JSONArray(user.isAdmin ? [role] : []))
        guard let tag else { return ["profile": profile(user), "roles": roles] }
        return [".tag": JSONValue(tag), "profile": profile(user), "roles": roles]
    }

    private func profile(_ user: BoxUser) -> JSONValue {
        let name = (try? user.name.json()).flatMap { try? JSONValue(parsing: $0) } ?? .null
        return [
            "team_member_id": JSONValue(user.memberID ?? ""), "account_id": JSONValue(user.accountID),
            "email": JSONValue(user.email), "email_verified": true, "status": Self.tag("active"), "name": name,
            "membership_type": Self.tag("full"), "groups": JSONValue(JSONArray([])),
            "member_folder_id": JSONValue(user.home), "root_folder_id": JSONValue(user.root),
        ]
    }

    private var allNamespaces: [JSONValue] {
        let team: JSONValue = [
            "name": JSONValue(identity.teamName), "namespace_id": JSONValue(identity.owner.root),
            "namespace_type": Self.tag("team_folder"),
        ]
        return [team]
            + identity.users.map { user in
                [
                    "name": JSONValue(user.displayName), "namespace_id": JSONValue(user.home),
                    "namespace_type": Self.tag("team_member_folder"), "team_member_id": JSONValue(user.memberID ?? ""),
                ]
            }
    }

    /// The page that an argument with a limit or with the cursor of the page before asks for.
    private func page(
        _ all: [JSONValue], _ argument: JSONValue, named name: String
    ) throws(BoxRefusal) -> JSONValue {
        var (limit, start) = (1_000, 0)
        if let cursor = argument["cursor"] {
            let parts = (cursor.string ?? "").split(byte: ":").map(String.init)
            guard parts.count == 3, parts[0] == name, let size = JSONValue.count(parts[1]), size > 0,
                let position = JSONValue.count(parts[2])
            else { throw .tagged(409, [".tag": "invalid_cursor"]) }
            (limit, start) = (size, position)
        } else if argument["limit"] != nil {
            guard let size = argument.count("limit"), (1...1_000).contains(size) else {
                throw .badInput("team/\(name)/list", "request body: limit: not between 1 and 1000")
            }
            limit = size
        }
        let rest = all.dropFirst(start)
        let cursor = "\(name):\(limit):\(start + min(limit, rest.count))"
        return [
            name: JSONValue(JSONArray(Array(rest.prefix(limit)))), "cursor": JSONValue(cursor),
            "has_more": JSONValue(rest.count > limit),
        ]
    }
}
