// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension AccountManager {
    /// Renews the logins that nobody has renewed for a while, so that their refresh tokens do not end of disuse.
    ///
    /// An admin can let refresh tokens end that were not used for some days. A program that runs more rarely than that
    /// calls this from something that runs daily. A login that another process has renewed meanwhile is left alone.
    ///
    /// - Parameters:
    ///   - age: how old an access token must be to be renewed; one whose age nobody knows is renewed too.
    ///   - timeout: how long one login may take.
    /// - Returns: what became of the logins that were due, by the accounts' ids, without those that need no renewal or
    ///   have no refresh token. A failure ends no login unless the server refused it, which its error says.
    @discardableResult
    public func renewIdle(
        olderThan age: Duration, timeout: Duration = .seconds(30)
    ) async -> [String: Result<Credential, OAuthError>] {
        await renewIdle(olderThan: age, timeout: timeout, by: .system)
    }

    /// The same by a clock that tests set.
    func renewIdle(
        olderThan age: Duration, timeout: Duration, by wall: WallClock
    ) async -> [String: Result<Credential, OAuthError>] {
        var results: [String: Result<Credential, OAuthError>] = [:]
        for account in accounts {
            guard let tokens = try? tokens(of: account.id), let credential = tokens.currentCredential,
                credential.refreshToken != nil, isIdle(credential, age, by: wall)
            else { continue }
            do throws(OAuthError) {
                results[account.id] = .success(try await tokens.refreshNow(deadline: clock.now + timeout).credential)
            } catch {
                results[account.id] = .failure(error)
            }
        }
        return results
    }

    private func isIdle(_ credential: Credential, _ age: Duration, by wall: WallClock) -> Bool {
        guard let issued = credential.issuedAtMilliseconds else { return true }
        return Duration.milliseconds(wall.milliseconds - issued) >= age
    }
}
