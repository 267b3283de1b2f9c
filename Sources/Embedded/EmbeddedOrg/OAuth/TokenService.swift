// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import Synchronization

/// The tokens of the org, and the devices and assertions that become tokens.
final class TokenService: Sendable {
    let identity: OrgIdentity
    let issuer: TokenIssuer
    private let configuration: LocalOrgConfiguration
    private let devices = Mutex(DeviceLogins())
    private let assertions = Mutex(SpentAssertions())

    init(identity: OrgIdentity, configuration: LocalOrgConfiguration, clock: ServerClock) {
        self.identity = identity
        self.configuration = configuration
        // As the platform's opaque tokens look: `00D…!…`, the organization's id and 92 unguessable characters.
        let prefix = identity.organizationID.prefix(15) + "!"
        var rules = TokenRules(
            clock: clock, lifetime: configuration.accessTokenLifetime,
            makeAccessToken: { prefix + RandomText.make(92) }, makeRefreshToken: { "5Aep861" + RandomText.make(80) })
        (rules.rotation, rules.refreshLifetime) = (configuration.refreshRotation, configuration.refreshTokenLifetime)
        issuer = TokenIssuer(rules)
    }

    var clock: ServerClock { issuer.rules.clock }

    /// How long an access token is announced to be good, where it is announced.
    var announcedLifetime: Int? {
        configuration.announcesExpiry ? Int(configuration.accessTokenLifetime.components.seconds) : nil
    }

    /// Whether a PKCE verifier may have any length.
    var takesAnyVerifier: Bool { !configuration.isProofKeyStrict }

    /// Logs a user in, by the id.
    func login(_ clientID: String, user: String, scopes: [String], isLasting: Bool) -> TokenIssuer.Grant {
        issuer.login(clientID, subject: user, scopes: scopes, isLasting: isLasting)
    }

    /// The login whose access token opens the org now.
    func login(of accessToken: String) -> TokenRegistry.Login? { issuer.access(accessToken)?.login }

    /// What a token is good for, told to the client it was given to (RFC 7662).
    struct Status: Sendable {
        let login: TokenRegistry.Login
        let type: String
        /// Seconds since 1970.
        let expiry: Int64?
    }

    func status(of token: String, for clientID: String) -> Status? {
        func seconds(_ end: ContinuousClock.Instant) -> Int64 { clock.seconds + (end - clock.now).components.seconds }
        let status =
            issuer.access(token).map { Status(login: $0.login, type: "access_token", expiry: seconds($0.expiry)) }
            ?? issuer.refresh(token).map {
                Status(login: $0.login, type: "refresh_token", expiry: $0.expiry.map(seconds))
            }
        return status?.login.clientID == clientID ? status : nil
    }

    /// Forgets every code that has not become tokens.
    func forgetCodes() {
        issuer.forgetCodes()
        devices.withLock { $0.removeAll() }
    }

    /// Accepts an assertion once, so that a stolen copy is worthless (RFC 7523 §3, 7).
    func spend(_ assertion: JWTAssertion, of clientID: String) throws(OAuthRefusal) {
        try assertions.withLock { (assertions) throws(OAuthRefusal) in
            try assertions.spend(assertion.identifier, of: clientID, until: assertion.end, now: clock.seconds)
        }
    }

    /// A code for a request that a user agreed to.
    func makeCode(for request: AuthorizationRequest, user: String) -> String {
        let code = "aPrx" + RandomText.make(60)
        let lifetime = min(configuration.authorizationCodeLifetime, .seconds(10 * 60))
        issuer.add(
            code,
            AuthorizationCodes.Entry(
                clientID: request.clientID, redirectURI: request.redirectURI, challenge: request.challenge,
                scopes: request.scopes, isLasting: OAuthScope.isLasting(request.scopes), subject: user,
                expiry: clock.now + lifetime))
        return code
    }

    // MARK: Devices

    /// The codes of a new device login; `nil` when too many wait already.
    func beginDevice(_ request: DeviceLogins.Request) -> (deviceCode: String, userCode: String)? {
        let (deviceCode, userCode) = ("M01WLD" + RandomText.make(60), UserCode.make())
        let isAdded = devices.withLock {
            $0.add(
                deviceCode, userCode: userCode, request, lifetime: configuration.deviceCodeLifetime, now: clock.now)
        }
        return isAdded ? (deviceCode, userCode) : nil
    }

    var deviceCodeSeconds: Int { Int(configuration.deviceCodeLifetime.components.seconds) }

    func deviceRequest(userCode: String) -> DeviceLogins.Request? {
        devices.withLock { $0.request(userCode: userCode, now: clock.now) }
    }

