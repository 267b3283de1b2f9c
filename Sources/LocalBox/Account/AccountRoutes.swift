// SPDX-License-Identifier: Apache-2.0

import DropboxAPI

/// The routes about the account and the connection.
struct AccountRoutes: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens
    let store: BoxStore
    let quota: Int64

    func currentAccount(_: Void, _: RouteContext) throws(BoxFailure<Never>) -> Users.FullAccount {
        Users.FullAccount(
            accountID: identity.accountID, name: name, email: identity.email, emailVerified: true, disabled: false,
            locale: "en", referralLink: "http://127.0.0.1/referrals", isPaired: false, accountType: .basic,
            rootInfo: .user(identity.rootInfo), country: "US")
    }

    func account(
        _ argument: Users.GetAccountArg, _: RouteContext
    ) throws(BoxFailure<Users.GetAccountError>) -> Users.BasicAccount {
        guard argument.accountID == identity.accountID else { throw .route(.noAccount) }
        return Users.BasicAccount(
            accountID: identity.accountID, name: name, email: identity.email, emailVerified: true, disabled: false,
            isTeammate: false)
    }

    private var name: Users.Name {
        let words = identity.displayName.split(separator: " ").map(String.init)
        let (given, rest) = (words.first ?? "", words.dropFirst().joined(separator: " "))
        return Users.Name(
            givenName: given, surname: rest, familiarName: given, displayName: identity.displayName,
            abbreviatedName: words.compactMap(\.first).map(String.init).joined())
    }

    func spaceUsage(_: Void, _: RouteContext) throws(BoxFailure<Never>) -> Users.SpaceUsage {
        let used = try store.transaction { (tables) throws(BoxFailure<Never>) in tables.usedBytes }
        return Users.SpaceUsage(
            used: UInt64(clamping: used),
            allocation: .individual(Users.IndividualSpaceAllocation(allocated: UInt64(clamping: quota))))
    }

    func echo(
        _ argument: Check.EchoArg, _: RouteContext
    ) throws(BoxFailure<Check.EchoError>) -> Check.EchoResult {
        Check.EchoResult(result: argument.query)
    }

    func revoke(_: Void, _ context: RouteContext) throws(BoxFailure<Never>) {
        if case .user(let token) = context.caller { tokens.revokeLogin(of: token) }
    }
}
