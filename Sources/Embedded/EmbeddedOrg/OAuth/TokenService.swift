// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestTransport
import Synchronization

/// The tokens, device logins and assertions of the org.
final class TokenService: Sendable {
    let identity: OrgIdentity
    let issuer: TokenIssuer
    let proofs: ProofChecker
    let tokenHandler: (@Sendable (_ token: String, _ type: String) -> String?)?
    private let devices = Mutex<[String: DeviceLogin]>([:])
    private let assertions = Mutex(SpentAssertions())
    /// The lifetime of the code of a browser or a device (RFC 6749 §4.1.2).
    static let codeLifetime: Duration = .seconds(600)

    init(identity: OrgIdentity, configuration: LocalOrgConfiguration, clock: ServerClock) {
        self.identity = identity
        // Access tokens look like Salesforce's: `00D…!…`, the org's ID and 92 unguessable characters.
        let prefix = identity.organizationID.prefix(15) + "!"
        var rules = TokenRules(
            clock: clock, lifetime: configuration.accessTokenLifetime,
            makeAccessToken: { prefix + RandomText.make(92) }, makeRefreshToken: { "5Aep861" + RandomText.make(80) })
        rules.rotation = configuration.refreshRotation
        rules.refreshIdleLimit = configuration.refreshIdleLimit
        tokenHandler = configuration.tokenHandler
        issuer = TokenIssuer(rules)
        proofs = ProofChecker(configuration.proofs, instanceURL: identity.instanceURL, clock: clock)
    }

    var clock: ServerClock { issuer.rules.clock }

    func login(of accessToken: String) -> TokenIssuer.Login? { issuer.access(accessToken)?.login }

    /// The status of a token for the client that owns it (RFC 7662).
    struct Status {
        let login: TokenIssuer.Login
        let type: String
        /// The expiry in seconds since 1970.
        let expiry: Int64?
    }

    func status(of token: String, for clientID: String) -> Status? {
        func seconds(_ end: ContinuousClock.Instant) -> Int64 { clock.seconds + (end - clock.now).components.seconds }
        let status =
            issuer.access(token).map { Status(login: $0.login, type: "access_token", expiry: seconds($0.expiry)) }
            ?? issuer.refresh(token).map { Status(login: $0, type: "refresh_token", expiry: nil) }
        return status?.login.clientID == clientID ? status : nil
    }

    /// Invalidates all codes that have not been exchanged.
    func forgetCodes() {
        issuer.forgetCodes()
        devices.withLock { $0.removeAll() }
    }

    /// Accepts an assertion only once, so a stolen copy is worthless (RFC 7523 §3, 7).
    func spend(_ assertion: JWTAssertion, of clientID: String) throws(OAuthRejection) {
        try assertions.withLock { (assertions) throws(OAuthRejection) in
            try assertions.spend(assertion.identifier, of: clientID, until: assertion.end, now: clock.seconds)
        }
    }

    func makeCode(for request: AuthorizationRequest, user: String) -> String {
        let code = "aPrx" + RandomText.make(60)
        var stored = TokenIssuer.CodeRequest(
            clientID: request.clientID, redirectURI: request.redirectURI, challenge: request.challenge,
            scopes: request.scopes, isLasting: OAuthScope.isLasting(request.scopes), subject: user)
        stored.key = proofs.settings.mode == .off ? nil : request.key
        issuer.add(code, stored, lifetime: Self.codeLifetime)
        return code
    }
}

/// The login of a device that waits for a user elsewhere (RFC 8628).
struct DeviceLogin: Sendable {
    fileprivate enum Response {
        /// The user has not answered, and the device polls.
        case pending
        /// The user has agreed. The device's next poll gets the tokens.
        case allowed(user: String)
        /// The user has refused. Every further poll gets an error.
        case denied
    }

    let clientID: String
    let scopes: [String]
    let userCode: String
    fileprivate let expiry: ContinuousClock.Instant
    fileprivate var interval = Self.interval
    fileprivate var lastPoll: ContinuousClock.Instant?
    fileprivate var response = Response.pending

    static let interval = Duration.seconds(5)

    fileprivate func isOpen(_ code: String, _ now: ContinuousClock.Instant) -> Bool {
        guard case .pending = response, now < expiry else { return false }
        return userCode == code
    }
}

extension TokenService {
    private static let mostDevices = 1_000

    /// Returns the codes of a new device login, or `nil` if too many logins wait.
    func beginDevice(_ clientID: String, _ scopes: [String]) -> (deviceCode: String, userCode: String)? {
        let (deviceCode, now) = ("M01WLD" + RandomText.make(60), clock.now)
        let login = DeviceLogin(
            clientID: clientID, scopes: scopes, userCode: UserCode.make(),
            expiry: now + Self.codeLifetime)
        return devices.withLock { devices in
            // Expired logins are kept for a while, so their devices get an exact error.
            devices = devices.filter { now < $0.value.expiry + .seconds(600) }
            guard devices.count < Self.mostDevices else { return nil }
            devices[deviceCode] = login
            return (deviceCode, login.userCode)
        }
    }

    func device(userCode: String) -> DeviceLogin? {
        let now = clock.now
        return devices.withLock { $0.values.first { $0.isOpen(userCode, now) } }
    }

    /// Takes the user's answer, or returns `false` if no login waits for it.
    func answerDevice(_ userCode: String, by user: String, isAllowed: Bool) -> Bool {
        let now = clock.now
        return devices.withLock { devices in
            guard let code = devices.first(where: { $0.value.isOpen(userCode, now) })?.key else { return false }
            devices[code]?.response = isAllowed ? .allowed(user: user) : .denied
            return true
        }
    }

    /// Responds to a poll of a device, and adds five seconds to the interval if it is too fast (RFC 8628 §3.5).
    func pollDevice(
        _ deviceCode: String, clientID: String, boundTo key: String?
    ) throws(OAuthRejection) -> TokenIssuer.Grant {
        let now = clock.now
        let (login, user) = try devices.withLock { (devices) throws(OAuthRejection) -> (DeviceLogin, String) in
            guard var login = devices[deviceCode], login.clientID == clientID else {
                throw .invalidGrant("invalid device code")
            }
            guard now < login.expiry else { throw .init("expired_token", "the device code has expired") }
            let isHasty = login.lastPoll.map { now < $0 + login.interval } ?? false
            login.lastPoll = now
            if isHasty { login.interval += .seconds(5) }
            devices[deviceCode] = login
            switch login.response {
            case .denied: throw .init("access_denied", "end-user denied authorization")
            case _ where isHasty: throw .init("slow_down", "polling too quickly")
            case .pending: throw .init("authorization_pending", "user has not approved access yet")
            case .allowed(let user):
                devices[deviceCode] = nil
                return (login, user)
            }
        }
        return issuer.login(
            clientID, subject: user, scopes: login.scopes, isLasting: OAuthScope.isLasting(login.scopes), boundTo: key)
    }
}

/// The code for the user: eight letters without vowels, so they do not form a word (RFC 8628 §6.1).
enum UserCode {
    private static let letters = "BCDFGHJKLMNPQRSTVWXZ"

    static func make() -> String { RandomText.make(8, of: letters) }

    /// Returns the code without case, spaces and hyphens, or `nil` if it is invalid.
    static func normalized(_ text: String) -> String? {
        let code = text.uppercased().without(" -")
        return code.utf8.count == 8 && code.utf8.allSatisfy(letters.utf8.contains) ? code : nil
    }
}
