// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// Gives, renews, checks and revokes tokens, and the codes that become tokens.
final class TokenService: Sendable {
    let identity: OrgIdentity
    let clock: OrgClock
    private let configuration: LocalOrgConfiguration
    private let state = Mutex(State())

    private struct State {
        var registry = TokenRegistry()
        var codes = AuthorizationCodes()
        var devices = DeviceLogins()
        var assertions = SpentAssertions()
    }

    init(identity: OrgIdentity, configuration: LocalOrgConfiguration, clock: OrgClock) {
        self.identity = identity
        self.configuration = configuration
        self.clock = clock
    }

    /// A pair of tokens as a login gives them.
    struct Grant: Sendable {
        let accessToken: String
        let refreshToken: String?
        let login: TokenRegistry.Login
    }

    /// How long an access token is announced to be good, where it is announced.
    var announcedLifetime: Int? {
        configuration.announcesExpiry ? Int(configuration.accessTokenLifetime.components.seconds) : nil
    }

    /// Whether a PKCE verifier may have any length.
    var takesAnyVerifier: Bool { !configuration.isProofKeyStrict }

    /// Logs a user in, by the id.
    func login(_ clientID: String, user: String, scopes: [String], isLasting: Bool) -> Grant {
        state.withLock { makeLogin(clientID, user, scopes, isLasting, &$0.registry) }
    }

    private func makeLogin(
        _ clientID: String, _ user: String, _ scopes: [String], _ isLasting: Bool, _ registry: inout TokenRegistry
    ) -> Grant {
        let login = registry.login(clientID: clientID, scopes: scopes, issuedAt: clock.seconds, subject: user)
        let refresh = isLasting ? makeRefreshToken() : nil
        if let refresh { registry.add(refreshToken: refresh, expiry: refreshExpiry, now: clock.now, login: login) }
        return Grant(accessToken: addAccess(login, &registry), refreshToken: refresh, login: login)
    }

    private func addAccess(_ login: TokenRegistry.Login, _ registry: inout TokenRegistry) -> String {
        let (access, now) = (makeAccessToken(), clock.now)
        let expiry = now + configuration.accessTokenLifetime
        registry.add(accessToken: access, expiry: expiry, now: now, login: login)
        return access
    }

    private var refreshExpiry: ContinuousClock.Instant? { configuration.refreshTokenLifetime.map { clock.now + $0 } }

    /// Exchanges a refresh token of a client; `nil` when it is not valid.
    func refresh(_ token: String, of clientID: String) -> Grant? {
        let successor = makeRefreshToken()
        let rules = TokenRegistry.ExchangeRules(
            rotation: configuration.refreshRotation.rule, expiry: refreshExpiry, now: clock.now)
        return state.withLock { state in
            guard
                case .granted(let login, let refresh) = state.registry.exchange(
                    token, of: clientID, successor: successor, rules)
            else { return nil }
            return Grant(accessToken: addAccess(login, &state.registry), refreshToken: refresh, login: login)
        }
    }

    /// The login whose access token opens the org now.
    func login(of accessToken: String) -> TokenRegistry.Login? {
        let key = TokenRegistry.key(accessToken)
        return state.withLock { $0.registry.access(key, at: clock.now)?.login }
    }

    /// What a token is good for, told to the client it was given to (RFC 7662).
    struct Status: Sendable {
        let login: TokenRegistry.Login
        let type: String
        /// Seconds since 1970.
        let expiry: Int64?
    }

    func status(of token: String, for clientID: String) -> Status? {
        let (key, now) = (TokenRegistry.key(token), clock.now)
        let seconds = { (end: ContinuousClock.Instant) in self.clock.seconds + (end - now).components.seconds }
        return state.withLock { state -> Status? in
            if let access = state.registry.access(key, at: now) {
                return Status(login: access.login, type: "access_token", expiry: seconds(access.expiry))
            }
            guard let refresh = state.registry.refresh(key, at: now) else { return nil }
            return Status(login: refresh.login, type: "refresh_token", expiry: refresh.expiry.map(seconds))
        }.flatMap { $0.login.clientID == clientID ? $0 : nil }
    }

