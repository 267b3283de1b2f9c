// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Synchronization

/// Gives, renews, checks and revokes tokens.
final class TokenService: Sendable {
    let identity: OrgIdentity
    private let lifetime: Duration
    private let rotation: LocalOrgConfiguration.RefreshRotation
    private let registry = Mutex(TokenRegistry())

    init(identity: OrgIdentity, configuration: LocalOrgConfiguration) {
        self.identity = identity
        lifetime = configuration.accessTokenLifetime
        rotation = configuration.refreshRotation
    }

    /// A pair of tokens as a login gives them.
    struct Grant: Sendable {
        let accessToken: String
        let refreshToken: String?
    }

    /// Logs the org's user in.
    func login(withRefreshToken: Bool) -> Grant {
        let access = makeAccessToken()
        let refresh = withRefreshToken ? makeRefreshToken() : nil
        let now = ContinuousClock.now
        registry.withLock { registry in
            let family = refresh.map { registry.beginFamily(refreshToken: $0) }
            registry.add(accessToken: access, expiry: now + lifetime, now: now, family: family)
        }
        return Grant(accessToken: access, refreshToken: refresh)
    }

    /// Exchanges a refresh token; `nil` when it is dead.
    func refresh(_ token: String) -> Grant? {
        let (access, successor) = (makeAccessToken(), makeRefreshToken())
        let now = ContinuousClock.now
        return registry.withLock { registry in
            guard
                case .granted(let family, let refresh) = registry.exchange(
                    token, successor: successor, rotation: rotation)
            else { return nil }
            registry.add(accessToken: access, expiry: now + lifetime, now: now, family: family)
            return Grant(accessToken: access, refreshToken: refresh)
        }
    }

    /// Whether an access token opens the org now.
    func isValid(_ accessToken: String) -> Bool {
        let key = TokenRegistry.key(accessToken)
        return registry.withLock { $0.isValid(key, at: .now) }
    }

    func revoke(_ token: String) -> Bool { registry.withLock { $0.revoke(token) } }
    func expireAccessTokens() { registry.withLock { $0.expireAccessTokens() } }
    func revokeRefreshTokens() { registry.withLock { $0.revokeRefreshTokens() } }

    /// `00D…!…`: the organization's id and 92 unguessable characters, as the platform's opaque tokens look.
    private func makeAccessToken() -> String { identity.organizationID.prefix(15) + "!" + RandomText.make(92) }
    private func makeRefreshToken() -> String { "5Aep861" + RandomText.make(80) }
}