    func answerDevice(_ userCode: String, by user: String, isAllowed: Bool) -> Bool {
        devices.withLock { $0.answer(userCode, by: user, isAllowed: isAllowed, now: clock.now) }
    }

    func pollDevice(_ deviceCode: String, clientID: String) throws(OAuthRefusal) -> TokenIssuer.Grant {
        switch devices.withLock({ $0.poll(deviceCode, clientID: clientID, now: clock.now) }) {
        case .refused(let refusal): throw refusal
        case .granted(let request, let user):
            return login(
                request.clientID, user: user, scopes: request.scopes,
                isLasting: OAuthScope.isLasting(request.scopes))
        }
    }
}

/// Logins of devices that wait for a user elsewhere, as a value without I/O (RFC 8628).
struct DeviceLogins: Sendable {
    /// What the user is asked to agree to.
    struct Request: Sendable {
        let clientID: String
        let scopes: [String]
    }

    fileprivate enum Answer {
        /// The user has not answered; the device polls.
        case pending
        /// This user has agreed; the device's next poll gets the tokens.
        case allowed(user: String)
        /// The user has refused; every further poll is told so.
        case denied
    }

    fileprivate struct Login {
        let request: Request
        let userCode: String
        let expiry: ContinuousClock.Instant
        var interval: Duration
        var lastPoll: ContinuousClock.Instant?
        var answer = Answer.pending
    }

    enum Poll {
        case granted(Request, user: String)
        case refused(OAuthRefusal)
    }

    private var logins: [TokenRegistry.Key: Login] = [:]
    private static let capacity = 1_000
    static let interval = Duration.seconds(5)

    /// Keeps a login; `false` when there are too many.
    mutating func add(
        _ deviceCode: String, userCode: String, _ request: Request, lifetime: Duration, now: ContinuousClock.Instant
    ) -> Bool {
        // Expired ones are kept for a while, so that their devices learn why they get nothing.
        logins = logins.filter { now < $0.value.expiry + .seconds(600) }
        guard logins.count < Self.capacity else { return false }
        logins[TokenRegistry.key(deviceCode)] = Login(
            request: request, userCode: userCode, expiry: now + lifetime, interval: Self.interval)
        return true
    }

    /// What the user with that code is asked, while it waits for an answer.
    func request(userCode: String, now: ContinuousClock.Instant) -> Request? {
        logins.values.first { $0.isOpen(userCode, now) }?.request
    }

    /// The user's answer; `false` when nothing waits for it any more.
    mutating func answer(_ userCode: String, by user: String, isAllowed: Bool, now: ContinuousClock.Instant) -> Bool {
        guard let key = logins.first(where: { $0.value.isOpen(userCode, now) })?.key else { return false }
        logins[key]?.answer = isAllowed ? .allowed(user: user) : .denied
        return true
    }

    /// A device asks; asking faster than told costs five seconds more from then on (RFC 8628 §3.5).
    mutating func poll(_ deviceCode: String, clientID: String, now: ContinuousClock.Instant) -> Poll {
        let key = TokenRegistry.key(deviceCode)
        guard var login = logins[key], login.request.clientID == clientID else {
            return .refused(.invalidGrant("invalid device code"))
        }
        guard now < login.expiry else { return .refused(.init("expired_token", "the device code has expired")) }
        let isHasty = login.lastPoll.map { now < $0 + login.interval } ?? false
        login.lastPoll = now
        if isHasty { login.interval += .seconds(5) }
        logins[key] = login
        switch login.answer {
        case .denied: return .refused(.init("access_denied", "end-user denied authorization"))
        case _ where isHasty: return .refused(.init("slow_down", "polling too quickly"))
        case .pending: return .refused(.init("authorization_pending", "user has not approved access yet"))
        case .allowed(let user):
            logins[key] = nil
            return .granted(login.request, user: user)
        }
    }

    mutating func removeAll() { logins.removeAll() }
}

extension DeviceLogins.Login {
    fileprivate func isOpen(_ code: String, _ now: ContinuousClock.Instant) -> Bool {
        guard case .pending = answer, now < expiry else { return false }
        return Digest.areEqual(userCode, code)
    }
}

/// The code that a user types: eight letters without vowels, so that they make no word (RFC 8628 §6.1).
enum UserCode {
    private static let letters = "BCDFGHJKLMNPQRSTVWXZ"

    static func make() -> String { RandomText.make(8, of: letters) }

    /// The code without what people add: case, spaces and hyphens; `nil` when it can be none.
    static func normalized(_ text: String) -> String? {
        let code = text.uppercased().without(" -")
        return code.utf8.count == 8 && code.utf8.allSatisfy(letters.utf8.contains) ? code : nil
    }
}