    func revoke(_ token: String) -> Bool { state.withLock { $0.registry.revoke(token) } }
    func expireAccessTokens() { state.withLock { $0.registry.expireAccessTokens(at: clock.now) } }
    func revokeRefreshTokens() { state.withLock { $0.registry.revokeRefreshTokens() } }

    /// Forgets every code that has not become tokens.
    func forgetCodes() {
        state.withLock { state in
            state.codes.removeAll()
            state.devices.removeAll()
        }
    }

    /// `00D…!…`: the organization's id and 92 unguessable characters, as the platform's opaque tokens look.
    private func makeAccessToken() -> String { identity.organizationID.prefix(15) + "!" + RandomText.make(92) }
    private func makeRefreshToken() -> String { "5Aep861" + RandomText.make(80) }
}

extension TokenService {
    /// Accepts an assertion once, so that a stolen copy is worthless (RFC 7523 §3, 7).
    func spend(_ assertion: JWTAssertion, of clientID: String) throws(OAuthRefusal) {
        try state.withLock { (state) throws(OAuthRefusal) in
            try state.assertions.spend(
                assertion.identifier, of: clientID, until: assertion.end, now: clock.seconds)
        }
    }

    // MARK: Codes

    /// A code for a request that a user agreed to.
    func makeCode(for request: AuthorizationRequest, user: String) -> String {
        let (code, now) = ("aPrx" + RandomText.make(60), clock.now)
        let lifetime = min(configuration.authorizationCodeLifetime, .seconds(10 * 60))
        let entry = AuthorizationCodes.Entry(
            clientID: request.clientID, redirectURI: request.redirectURI, challenge: request.challenge,
            scopes: request.scopes, subject: user, expiry: now + lifetime)
        state.withLock { $0.codes.add(code, entry, now: now) }
        return code
    }

    /// Turns a code into tokens; a second use revokes what the first gave (RFC 6749 §4.1.2).
    func redeem(_ code: String, _ claim: AuthorizationCodes.Claim) throws(OAuthRefusal) -> Grant {
        try state.withLock { (state) throws(OAuthRefusal) -> Grant in
            switch state.codes.redeem(code, claim, now: clock.now) {
            case .refused(let reason): throw .invalidGrant(reason)
            case .replayed(let family):
                if let family { state.registry.revoke(family: family) }
                throw .invalidGrant("expired authorization code")
            case .granted(let entry):
                let isLasting = OAuthScope.isLasting(entry.scopes)
                let grant = makeLogin(entry.clientID, entry.subject, entry.scopes, isLasting, &state.registry)
                state.codes.note(grant.login.family, of: code)
                return grant
            }
        }
    }

    // MARK: Devices

    /// The codes of a new device login; `nil` when too many wait already.
    func beginDevice(_ request: DeviceLogins.Request) -> (deviceCode: String, userCode: String)? {
        let (deviceCode, userCode) = ("M01WLD" + RandomText.make(60), UserCode.make())
        let isAdded = state.withLock {
            $0.devices.add(
                deviceCode, userCode: userCode, request, lifetime: configuration.deviceCodeLifetime, now: clock.now)
        }
        return isAdded ? (deviceCode, userCode) : nil
    }

    var deviceCodeSeconds: Int { Int(configuration.deviceCodeLifetime.components.seconds) }

    func deviceRequest(userCode: String) -> DeviceLogins.Request? {
        state.withLock { $0.devices.request(userCode: userCode, now: clock.now) }
    }

    func answerDevice(_ userCode: String, by user: String, isAllowed: Bool) -> Bool {
        state.withLock { $0.devices.answer(userCode, by: user, isAllowed: isAllowed, now: clock.now) }
    }

    func pollDevice(_ deviceCode: String, clientID: String) throws(OAuthRefusal) -> Grant {
        try state.withLock { (state) throws(OAuthRefusal) -> Grant in
            switch state.devices.poll(deviceCode, clientID: clientID, now: clock.now) {
            case .refused(let refusal): throw refusal
            case .granted(let request, let user):
                let isLasting = OAuthScope.isLasting(request.scopes)
                return makeLogin(request.clientID, user, request.scopes, isLasting, &state.registry)
            }
        }
    }
}

extension LocalOrgConfiguration.RefreshRotation {
    fileprivate var rule: TokenRegistry.RefreshRotation {
        switch self {
        case .strict: .strict
        case .grace: .grace
        case .off: .off
        }
    }
}
