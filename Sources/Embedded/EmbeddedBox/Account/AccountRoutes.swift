// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

struct AccountRoutes: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer

    func currentAccount(_: Void, _ context: RouteContext) throws -> Users.FullAccount {
        guard let user = context.caller.user else { throw BoxRejection.broken }
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

    func echo(_ argument: Check.EchoArg, _: RouteContext) throws -> Check.EchoResult {
        Check.EchoResult(result: argument.query)
    }

    func revoke(_: Void, _ context: RouteContext) throws {
        if case .user(_, let token) = context.caller, let login = tokens.access(token)?.login { tokens.revoke(login) }
    }
}
