// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes about the account and the connection.
struct AccountRoutes: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens

    func currentAccount(_: Void, _ context: RouteContext) throws(BoxFailure<Never>) -> Users.FullAccount {
        guard let user = context.caller.user else { throw .refused(.broken) }
        return Users.FullAccount(
            accountID: user.accountID, name: user.name, email: user.email, emailVerified: true, disabled: false,
            locale: "en", referralLink: "http://127.0.0.1/referrals", isPaired: false,
            accountType: user.memberID == nil ? .basic : .business, rootInfo: user.rootInfo, country: "US",
            teamMemberID: user.memberID)
    }

    func account(
        _ argument: Users.GetAccountArg, _ context: RouteContext
    ) throws(BoxFailure<Users.GetAccountError>) -> Users.BasicAccount {
        guard let user = identity.user(accountID: argument.accountID) else { throw .route(.noAccount) }
        return basic(user, context)
    }

    func accounts(
        _ argument: Users.GetAccountBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Users.GetAccountBatchError>) -> [Users.BasicAccount] {
        var accounts: [Users.BasicAccount] = []
        for id in argument.accountIDs {
            guard let user = identity.user(accountID: id) else { throw .route(.noAccount(id)) }
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

    func spaceUsage(_: Void, _ context: RouteContext) throws(BoxFailure<Never>) -> Users.SpaceUsage {
        let used = try context.store.transaction { (tables) throws(BoxFailure<Never>) in tables.facts.used }
        let allocated = UInt64(clamping: context.store.limits.quota)
        return Users.SpaceUsage(
            used: UInt64(clamping: used), allocation: .individual(Users.IndividualSpaceAllocation(allocated: allocated))
        )
    }

    func features(
        _ argument: Users.UserFeaturesGetValuesBatchArg, _: RouteContext
    ) throws(BoxFailure<Users.UserFeaturesGetValuesBatchError>) -> Users.UserFeaturesGetValuesBatchResult {
        guard !argument.features.isEmpty else { throw .route(.emptyFeaturesList) }
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

    func echo(
        _ argument: Check.EchoArg, _: RouteContext
    ) throws(BoxFailure<Check.EchoError>) -> Check.EchoResult {
        Check.EchoResult(result: argument.query)
    }

    func revoke(_: Void, _ context: RouteContext) throws(BoxFailure<Never>) {
        if case .user(_, let token) = context.caller { tokens.revokeLogin(of: token) }
    }
}
